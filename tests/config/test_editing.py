"""Writing a section, or the paired dice, into a configuration file."""

import os
import re
import tomllib
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.config import read, rendering
from urpi.config.editing import (
    Paired,
    check_writable,
    with_section,
    write_paired_dice,
    write_section,
)
from urpi.config.kinds import toml_text
from urpi.core.errors import UrpiError

DIE = {"address": "C4:00:11:22:33:44", "brand": "pixels", "faces": 4, "owner": "both"}
OTHER = {"address": "C4:00:11:22:33:55", "brand": "godice", "faces": 6, "owner": "light"}
OWNED = """\
# My table.
[table]
light = "Ann"  # my daughter

[dice] # both
adapter = "hci0"
source = "hub"
paired = { 9 = { address = "00:00:00:00:00:09", brand = "godice", faces = 6 } }

[oled]
driver = "none"
"""
PAIRED = (
    OWNED.replace("paired = ", "# paired = ")
    + """
[dice.paired]
1 = { address = "00:00:00:00:00:01", brand = "godice", faces = 6 }

[dice.paired.2]
address = "00:00:00:00:00:02"
brand = "pixels"
faces = 4
[timing]
still_ms = 160
"""
)


@pytest.mark.parametrize(
    "text", ["", OWNED, PAIRED, rendering.example_text(), "[dice]", "[dice]\n"]
)
def test_only_the_dice_change(tmp_path: Path, text: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text, "utf-8")
    before = read(file).config
    write_paired_dice(file, "both", {3: DIE, 1: OTHER})
    after = read(file).config
    assert (after.dice.source, after.dice.paired) == ("both", {1: OTHER, 3: DIE})
    assert (after.dice.adapter, after.table, after.timing, after.oled) == (
        before.dice.adapter, before.table, before.timing, before.oled
    )  # fmt: skip
    once = file.read_text("utf-8")
    write_paired_dice(file, "both", {3: DIE, 1: OTHER})
    assert file.read_text("utf-8") == once
    assert [one.name for one in tmp_path.iterdir()] == ["config.toml"]


