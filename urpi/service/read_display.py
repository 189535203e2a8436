"""What people at a simulated table read of the game on the OLED."""

from collections.abc import Collection, Iterable
from typing import Final

from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import Decision, Passed, Roll, RollRefused, Starts, ThrowForStart
from urpi.rules import Side
from urpi.simulation import VirtualTable
from urpi.simulation.display_state import DisplayState

SEEN_BY_PLAYERS: Final = ("by-hand", "cocked", "not-tumbled", "missing-die")
"""Refused throws that the players of Python dice recognize without the OLED.

Players of dice with firmware read all of them from the OLED."""
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
        frozenset(side for side in Side if not snapshot.throws_here(side)),
    )


def show_to_players(
    table: VirtualTable,
    snapshot: Snapshot,
    decisions: Iterable[Decision],
    seen: Collection[str] = SEEN_BY_PLAYERS,
) -> None:
    """Show the players of a virtual table what they read of a change on the OLED.

    Args:
        table: The table.
        snapshot: The game after the change.
        decisions: The decisions that changed it.
        seen: The codes of refused throws that they recognize by themselves.
    """
    table.show_corrections(snapshot.fill, snapshot.clear)
    table.show_throw(snapshot.position, snapshot.throw)
    planned = snapshot.planned or ""
    table.show_plan(planned if snapshot.throw and not snapshot.thinking else None)
    chosen, choices = snapshot.chosen, snapshot.choices
    question = snapshot.question.ask if snapshot.question is not None else None
    choices = choices[chosen:] + choices[:chosen]
    table.show_move_question(choices if question == "move" else ())
    table.show_faces_question(choices if question == "faces" else ())
    for decision in decisions:
        match decision:
            case RollRefused(code=code, dice=dice) if code not in seen:
                table.show_rejected_throw(dice)
            case Roll(faces=faces):
                table.show_roll(faces)
            case ThrowForStart() | Starts():
                table.show_start_throw()
            case Passed() if snapshot.position is not None:
                table.show_pass(snapshot.position)


def _waits_for(snapshot: Snapshot) -> str:
    """Return what a player must do now, empty if the program or another table throws."""
    throwing = snapshot.phase in {Phase.THROW, Phase.START_THROW}
    if throwing and snapshot.side is not None and not snapshot.throws_here(snapshot.side):
        return ""
    return WAITS_FOR.get(snapshot.phase, "")
