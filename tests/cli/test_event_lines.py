"""The events that `urpi serve` and `urpi demo` print in the terminal."""

import pytest

from urpi.cli.event_lines import event_lines
from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Coached, Decision, Hinted, Moved, Planned
from urpi.rules import Side
from urpi.show.words import words_for

LIGHT, DARK = Side


@pytest.mark.parametrize(
    ("decision", "line"),
    [
        (
            Coached(9, LIGHT, "+A4", "A4-A2", 5),
            "Anna, a better move is possible: A4 to A2. (+5%)",
        ),
        (
            Hinted(9, DARK, "+C4", 12),
            "Hint for Dark: A new piece to C4, better by 12%.",
        ),
        (Hinted(9, DARK, "+C4", None), "Hint for Dark: A new piece to C4, the only move."),
        (Planned(9, DARK, "+C4"), "The engine plays: A new piece to C4."),
        (Planned(9, DARK, None), "The engine failed. Choose its move."),
    ],
)
def test_what_the_engine_shows_is_printed(decision: Decision, line: str) -> None:
    shot = Snapshot(Phase.THROW, light="Anna", last=decision)
    assert event_lines(shot, (decision,), words_for("en")) == [line]


def test_the_coach_is_printed_in_the_language_of_the_table() -> None:
    coached = Coached(9, LIGHT, "+A4", "A4-A2", 5)
    assert event_lines(Snapshot(Phase.THROW), (coached,), words_for("fr"))[0].endswith(
        "(+5\N{NO-BREAK SPACE}%)"
    )
    assert event_lines(Snapshot(Phase.THROW), (coached,), words_for("fr")) != event_lines(
        Snapshot(Phase.THROW), (coached,), words_for("en")
    )


def test_a_move_is_printed_once() -> None:
    moved = Moved(9, LIGHT, "+A4", "finkel L6D7 D", "sensed")
    assert event_lines(
        Snapshot(Phase.THROW, light="Anna", last=moved), (moved,), words_for("en")
    ) == ["Anna new to A4"]
