"""Writing a section, or the paired dice, into a configuration file."""

import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.config import read, rendering
from urpi.config.editing import (
    check_writable,
    with_paired_dice,
    with_section,
    write_paired_dice,
    write_section,
)
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


def test_comments_and_other_lines_are_kept() -> None:
    changed = with_paired_dice(OWNED, "bluetooth", {3: DIE}).splitlines()
    for line in OWNED.splitlines():
        assert line in changed or line.startswith(("source", "paired"))


def test_all_dice_can_be_removed() -> None:
    values = tomllib.loads(with_paired_dice(PAIRED, "hub", {}))
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
        ('dice.source = "hub"\n', "cannot be edited"),
        ('dice = { source = "hub" }\n', "cannot be edited"),
        ("[dice\n", "cannot be edited"),
        ('[table]\nlight = """\n[dice]\nsource = "hub"\n"""\n', "cannot be edited"),
        ("[moon]\n", "moon"),
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


@given(text=st.text(alphabet='[]dice.paired=source\n"# {}1', max_size=60))
def test_any_text_is_edited_without_another_error(text: str) -> None:
    once = with_paired_dice(text, "both", {3: DIE})
    assert once.endswith("\n")
    assert with_section(text, "club", "[club]\n").endswith("\n")


@pytest.mark.parametrize(
    "text", ['club.table = "lisbon"\n', "[club\n", '[table]\nlight = """\n[club]\n"""\n']
)
def test_a_file_whose_section_cannot_be_replaced_is_left_as_it_is(
    tmp_path: Path, text: str
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(UrpiError, match="cannot be edited"):
        write_section(file, "club", '[club]\ntable = "porto"\n')
    assert file.read_text("utf-8") == text
