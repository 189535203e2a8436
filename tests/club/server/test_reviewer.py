"""A verified game is reviewed from its lines as at its table."""

import json
from datetime import datetime
from pathlib import Path

import pytest

from tests.journal.games import STARTED, store_game
from urpi.club.server.reviewer import review
from urpi.engine.network_file import network
from urpi.engine.review import review_record
from urpi.journal import Journal, entries_of
from urpi.journal.build_record import build_record
from urpi.journal.stats import GameReview, SideReview, game_review
from urpi.link.protocol.line_checks import without_names
from urpi.rules import rule_set
from urpi.rules.lesson import FIRST_GAME


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[tuple[str, ...], GameReview]:
    """The lines of a game as a club has them, and its review at the table."""
    with Journal.open(tmp_path_factory.mktemp("journal") / "j.db") as journal:
        number = store_game(journal, seed=5)
        entries = entries_of(journal, number)
    record = build_record(entries, datetime.fromisoformat(STARTED))
    evaluator = network(rule_set("finkel"))
    reviewed = game_review(review_record(record, evaluator))
    return tuple(without_names(entry.line) for entry in entries), reviewed


def with_opening(lines: tuple[str, ...], **values: object) -> tuple[str, ...]:
    return (json.dumps({**json.loads(lines[0]), **values}, separators=(",", ":")), *lines[1:])


def test_it_is_the_review_of_the_table(
    played: tuple[tuple[str, ...], GameReview], tmp_path: Path
) -> None:
    lines, expected = played
    assert review(STARTED, lines, tmp_path) == expected
    assert expected.sides[0].decisions > 0


@pytest.mark.slow
def test_the_player_at_the_other_table_is_reviewed_there(
    played: tuple[tuple[str, ...], GameReview], tmp_path: Path
) -> None:
    lines, expected = played
    seats = {"light": "person", "dark": "remote"}
    shared = {"id": "0123456789abcdef", "table": "porto", "date": "2026.11.20"}
    opening = with_opening(lines, seats=seats, shared=shared)
    found = review(STARTED, opening, tmp_path)
    assert found == GameReview("estimated", (expected.sides[0], SideReview()))


def test_a_lesson_has_prepared_throws_and_no_review(
    played: tuple[tuple[str, ...], GameReview], tmp_path: Path
) -> None:
    lines, _ = played
    assert review(STARTED, with_opening(lines, position=FIRST_GAME.position), tmp_path) is None
