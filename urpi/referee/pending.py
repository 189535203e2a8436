"""Pending throws: dice thrown before the referee knows whether the throw counts.

They settle while the board is set up, or while a player is asked which move was made. The throw
is then counted (`urpi.referee.flow.count_pending`), or refused by a code of its own.
"""

from collections.abc import Callable
from typing import TypeAlias

from urpi.referee import throws
from urpi.referee.decisions import RollRefused, ThrowRefusal
from urpi.referee.snapshot import Phase
from urpi.referee.state import State
from urpi.rules import Side

Refuse: TypeAlias = Callable[[RollRefused], None]
"""Receives each refusal."""


def add(state: State, die: int, face: str) -> bool:
    """Add a settled die to the pending throw.

    Returns:
        False if the pending throw of that die's set is complete, so that this is a second throw.
    """
    if _is_complete(state, die):
        return False
    state.pending = {**state.pending, die: face}
    state.pending_at = state.t
    return True


def rolls_again(state: State, die: int) -> None:
    """Remove a die that rolls again from the pending throw, unless that throw is complete."""
    if die in state.pending and not _is_complete(state, die):
        state.pending = {each: face for each, face in state.pending.items() if each != die}


def _is_complete(state: State, die: int) -> bool:
    return all(each in state.pending for each in state.set_of(die))


def hold_incomplete(state: State) -> None:
    """Make the dice pending that already count for a throw whose turn is taken back."""
    if state.phase is Phase.THROW:
        known = {die: throws.of(state.dice, die) for die in state.throwing()}
        lying = {die: one.face for die, one in known.items() if one.lies and one.face is not None}
        state.pending, state.pending_at = lying, state.t


def reject(state: State, code: ThrowRefusal, refuse: Refuse) -> None:
    """Refuse the pending throw, if there is one."""
    if state.pending:
        refuse(RollRefused(state.t, state.side or Side.LIGHT, code, tuple(sorted(state.pending))))
        state.dice = throws.tell(state.dice, state.pending)
        state.pending = {}


def reject_if_unasked(state: State, refuse: Refuse) -> None:
    """Refuse a pending throw if the question it waited for was dropped without an answer."""
    if state.phase is Phase.MOVE and not state.asks_for_move:
        reject(state, "unplayed-throw", refuse)


def refuse_once(state: State, side: Side, code: ThrowRefusal, die: int, refuse: Refuse) -> None:
    """Refuse a throw that does not count when the first of its dice has settled.

    The refusal names the dice that still roll, too; they are not refused again when they settle.
    """
    if throws.of(state.dice, die).told:
        return
    thrown = tuple(
        each
        for each in state.set_of(die)
        if each == die or throws.of(state.dice, each).state == "rolling"
    )
    refuse(RollRefused(state.t, side, code, thrown))
    state.dice = throws.tell(state.dice, thrown)
