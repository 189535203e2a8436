"""Pending throws: dice thrown before the referee knows whether the throw counts.

They settle while the board is set up, or while a player is asked which move was made. The throw
is then counted (`urpi.referee.flow.count_pending`), or refused by a code of its own.
"""

from types import MappingProxyType

from urpi.referee import throws
from urpi.referee.decisions import Report, RollRefused, ThrowRefusal
from urpi.referee.stages import Moving, Throwing
from urpi.referee.state import NO_PENDING_THROW, GameState, PendingThrow
from urpi.rules import Side


def add(state: GameState, die: int, face: str) -> bool:
    """Add a settled die to the pending throw.

    Returns:
        False if the pending throw of that die's set is complete, so that this is a second throw.
    """
    if _is_complete(state, die):
        return False
    faces = MappingProxyType({**state.pending.faces, die: face})
    state.pending = PendingThrow(faces, state.t)
    return True


def remove_rolling(state: GameState, die: int) -> None:
    """Remove a die that rolls again from the pending throw, unless that throw is complete."""
    if die in state.pending.faces and not _is_complete(state, die):
        faces = {each: face for each, face in state.pending.faces.items() if each != die}
        state.pending = PendingThrow(MappingProxyType(faces), state.pending.t)


def _is_complete(state: GameState, die: int) -> bool:
    return all(each in state.pending.faces for each in state.set_of(die))


def hold_incomplete(state: GameState) -> None:
    """Make the dice pending that already count for a throw whose turn is taken back."""
    if isinstance(state.stage, Throwing):
        known = {die: throws.state_of(state.dice, die) for die in state.throwing()}
        lying = {die: one.face for die, one in known.items() if one.lies and one.face is not None}
        state.pending = PendingThrow(MappingProxyType(lying), state.t)


def reject(state: GameState, code: ThrowRefusal, report: Report) -> None:
    """Refuse the pending throw, if there is one."""
    faces = state.pending.faces
    if faces:
        report(RollRefused(state.t, state.side or Side.LIGHT, code, tuple(sorted(faces))))
        state.dice = throws.refuse(state.dice, faces)
        state.pending = NO_PENDING_THROW


def reject_unless_asking(state: GameState, report: Report) -> None:
    """Refuse a pending throw if the question it waited for was dropped without an answer."""
    if isinstance(state.stage, Moving) and not state.asks_for_move:
        reject(state, "unplayed-throw", report)


def refuse_once(state: GameState, side: Side, code: ThrowRefusal, die: int, report: Report) -> None:
    """Refuse a throw that does not count when the first of its dice has settled.

    The refusal names the dice that still roll, too; they are not refused again when they settle.
    """
    if throws.state_of(state.dice, die).refused:
        return
    thrown = tuple(
        each
        for each in state.set_of(die)
        if each == die or throws.state_of(state.dice, each).state == "rolling"
    )
    report(RollRefused(state.t, side, code, thrown))
    state.dice = throws.refuse(state.dice, thrown)