def test_all_dice_can_be_removed(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(PAIRED, "utf-8")
    write_paired_dice(file, "hub", {})
    values = tomllib.loads(file.read_text("utf-8"))
    assert values["dice"] == {"adapter": "hci0", "source": "hub"}


def test_a_missing_file_is_created_with_its_folder(tmp_path: Path) -> None:
    file = tmp_path / "urpi" / "config.toml"
    check_writable(file)
    write_paired_dice(file, "bluetooth", {3: DIE})
    assert read(file).config.dice.paired == {3: DIE}
    assert file.stat().st_mode & 0o777 == 0o644


def test_the_rights_stay_and_a_link_remains_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "real.toml", tmp_path / "config.toml"
    target.write_text(OWNED, "utf-8")
    target.chmod(0o640)
    link.symlink_to(target)
    write_paired_dice(link, "bluetooth", {3: DIE})
    assert link.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('dice = { source = "hub" }\n', "cannot be edited"),
        ("[dice\n", "cannot be edited"),
        ('[table]\nlight = """\n[dice]\nsource = "hub"\n"""\n', "config.toml:2: table.light must"),
        ("[moon]\n", "config.toml:1: the file has no key 'moon'"),
        (OWNED + "rotat = 2\n", r"config.toml:12: \[oled\] has no key 'rotat'"),
        ("# " + "x" * 1000 + "\n", "config.toml:1: the line has 1002 characters"),
        ("#\n" * 32_740, "config.toml would be larger than 65536 bytes"),
    ],
)
def test_a_file_that_cannot_be_edited_is_left_as_it_is(
    tmp_path: Path, text: str, reason: str
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(UrpiError, match=reason) as error:
        write_paired_dice(file, "bluetooth", {3: DIE})
    assert "\n" not in str(error.value)
    assert file.read_text("utf-8") == text
    assert [one.name for one in tmp_path.iterdir()] == ["config.toml"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_of_another_user_needs_sudo(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    with pytest.raises(UrpiError, match="sudo"):
        check_writable(tmp_path / "config.toml")


def test_a_key_with_dots_is_changed_in_its_line(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('dice.source = "hub" # ours\n', "utf-8")
    write_paired_dice(file, "bluetooth", {})
    assert file.read_text("utf-8") == 'dice.source = "bluetooth" # ours\n'


def test_a_section_has_its_new_keys_before_the_comments_of_the_next_one() -> None:
    text = "[club]\nbroker = 'a'\n[club.more]\nx = 1\n\n# Ours.\n[table]\nlight = 'Ann'\n"
    after = "[club]\ntable = 'b'\n\n# Ours.\n[table]\nlight = 'Ann'\n"
    assert with_section(text, "club", "[club]\ntable = 'b'\n") == after


TEXTS = st.one_of(st.text(alphabet='[]dice.paired=source\n"# {}1', max_size=60), st.text())


@given(text=TEXTS)
def test_any_text_is_edited_or_left_as_it_is(text: str) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "config.toml"
        file.write_text(text, "utf-8", newline="")
        try:
            write_paired_dice(file, "both", {3: DIE})
        except UrpiError:
            assert file.read_bytes().decode() == text
        else:
            assert read(file).config.dice.paired == {3: DIE}


COMMENTS = st.lists(st.sampled_from(["", "  ", "# source = 1", "# [oled]", "#"]), max_size=3)
BEHIND = st.sampled_from(["", "  # ours", " #[dice]"])
DICE = st.lists(
    st.tuples(st.integers(1, 8), st.sampled_from([DIE, OTHER])),
    unique_by=(lambda die: die[0], lambda die: die[1]["address"]),
).map(dict)

TEMPLATE = re.split(r"(?<=\n)(?=\n)", rendering.example_text())


@st.composite
def files(draw: st.DrawFn) -> list[str]:
    """Return sections in any order, each with comments above and in it; the dice in any form."""

    def section(*lines: str) -> str:
        return "".join(
            f"{line}\n" for text in lines for line in (*draw(COMMENTS), f"{text}{draw(BEHIND)}")
        )

    others = [
        section("[table]", 'light = "Ann"', 'dark = "[dice]"'),
        section("[timing]", "still_ms = 160"),
        section("[ oled ]"),
        section("[hub.faces]", 'd4 = [\n  "gold", # source\n"silver", "blank", "blank"]'),
    ]
    paired = draw(DICE)
    keys = draw(st.lists(st.sampled_from(['source = "hub"', 'adapter = "hci0"']), unique=True))
    lines = [f"{number} = {toml_text(die)}" for number, die in paired.items()]
    match draw(st.sampled_from(["inline", "table", "tables"])):
        case "inline":
            dice = [section("[dice]", *keys, f"paired = {{ {', '.join(lines)} }}")]
        case "table":
            dice = [section("[dice]", *keys), section("[dice.paired]", *lines)]
        case _:
            tables = [
                section(
                    f"[dice.paired.{number}]", *(f"{k} = {toml_text(v)}" for k, v in die.items())
                )
                for number, die in paired.items()
            ]
            dice = [section("[dice]", *keys), *tables]
    return draw(st.permutations([*dice, *draw(st.lists(st.sampled_from(others), unique=True))]))


@given(sections=st.one_of(st.just(TEMPLATE), files()), paired=DICE, end=COMMENTS)
def test_other_sections_stay_with_the_comments_above_them(
    sections: list[str], paired: Paired, end: list[str]
) -> None:
    sections = [*sections, "\n".join(end)]
    with TemporaryDirectory() as folder:
        file = Path(folder) / "config.toml"
        file.write_text("".join(sections), "utf-8")
        try:
            write_paired_dice(file, "both", paired)
        except UrpiError:
            # tomlkit changes not every section whose tables are in several places.
            headers = re.findall(r"^\[ ?(\w+)(\.\w+)?", "".join(sections), re.MULTILINE)
            names = [name for name, _ in groupby(name for name, _ in headers)]
            assert names.count("dice") > 1 or headers[names.index("dice")] != ("dice", "")
        else:
            assert read(file).config.dice.paired == paired
        text = file.read_text("utf-8")
    place = 0
    for section in sections:
        if not re.search(r"^\[dice", section, re.MULTILINE):
            place = text.index(section, place) + len(section)


@pytest.mark.parametrize("text", ["club = 1\n", "[club\n", "[[club]]\n", "[club]\n[club]\n"])
def test_a_file_whose_section_cannot_be_replaced_is_left_as_it_is(
    tmp_path: Path, text: str
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(UrpiError, match="cannot be edited"):
        write_section(file, "club", '[club]\ntable = "porto"\n')
    assert file.read_text("utf-8") == text
