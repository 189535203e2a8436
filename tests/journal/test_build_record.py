"""Records from decisions: throws by turn, moves taken back, and the end of the game."""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

import pytest

from tests.journal.games import store_game
from tests.slow import slow_except
from urpi.core.errors import UrpiError
from urpi.journal import Entry, Journal, build_record, entries_of, find_game
from urpi.referee.clock import parse_time_control
from urpi.referee.decisions import (
    Abandoned,
    Decision,
    Drawn,
    Fault,
    Moved,
    Passed,
    Roll,
    Seems,
    Starts,
    TakenBack,
    Won,
)
from urpi.referee.facts import Game
from urpi.referee.lines import decision_line, fact_line
from urpi.rules import RULE_SETS, Side
from urpi.rules.record import GameRecord, check_record, parse_record, record_text

STARTED = datetime.fromisoformat("2026-11-20T23:59:11+01:00")
LIGHT, DARK = Side.LIGHT, Side.DARK
STARTS = Starts(0, LIGHT, "throw")


def roll(side: Side, faces: str) -> Roll:
    return Roll(1, side, faces, 0, ())


def moved(side: Side, move: str, confidence: str = "sensed") -> Moved:
    return Moved(2, side, move, "", confidence)


def record_of(decisions: Iterable[Decision], game: Game | None = None) -> GameRecord:
    opening = Entry(1, "fact", fact_line(game or Game(0, "finkel", "Ann", "Zoë")))
    lines = (decision_line(decision) for decision in decisions)
    entries = (Entry(seq, "decision", line) for seq, line in enumerate(lines, 2))
    return build_record([opening, *entries], STARTED)


def turns_of(*decisions: Decision) -> list[str]:
    return record_text(record_of([STARTS, *decisions])).partition("\n\n")[2].splitlines()


def test_the_tags_contain_rules_date_players_and_result() -> None:
    game = Game(0, "finkel", 'Ann "A" \\', "Zoë\nZ", options=(("pieces", "3"),))
    text = record_text(record_of([STARTS, Won(9, DARK, "off")], game))
    assert text.splitlines() == [
        '[Rules "finkel[pieces=3]"]',
        '[Date "2026.11.20"]',
        '[Light "Ann \\"A\\" \\\\"]',
        '[Dark "Zoë Z"]',
        '[Start "light"]',
        '[Result "dark"]',
    ]


@pytest.mark.parametrize(
    ("end", "result", "termination"),
    [
        (Won(9, LIGHT, "off"), "light", None),
        (Won(9, DARK, "resigned"), "dark", "resigned"),
        (Won(9, DARK, "time"), "dark", "time"),
        (Drawn(9, "repeated"), "draw", "repeated"),
        (Abandoned(9, "abandoned"), "*", "abandoned"),
        (Fault(9, "hub", "lost"), "*", None),
    ],
)
def test_the_result_follows_from_the_end(
    end: Decision, result: str, termination: str | None
) -> None:
    record = record_of([STARTS, end])
    assert (record.tag("Result"), record.tag("Termination")) == (result, termination)


@pytest.mark.parametrize(
    ("position", "tag"),
    [
        ("finkel B4:L L6D7 L0D0 D", "finkel B4:L L6D7 L0D0 D"),
        ("finkel - L7D7 L0D0 D", None),
        ("finkel - L0D7 L7D0 =", "finkel - L0D7 L7D0 ="),
    ],
)
def test_a_game_from_another_position_than_the_start_has_a_position_tag(
    position: str, tag: str | None
) -> None:
    assert record_of([], Game(0, "finkel", position=position)).tag("Position") == tag


def test_a_record_has_the_time_of_each_side() -> None:
    game = Game(0, "finkel", clock=parse_time_control("10+5"))
    assert record_of([], game).tag("GameClock") == "10+5"
    assert record_of([], Game(0, "finkel")).tag("GameClock") is None


def test_consecutive_throws_of_a_side_are_one_turn() -> None:
    assert turns_of(
        roll(LIGHT, "gsgs"),
        Seems(1, LIGHT, "+A1"),
        moved(LIGHT, "+A1"),
        roll(LIGHT, "gs--"),
        moved(LIGHT, "+A3", "inferred"),
        roll(DARK, "----"),
        Passed(2, DARK, "zero"),
        roll(LIGHT, "g---"),
        moved(LIGHT, "A3-A2", "answered"),
    ) == ["1. L gsgs +A1 ; gs-- +A3 {inferred}", "2. D ---- pass", "3. L g--- A3-A2 {answered}"]


def test_a_move_taken_back_is_marked_and_followed_by_the_next_move_of_the_throw() -> None:
    assert turns_of(
        roll(LIGHT, "gs--"),
        moved(LIGHT, "+A3", "inferred"),
        TakenBack(3, LIGHT, "+A3"),
        moved(LIGHT, "+A3"),
        TakenBack(3, LIGHT, "+A3"),
    ) == ["1. L gs-- +A3~ {inferred} +A3~"]


def test_throws_after_a_move_taken_back_become_its_comment() -> None:
    assert turns_of(
        roll(LIGHT, "gsgs"),
        moved(LIGHT, "+A1"),
        roll(LIGHT, "gs--"),
        moved(LIGHT, "+A3", "inferred"),
        TakenBack(3, LIGHT, "+A3"),
        TakenBack(3, LIGHT, "+A1"),
        moved(LIGHT, "+A1"),
        roll(LIGHT, "g---"),
    ) == ["1. L gsgs +A1~ {then gs-- +A3~ (inferred)} +A1 ; g---"]


@pytest.mark.parametrize(
    "decisions",
    [
        [moved(LIGHT, "+A3")],
        [Passed(1, LIGHT, "zero")],
        [roll(LIGHT, "gs--"), moved(LIGHT, "+A3"), TakenBack(3, LIGHT, "+A4")],
    ],
)
def test_inconsistent_decisions_are_rejected(decisions: list[Decision]) -> None:
    with pytest.raises(UrpiError, match="without a throw for it"):
        record_of(decisions)


@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "masters"))
def test_the_record_of_a_refereed_game_is_legal(rules: str, tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        game = store_game(journal, rules, seed=len(rules), longest=300)
        record = build_record(entries_of(journal, game), STARTED)
        assert parse_record(record_text(record)) == record
        check_record(record)
        summary = find_game(journal, game)
    assert (summary.turns, summary.result) == (len(record.turns), record.tag("Result"))
