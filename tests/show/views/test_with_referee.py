"""The beginning of a game, from facts through the referee to pictures."""

import pytest

from urpi.referee import Phase, Settings, begin, snapshot, step
from urpi.referee.facts import Die, Edge, Game, Occupancy, Time
from urpi.rules import Side, parse_square
from urpi.show.views import draw
from urpi.show.words import words_for

WORDS = words_for("en")


def edge(t, square, *, on):
    return Edge(t, parse_square(square), on)


GAME = (Game(0, "finkel", "Anna", "Béla", first=Side.LIGHT), Occupancy(10, 1 << parse_square("B4")))
READY = (*GAME, edge(500, "B4", on=False), Time(1000))
ROLLING = (*READY, *(Die(1100, die, "rolling") for die in (1, 2, 3, 4)))
HALF_SETTLED = (*ROLLING, Die(1900, 1, "settled", "g", tumbled=True))
THROWN = (
    *HALF_SETTLED,
    *(Die(2000 + die, die, "settled", "s-"[die > 2], tumbled=True) for die in (2, 3, 4)),
)
WRONG_MOVE = (*THROWN, edge(4000, "A1", on=True), Time(8000))
CORRECT_MOVE = (*THROWN, edge(4000, "A3", on=True), Time(8000))


def snapshot_after(facts):
    state = begin(Settings(WORDS.sentence))
    for fact in facts:
        state, _ = step(state, fact)
    return snapshot(state)


@pytest.mark.parametrize(
    ("facts", "phase"),
    [
        ((), Phase.NO_GAME),
        (GAME, Phase.SET_UP),
        (READY, Phase.THROW),
        (ROLLING, Phase.THROW),
        (HALF_SETTLED, Phase.THROW),
        (THROWN, Phase.MOVE),
        (WRONG_MOVE, Phase.MOVE),
        (CORRECT_MOVE, Phase.THROW),
    ],
)
def test_every_step_of_a_turn_is_drawn(facts, phase):
    shown = snapshot_after(facts)
    assert shown.phase is phase
    assert draw(shown, WORDS).getbbox() is not None


def test_every_step_has_a_different_picture():
    steps = ((), GAME, READY, ROLLING, HALF_SETTLED, THROWN, WRONG_MOVE, CORRECT_MOVE)
    pictures = {draw(snapshot_after(facts), WORDS).tobytes() for facts in steps}
    assert len(pictures) == len(steps)


def test_warning_is_in_the_tables_language():
    warning = snapshot_after(WRONG_MOVE).warning
    assert warning is not None
    assert warning.text == "You threw 2, but moved it 4. Take it off A1 again."
