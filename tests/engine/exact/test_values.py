"""The file of a table of exact values: what is read back, and what is refused by name."""

import os
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from tests.bench_engine.positions import game_positions, random_position
from tests.engine.exact.made import made_table
from urpi.core.errors import UrpiError
from urpi.engine.exact.installed import Installed, file_name
from urpi.engine.exact.values import (
    HEADER_BYTES,
    KEY_BYTES,
    ExactValues,
    ValuesHeader,
    check,
    check_solvable,
    read_header,
    write,
)
from urpi.engine.position_key import key_of
from urpi.engine.race_index import RaceIndex
from urpi.rules import RULE_SETS, Position, parse_position, parse_rules
from urpi.rules.race import Race

RULES = "finkel[pieces=3]"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Return a table whose values are the index modulo 65,536."""
    return made_table(tmp_path / "any.table", RULES)


def test_a_value_is_found_at_its_index(table: Path) -> None:
    position = parse_position(f"{RULES} A1:L,B2:D,C1:D L2D1 L0D0 L")
    index = RaceIndex(parse_rules(RULES))(position)
    with ExactValues(table) as opened:
        assert opened.value(position) == (index % 65_536) / 65_535
        assert opened.kind == "exact"


@pytest.fixture
def listed(tmp_path: Path) -> tuple[Path, list[Position]]:
    """Return a table of `skiryuk` and its positions, whose values are 0, 1, 2... of 65,535."""
    rules = parse_rules("skiryuk[pieces=3]")
    assert isinstance(rules, Race)
    some = {key_of(each): each for each in islice(game_positions(rules, Random(1)), 500)}
    positions = [some[key] for key in sorted(some)]
    keys = b"".join(key_of(each).to_bytes(KEY_BYTES) for each in positions)
    values = b"".join(number.to_bytes(2, "little") for number in range(len(positions)))
    path = tmp_path / "listed.table"
    with path.open("wb") as file:
        write(file, ValuesHeader(rules.text, len(positions), 0.5, 1e-13, "0.1.0"), [keys, values])
    return path, positions


def test_a_position_is_found_by_its_key(listed: tuple[Path, list[Position]]) -> None:
    path, positions = listed
    assert check(path).positions == len(positions) > 300
    with ExactValues(path) as table:
        for number, position in enumerate(positions):
            assert table.value(position) == number / 65_535


def test_a_position_that_no_game_reaches_has_no_value(
    listed: tuple[Path, list[Position]],
) -> None:
    position = parse_position("skiryuk[pieces=3] A1:L,B8:D L2D2 L0D0 L")
    with (
        ExactValues(listed[0]) as table,
        pytest.raises(UrpiError, match=r"A1:L,B8:D .* be reached"),
    ):
        table.value(position)


def test_no_table_knows_declined_throws(tmp_path: Path) -> None:
    file = tmp_path / "any.table"
    file.write_bytes(ValuesHeader("finkel[decline=yes]", 0, 0.5, 0.0, "0").to_bytes())
    with pytest.raises(UrpiError, match=r"finkel\[decline=yes\]: .*; choose decline=no"):
        ExactValues(file)


def test_who_begins_needs_no_table_of_its_own(tmp_path: Path) -> None:
    installed = Installed(tmp_path)
    rules = parse_rules("finkel3[pieces=3;start=one]")
    assert installed.path_of(rules) == installed.path_of(parse_rules("finkel3[pieces=3]"))


def test_a_truncated_table_of_keys_is_refused(listed: tuple[Path, list[Position]]) -> None:
    listed[0].write_bytes(listed[0].read_bytes()[:-2])
    with pytest.raises(UrpiError, match=r"listed.table has \d+ bytes instead of"):
        ExactValues(listed[0])


@pytest.mark.parametrize("rules", ["murray", "ravensburger", "freecompany"])
def test_a_rule_set_without_tables_is_refused(tmp_path: Path, rules: str) -> None:
    file = tmp_path / "any.table"
    file.write_bytes(ValuesHeader(rules, 0, 0.5, 0.0, "0").to_bytes())
    with pytest.raises(UrpiError) as refused:
        ExactValues(file)
    solvable = [name for name in RULE_SETS if is_solvable(name)]
    with_three = [name for name in RULE_SETS if is_solvable(f"{name}[pieces=3]")]
    few = [name for name in with_three if name not in solvable]
    assert str(refused.value) == (
        f"There are no tables of exact values for {rules}, only for {', '.join(solvable)}, "
        f"and with pieces=3 for {', '.join(few)}."
    )


def is_solvable(rules: str) -> bool:
    try:
        check_solvable(parse_rules(rules))
    except UrpiError:
        return False
    return True


def test_the_header_comes_back(table: Path) -> None:
    header = read_header(table)
    assert (header.rules, header.positions, header.start) == (RULES, 263_121, 0.5162)
    assert check(table) == header


def changed(path: Path, place: int, new: bytes) -> None:
    """Replace bytes of a file."""
    content = bytearray(path.read_bytes())
    content[place : place + len(new)] = new
    path.write_bytes(content)


def test_a_truncated_table_is_refused(table: Path) -> None:
    table.write_bytes(table.read_bytes()[:-1])
    with pytest.raises(UrpiError, match=r"any.table has 530337 bytes instead of 530338"):
        ExactValues(table)


def test_a_changed_value_is_found_by_its_checksum(table: Path) -> None:
    changed(table, HEADER_BYTES + 1000, b"\xaa\xbb")
    with pytest.raises(UrpiError, match=r"any.table have changed: wrong checksum"):
        check(table)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"urpi-table-1", b"urpi-table-2"),
        (b'"start"', b'"stort"'),
        (b'"positions": 263121', b'"positions": "2631"'),
        (b"{", b"["),
        (b"{", b"\xff"),
    ],
)
def test_a_wrong_header_is_refused(table: Path, old: bytes, new: bytes) -> None:
    content = table.read_bytes()
    assert len(old) == len(new)
    table.write_bytes(content.replace(old, new, 1))
    with pytest.raises(
        UrpiError, match=r"any.table is no table of exact values of the format urpi-table-1"
    ):
        read_header(table)


def test_a_table_of_another_rule_set_than_it_says_is_refused(table: Path) -> None:
    table.write_bytes(table.read_bytes().replace(RULES.encode(), b"finkel[pieces=5]", 1))
    with pytest.raises(UrpiError, match="263121 values instead of the 14669769 of finkel"):
        read_header(table)


@pytest.mark.parametrize("content", [b"", b"no table", b"{}", b"[" * 5000])
def test_a_file_that_is_no_table_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    with pytest.raises(UrpiError, match="is no table of exact values of the format"):
        read_header(file)


def resident_bytes() -> int:
    """Return the resident memory of this process."""
    status = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))


def test_a_large_table_takes_little_memory(tmp_path: Path) -> None:
    rules = parse_rules("finkel[pieces=5]")
    assert isinstance(rules, Race)
    header = ValuesHeader(rules.text, RaceIndex(rules).size, 0.5, 0.0, "0")
    file = tmp_path / "any.table"
    file.write_bytes(header.to_bytes())
    os.truncate(file, HEADER_BYTES + 2 * header.positions)
    random = Random(1)
    with ExactValues(file) as table:
        table.value(random_position(rules, random))
        before = resident_bytes()
        for _ in range(3000):
            table.value(random_position(rules, random))
        assert resident_bytes() - before < 5_000_000


def test_a_table_that_is_cut_off_while_it_is_open_is_an_error(table: Path) -> None:
    position = parse_position(f"{RULES} - L3D3 L0D0 L")
    with ExactValues(table) as opened:
        os.truncate(table, HEADER_BYTES)
        with pytest.raises(UrpiError, match=r"any.table has become shorter"):
            opened.value(position)


class TestInstalled:
    """The folder of tables."""

    def test_an_installed_table_is_opened_by_its_rule_set(
        self, table: Path, tmp_path: Path
    ) -> None:
        installed = Installed(tmp_path / "data" / "tables")
        installed.install(table)
        opened = installed.open(parse_rules(RULES))
        assert opened is not None
        assert opened.header.rules == RULES
        assert [each.name for each in installed.files()] == ["finkel-pieces-3.table"]

    def test_there_is_none_before(self, tmp_path: Path) -> None:
        installed = Installed(tmp_path / "missing")
        assert installed.open(parse_rules(RULES)) is None
        assert list(installed.files()) == []

    def test_a_damaged_table_is_not_installed(self, table: Path, tmp_path: Path) -> None:
        installed = Installed(tmp_path / "tables")
        changed(table, HEADER_BYTES, b"\xaa\xbb")
        with pytest.raises(UrpiError, match="wrong checksum"):
            installed.install(table)
        assert list(installed.files()) == []

    def test_a_table_that_changed_after_its_installation_is_refused(
        self, table: Path, tmp_path: Path
    ) -> None:
        installed = Installed(tmp_path / "tables")
        installed.install(table)
        changed(installed.path_of(parse_rules(RULES)), HEADER_BYTES, b"\xaa\xbb")
        with pytest.raises(UrpiError, match="wrong checksum"):
            installed.open(parse_rules(RULES))

    def test_a_table_under_the_name_of_another_rule_set_is_refused(
        self, table: Path, tmp_path: Path
    ) -> None:
        installed = Installed(tmp_path)
        table.rename(tmp_path / file_name("bell[pieces=3]"))
        with pytest.raises(UrpiError, match=r"is for finkel\[pieces=3\], not for bell"):
            installed.open(parse_rules("bell[pieces=3]"))

    def test_a_removed_table_leaves_nothing(self, table: Path, tmp_path: Path) -> None:
        installed = Installed(tmp_path / "tables")
        installed.install(table)
        installed.remove(parse_rules(RULES))
        assert list((tmp_path / "tables").iterdir()) == []
        with pytest.raises(UrpiError, match="No table of exact values for finkel"):
            installed.remove(parse_rules(RULES))

    def test_a_checksum_is_verified_once(
        self, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        installed = Installed(tmp_path / "tables")
        installed.install(table)
        monkeypatch.setattr("urpi.engine.exact.installed.check", None)
        assert installed.open(parse_rules(RULES)) is not None
