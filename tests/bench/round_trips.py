"""Games out of a journal and in again, in every format: `python -m tests.bench.round_trips`.

Random games are refereed and stored. Each is exported as a record, as an archive, as a table of
its throws in CSV, TSV and JSON lines, and as RGN if that can express its rule set; then it is read
again. An archive must give the same lines in another journal, a table the values of every column
and, played from the start by the rules, the same game, RGN the same game in sums; that of `finkel`
is played by a second parser, too. A line is printed for each rule set, and the exit status is 1
after the first game that differs.
"""

import argparse
import csv
import json
import tempfile
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, Final

from tests.journal.games import store_game
from tests.output import print_line
from tests.second import rgn as second
from urpi.journal import Journal, entries_of, exported_record, find_game, import_archive
from urpi.journal.formats import Rows, write_games
from urpi.journal.rows import RowForm
from urpi.rules import RULE_SETS, Side, parse_move
from urpi.rules.record import GameRecord, final_position, first_position, parse_record
from urpi.rules.rgn import fits_rgn, in_sums, parse_rgn

NOW: Final = datetime(2026, 11, 28, 12, tzinfo=UTC)
Row = dict[str, Any]


def exported(journal: Journal, game: int, form: str, rows: Rows | None = None) -> str:
    """Return a game in a format."""
    parts: list[str] = []
    write_games(journal, [game], form, rows, parts.append)
    return "".join(parts)


def check_game(journal: Journal, other: Journal, game: int) -> None:
    """Check the round trips of a stored game.

    Args:
        journal: The journal with the game.
        other: Another journal, into which it is imported.
        game: Its number.

    Raises:
        AssertionError: If it is not the same afterwards.
    """
    record = exported_record(journal, game)
    assert parse_record(exported(journal, game, "text")) == record
    archive = exported(journal, game, "json")
    (again,) = import_archive(other, BytesIO(archive.encode()), NOW).games
    assert [one.line for one in entries_of(other, again)] == [
        one.line for one in entries_of(journal, game)
    ]
    assert find_game(other, again).stored_start == find_game(journal, game).stored_start
    assert exported_record(other, again) == record
    for rows in ("games", "turns"):
        expected = [json.loads(line) for line in exported(journal, game, "json", rows).splitlines()]
        for form in ("csv", "tsv"):
            assert table(form, exported(journal, game, form, rows), expected) == expected
    check_played(expected, record)
    if fits_rgn(first_position(record)):
        check_rgn(exported(journal, game, "rgn"), record)


def table(form: RowForm, text: str, typed: list[Row]) -> list[Row]:
    """Return the rows of a table with their types, which are those of rows in JSON."""
    if form == "csv":
        read = [*csv.reader(StringIO(text, newline=""))]
    else:
        read = [line.split("\t") for line in text.split("\n")[:-1]]
    head, *rows = read
    return [
        {name: _value(cell, like[name]) for name, cell in zip(head, row, strict=True)}
        for row, like in zip(rows, typed, strict=True)
    ]


def _value(cell: str, like: Any) -> Any:
    """Return the value of a cell; an apostrophe keeps spreadsheets from computing a text."""
    if isinstance(like, bool):
        return {"true": True, "false": False}[cell]
    if isinstance(like, int | float):
        return type(like)(cell)
    if like is None:
        return cell or None
    return cell[1:] if cell[:2] in {"'+", "'-", "'=", "'@"} else cell


def check_played(rows: list[Row], record: GameRecord) -> None:
    """Check that the rows of the throws, played by the rules, are the game."""
    position = first_position(record)
    rules = position.rules
    for row in rows:
        if row["taken_back"]:
            continue
        assert str(position) == row["position"]
        throw = rules.dice.throw(row["faces"] or str(row["value"]))
        assert throw.value == row["value"]
        if row["move"] is not None:
            position = rules.play(position, throw, parse_move(row["move"]))
        if row["declined"]:
            position = rules.decline(position)
    assert position == final_position(record)


def check_rgn(text: str, record: GameRecord) -> None:
    """Check that a game in RGN is that of the record in sums."""
    again = parse_rgn(text)
    assert again.turns == in_sums(record).turns
    # RGN says who begins even where nobody has begun.
    tags = {name: value for name, value in again.tags if name != "Start" or record.turns}
    assert tags == dict(record.tags)
    if tags["Rules"] == "finkel":
        expected = [
            ("A" if turn.side is Side.LIGHT else "C", int(thrown.faces), play.move == "pass")
            for turn in in_sums(record).turns
            for thrown in turn.throws
            for play in thrown.plays
        ]
        played = second.play(text)
        # The last throw may have no move.
        assert [(row, count, not move) for row, count, move in played][: len(expected)] == expected


def check_games(rules: str, seeds: Iterable[int], folder: Path) -> int:
    """Check games of a rule set; return their number of throws."""
    throws = 0
    for seed in seeds:
        # Journals of their own: an import reads every game of a journal.
        with (
            Journal.open(folder / f"{seed}.db") as journal,
            Journal.open(folder / f"{seed}-other.db") as other,
        ):
            other.rows("PRAGMA synchronous = OFF")
            # One of 20 is played for long, mostly to its end.
            longest = 400 if seed % 20 == 0 else 10 + seed * 37 % 110
            game = store_game(journal, rules, seed, longest)
            try:
                check_game(journal, other, game)
            except Exception:
                print_line(f"differs: {rules} seed {seed}, at most {longest} answers")
                raise
            throws += len(exported(journal, game, "json", "turns").splitlines())
        for file in folder.iterdir():
            file.unlink()
    return throws


def main() -> None:
    """Check and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.round_trips", description=__doc__)
    parser.add_argument("--rules", action="append", choices=[*RULE_SETS], help="may be repeated")
    parser.add_argument("--games", type=int, default=1000, help="of each rule set")
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    given = parser.parse_args()
    for rules in given.rules or RULE_SETS:
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="urpi-trips-") as folder:
            seeds = range(given.seed, given.seed + given.games)
            throws = check_games(rules, seeds, Path(folder))
        spent = time.monotonic() - began
        print_line(
            f"{rules:13} {given.games:6} games, {throws:7} throws, all the same; {spent:.0f} s"
        )


if __name__ == "__main__":
    main()
