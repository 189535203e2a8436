"""A game's beginning, from facts to pictures: the views draw what the referee tells."""

import pytest

from urpi.referee import Phase, Settings, begin, snapshot, step
from urpi.referee.facts import Die, Edge, Game, Occupancy, Time
from urpi.rules import Side, parse_square
from urpi.views import draw
from urpi.words import words_for

WORDS = words_for("en")


def edge(t, square, *, on):
    return Edge(t, parse_square(square), on)


GAME = (Game(0, "finkel", "Anna", "Béla", first=Side.LIGHT), Occupancy(10, 1 << parse_square("B4")))
READY = (*GAME, edge(500, "B4", on=False), Time(1000))
IN_THE_AIR = (*READY, *(Die(1100, die, "rolling") for die in (1, 2, 3, 4)))
HALF_SETTLED = (*IN_THE_AIR, Die(1900, 1, "settled", "g", tumbled=True))
THROWN = (
    *HALF_SETTLED,
    *(Die(2000 + die, die, "settled", "s-"[die > 2], tumbled=True) for die in (2, 3, 4)),
)
WRONG = (*THROWN, edge(4000, "A1", on=True), Time(8000))
RIGHT = (*THROWN, edge(4000, "A3", on=True), Time(8000))


def snapshot_after(facts):
    state = begin(Settings(WORDS.say))
    for fact in facts:
        state, _ = step(state, fact)
    return snapshot(state)


@pytest.mark.parametrize(
    ("facts", "phase"),
    [
        ((), Phase.NO_GAME),
        (GAME, Phase.SET_UP),
        (READY, Phase.THROW),
        (IN_THE_AIR, Phase.THROW),
        (HALF_SETTLED, Phase.THROW),
        (THROWN, Phase.MOVE),
        (WRONG, Phase.MOVE),
        (RIGHT, Phase.THROW),
    ],
)
def test_every_step_of_a_turn_has_its_picture(facts, phase):
    shown = snapshot_after(facts)
    assert shown.phase is phase
    assert draw(shown, WORDS).getbbox() is not None


def test_each_step_looks_different():
    steps = ((), GAME, READY, IN_THE_AIR, HALF_SETTLED, THROWN, WRONG, RIGHT)
    pictures = {draw(snapshot_after(facts), WORDS).tobytes() for facts in steps}
    assert len(pictures) == len(steps)


def test_the_referee_warns_in_the_words_of_the_table():
    warning = snapshot_after(WRONG).warning
    assert warning is not None
    assert warning.text == "Threw 2, but that piece went 4. Take it off A1 again."
