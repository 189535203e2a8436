"""What people at a simulated table read of the game on the OLED."""

from typing import Final

from urpi.referee import Phase, Snapshot
from urpi.rules import Side
from urpi.simulation.display_state import DisplayState

WAITS_FOR: Final = {Phase.START_THROW: "throw", Phase.THROW: "throw", Phase.MOVE: "move"}


def display_state_of(snapshot: Snapshot) -> DisplayState:
    """Return what players at the table read of a snapshot on the OLED."""
    question, chosen = snapshot.question, snapshot.chosen
    choices = snapshot.choices[chosen:] + snapshot.choices[:chosen]
    side = question.side if question is not None else snapshot.side
    return DisplayState(
        "answer" if question is not None else _waits_for(snapshot),
        None if snapshot.phase is Phase.SET_UP else side,
        snapshot.position,
        snapshot.throw,
        # While a throw is in progress, only the dice that have not settled are thrown again.
        snapshot.waiting if snapshot.settled else (),
        snapshot.fill,
        snapshot.clear,
        choices if question is not None else (),
        snapshot.seems,
        snapshot.planned,
        snapshot.thinking,
        frozenset(side for side in Side if snapshot.program_throws(side)),
    )


def _waits_for(snapshot: Snapshot) -> str:
    """Return what a player must do now, empty if the program throws."""
    throwing = snapshot.phase in {Phase.THROW, Phase.START_THROW}
    if throwing and snapshot.program_throws(snapshot.side):
        return ""
    return WAITS_FOR.get(snapshot.phase, "")
