"""Rows for spreadsheets: what they contain, and how other programs read them."""

import csv
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.journal.games import store_game
from tests.slow import slow_except
from urpi.core.errors import UrpiError
from urpi.journal import Journal, import_record, stored_record
from urpi.journal.formats import FORMATS, write_games
from urpi.journal.rows import TURN_COLUMNS, RowForm, write_rows
from urpi.rules import RULE_SETS, parse_position, rule_set

HOSTILE = [
    "=1+1",
    '=HYPERLINK("http://127.0.0.1")',
    "+A4",
    "-s--",
    "@SUM(1)",
    "\t=1",
    'a"b,c',
    "Zoë",
]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.db") as opened:
        opened.rows("PRAGMA synchronous = OFF")
        yield opened


def turns_of(journal: Journal, game: int) -> list[dict[str, Any]]:
    lines: list[str] = []
    write_games(journal, [game], "json", "turns", lines.append)
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "finkel"))
def test_the_rows_of_turns_are_the_throws_of_the_record(rules: str, journal: Journal) -> None:
    game = store_game(journal, rules, seed=4, longest=200)
    rows = turns_of(journal, game)
    assert {tuple(row) for row in rows} == {TURN_COLUMNS}
    standing = [row for row in rows if not row["taken_back"]]
    assert len(standing) < len(rows)
    expected = [
        (number, place, turn.side.value, thrown.faces, standing_move)
        for number, turn in enumerate(stored_record(journal, game).turns, 1)
        for place, thrown in enumerate(turn.throws, 1)
        for standing_move in [next((p.move for p in thrown.plays if not p.taken_back), None)]
        # The game may stop after a move was taken back.
        if standing_move is not None or not thrown.plays
    ]
    found = [
        tuple(row[name] for name in ("turn", "throw", "side", "faces", "move")) for row in standing
    ]
    assert found == expected
    dice = rule_set(rules).dice
    for row in rows:
        position = parse_position(row["position"])
        assert position.turn is not None
        assert position.turn.value == row["side"]
        assert row["value"] == dice.throw(row["faces"]).value
        assert row["player"] == {"light": "Ann", "dark": "Zoë"}[row["side"]]
    assert [row["seconds"] for row in rows] == sorted(row["seconds"] for row in rows)


def test_what_a_record_does_not_contain_is_empty(journal: Journal) -> None:
    text = '[Rules "finkel"]\n[Light "Ann"]\n\n1. L 2 +A3\n2. D gs-- +C3\n3. L 1\n'
    game = import_record(journal, text, datetime.now(UTC), "1.2.3")
    names = ("seconds", "faces", "value", "move", "confidence")
    assert [tuple(row[name] for name in names) for row in turns_of(journal, game)] == [
        (None, None, 2, "+A3", None),
        (None, "gs--", 2, "+C3", None),
        (None, None, 1, None, None),
    ]


def test_a_declined_throw_is_a_property_of_the_throw_before(journal: Journal) -> None:
    text = '[Rules "finkel[decline=yes]"]\n[Start "light"]\n\n1. L 4 +A1 ; declined\n2. D 1 +C4\n'
    game = import_record(journal, text, datetime.now(UTC), "1.2.3")
    assert [row["declined"] for row in turns_of(journal, game)] == [True, False]


def written(form: RowForm, texts: list[str]) -> str:
    lines: list[str] = []
    rows = [{"n": number, "text": text} for number, text in enumerate(texts)]
    write_rows(form, ("n", "text"), rows, lines.append)
    return "".join(lines)


@given(texts=st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=4))
@example(texts=HOSTILE)
def test_every_text_is_one_cell_that_no_spreadsheet_computes(texts: list[str]) -> None:
    cells = [row[1] for row in csv.reader(StringIO(written("csv", texts), newline=""))][1:]
    assert len(cells) == len(texts)
    lines = written("tsv", texts).split("\n")
    assert [line.split("\t")[1] for line in lines[1:-1]] == cells
    for cell, text in zip(cells, texts, strict=True):
        assert cell.lstrip()[:1] not in {"=", "+", "-", "@"} or not cell.strip()
        plain = "".join(" " if ord(letter) < 32 else letter for letter in text)
        assert cell in {plain, f"'{plain}"}
    assert [json.loads(line)["text"] for line in written("json", texts).split("\n")[:-1]] == texts


@pytest.mark.parametrize("form", ["text"])
def test_a_format_without_tables_is_refused(journal: Journal, form: str) -> None:
    with pytest.raises(UrpiError, match=f"format {form} has no rows of turns; choose one of"):
        write_games(journal, [], form, "turns", print)


def test_no_two_formats_have_a_suffix_in_common() -> None:
    suffixes = [suffix for form in FORMATS.values() for suffix in form.suffixes]
    assert len(set(suffixes)) == len(suffixes)
