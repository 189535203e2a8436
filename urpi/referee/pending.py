"""Pending throws: dice thrown before the referee knows whether the throw counts.

They settle while the board is set up, or while a player is asked which move was made. The throw
is then counted (`urpi.referee.flow.count_pending`), or refused by a code of its own.
"""

from dataclasses import replace
from types import MappingProxyType

from urpi.referee import throws
from urpi.referee.contacts import settled
from urpi.referee.decisions import Report, RollRefused, ThrowRefusal
from urpi.referee.inference import Candidate, blinked, shown_changes
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
    state.pending = PendingThrow(faces, state.t, state.contacts)
    return True


def remove_rolling(state: GameState, die: int) -> None:
    """Remove a die that rolls again from the pending throw, unless that throw is complete."""
    if die in state.pending.faces and not _is_complete(state, die):
        faces = {each: face for each, face in state.pending.faces.items() if each != die}
        state.pending = replace(state.pending, faces=MappingProxyType(faces))


def _is_complete(state: GameState, die: int) -> bool:
    return all(each in state.pending.faces for each in state.set_of(die))


def hold_incomplete(state: GameState) -> None:
    """Make the dice pending that already count for a throw whose turn is taken back."""
    if isinstance(state.stage, Throwing):
        known = {die: throws.state_of(state.dice, die) for die in state.throwing()}
        lying = {die: one.face for die, one in known.items() if one.lies and one.face is not None}
        state.pending = PendingThrow(MappingProxyType(lying), state.t, state.contacts)


def reject(state: GameState, code: ThrowRefusal, report: Report) -> None:
    """Refuse the pending throw, if there is one."""
    _reject(state, code, set(state.pending.faces), report)


def reject_early(state: GameState, report: Report) -> None:
    """Refuse the pending throw, if there is one, and those of its dice that still roll."""
    sets = {die for each in state.pending.faces for die in state.set_of(each)}
    rolling = {die for die in sets if throws.state_of(state.dice, die).state == "rolling"}
    _reject(state, "unplayed-throw", rolling | set(state.pending.faces), report)


def _reject(state: GameState, code: ThrowRefusal, dice: set[int], report: Report) -> None:
    if dice:
        report(RollRefused(state.t, state.side or Side.LIGHT, code, tuple(sorted(dice))))
        state.dice = throws.refuse(state.dice, dice)
        state.pending = NO_PENDING_THROW


def was_early(state: GameState, moving: Moving, made: Candidate) -> bool:
    """Return whether the pending throw came before a move that a player entered.

    A change of the move that came after the throw proves it. If no switch showed a part of the move
    before the throw either, the player who moved may have thrown the dice again, unless these are
    the other side's own.
    """
    if not state.pending.faces:
        return False
    evidence = state.evidence()
    contacts = settled(state.pending.contacts, state.pending.t, state.settings.timing)
    seen_then = replace(evidence, contacts=contacts)
    then, now = shown_changes(seen_then, made), shown_changes(evidence, made)
    if now & ~then:
        return True
    traced = then or blinked(seen_then) & made.touches
    return not traced and any(die in state.pending.faces for die in state.dice_of(moving.side))


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
