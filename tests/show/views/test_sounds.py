"""The motif and the sentence of each change."""

import pytest

from tests.show.views.scenes import MIDDLE, OVER, to_move, to_throw
from urpi.referee.decisions import (
    Abandoned,
    Cleared,
    Drawn,
    Fault,
    Fix,
    Moved,
    Passed,
    Planned,
    Question,
    Ready,
    Roll,
    RollRefused,
    Seems,
    Warned,
    Won,
)
from urpi.referee.snapshot import Phase, Snapshot
from urpi.rules import Side
from urpi.show.views.sounds import Sound, sound, spoken
from urpi.show.words import display_languages, words_for

LIGHT, DARK = Side
WORDS = words_for("en")
ROLL = Roll(0, LIGHT, "gs--", 2, ("A4-A2",))
ZERO = Roll(0, LIGHT, "----", 0, ())
MOVED = Moved(0, LIGHT, "A4-A2", str(MIDDLE), "sensed")
DARK_THROWS = Snapshot(Phase.THROW, MIDDLE, side=DARK, light="Anna", dark="Béla")
ENDED = Snapshot(Phase.OVER, OVER, light="Anna")
WARNED = Warned(0, LIGHT, "no-throw-yet", 0, "Throw first, then move.", Fix(0, 0))


@pytest.mark.parametrize(
    ("snapshot", "decisions", "motif", "text"),
    [
        (to_move("gs--"), [ROLL], "throw", "Light throws 2."),
        (DARK_THROWS, [ZERO, Passed(0, LIGHT, "zero")], "throw", "Anna throws 0. Béla to throw"),
        (to_move("gs--"), [Planned(0, LIGHT, "A4-A2")], "turn", "The engine plays: A4 to A2."),
        (
            to_move("gs--"),
            [Planned(0, LIGHT, "+xB1")],
            "turn",
            "The engine plays: A new piece to B1, capturing.",
        ),
        (to_move("gs--"), [Planned(0, LIGHT)], "turn", "The engine failed. Choose its move."),
        (DARK_THROWS, [MOVED], "turn", "Béla to throw"),
        (to_throw(), [MOVED], "turn", "Light to throw"),
        (to_move("gs--"), [WARNED], "warning", "Throw first, then move."),
        (to_move("gs--"), [ROLL, WARNED], "warning", "Throw first, then move."),
        (
            to_throw(),
            [RollRefused(0, LIGHT, "cocked", (2,))],
            "warning",
            "Die 2 leans. Throw it again.",
        ),
        (to_throw(), [Fault(0, "die 3", "lost")], "warning", "Die 3 is silent"),
        (to_move("gs--"), [Question(0, LIGHT, "move", ("A4-A2",))], "warning", ""),
        (ENDED, [MOVED, Won(0, LIGHT, "off")], "winner", "Anna wins! All pieces are home."),
        (ENDED, [Won(0, DARK, "resigned")], "winner", "Dark wins! The opponent gave up."),
        (ENDED, [Drawn(0, "agreed")], "turn", "No winner. Both sides agreed."),
        (ENDED, [Abandoned(0, "abandoned")], "turn", "No winner. The game was abandoned."),
    ],
)
def test_change_has_a_motif_and_a_sentence(snapshot, decisions, motif, text):
    result = sound(snapshot, decisions, WORDS)
    assert result.motif == motif
    assert result.text.startswith(text)
    assert bool(result.text) == bool(text)


@pytest.mark.parametrize("decisions", [[], [Ready(0)], [Cleared(0)], [Seems(0, LIGHT, "A4-A2")]])
def test_silent_decisions(decisions):
    assert sound(to_throw(), decisions, WORDS) is None


def test_move_that_does_not_end_the_turn_has_no_sentence():
    assert sound(to_move("gs--"), [MOVED], WORDS) == Sound("turn", "")


@pytest.mark.parametrize("language", display_languages())
def test_a_list_without_squares_is_not_spoken(language: str) -> None:
    words = words_for(language)
    lists = {"light": "\N{EN DASH}", "dark": "B2, C3", "surplus": "\N{EN DASH}"}
    text = words.sentence("disturbed", lists)
    said = sound(to_throw(), (Warned(0, LIGHT, "disturbed", 0, text, Fix(0, 0)),), words).text
    assert "\N{EN DASH}" in text
    assert "\N{EN DASH}" not in said
    assert said.endswith(spoken("B2, C3.", words))
