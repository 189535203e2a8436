"""Pending throws: dice thrown before the referee knows whether the throw counts.

They settle while the board is set up, while a player is asked which move was made, or while the
move that the board shows may still go on. The throw is then counted
(`urpi.referee.flow.count_pending`), or refused by a code of its own.
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


def add(state: GameState, die: int, face: str, *, waits: bool = False) -> bool:
    """Add a settled die to the pending throw; `waits`: for the move to be final.

    Returns:
        False if the pending throw of that die's set is complete, so that this is a second throw.
    """
    if _is_complete(state, die):
        return False
    faces = MappingProxyType({**state.pending.faces, die: face})
    state.pending = PendingThrow(faces, state.t, state.contacts, waits)
    return True


def remove_rolling(state: GameState, die: int, report: Report) -> None:
    """Remove a die that rolls again from the pending throw, unless that throw is complete.

    A complete one that `waits` is refused: nothing has shown that it counts, so it is made again.
    """
    if die not in state.pending.faces:
        return
    if not _is_complete(state, die):
        faces = {each: face for each, face in state.pending.faces.items() if each != die}
        state.pending = replace(state.pending, faces=MappingProxyType(faces))
    elif state.pending.waits:
        _report(state, "too-soon", set(state.pending.faces), report)
        state.pending = NO_PENDING_THROW


def _is_complete(state: GameState, die: int) -> bool:
    return all(each in state.pending.faces for each in state.set_of(die))


def hold_incomplete(state: GameState) -> None:
    """Make the dice pending that already count for a throw whose turn is taken back."""
    if isinstance(state.stage, Throwing):
        known = {die: throws.state_of(state.dice, die) for die in state.throwing()}
        lying = {die: one.face for die, one in known.items() if one.lies and one.face is not None}
        state.pending = PendingThrow(MappingProxyType(lying), state.t, state.contacts)


def reject(state: GameState, code: ThrowRefusal, report: Report) -> None:
    """Refuse the pending throw, if there is one, and those of its dice that still roll."""
    sets = {die for each in state.pending.faces for die in state.set_of(each)}
    rolling = {die for die in sets if throws.state_of(state.dice, die).state == "rolling"}
    _reject(state, code, rolling | set(state.pending.faces), report)


def reject_early(state: GameState, code: ThrowRefusal, since: int, report: Report) -> None:
    """Refuse the pending throw, if there is one, and all of its dice that moved after `since`."""
    sets = {die for each in state.pending.faces for die in state.set_of(each)}
    known = {die: throws.state_of(state.dice, die) for die in sets}
    thrown = {die for die, one in known.items() if one.state == "rolling" or one.t > since}
    _reject(state, code, thrown | set(state.pending.faces), report)


def _reject(state: GameState, code: ThrowRefusal, dice: set[int], report: Report) -> None:
    if dice:
        _report(state, code, dice, report)
        state.dice = throws.refuse(state.dice, dice)
        state.pending = NO_PENDING_THROW


def _report(state: GameState, code: ThrowRefusal, dice: set[int], report: Report) -> None:
    side = state.side or Side.LIGHT
    if code == "too-soon" and isinstance(state.stage, Moving):
        side = side.other
    # Dice of its own show which side threw, whatever the turn would suggest.
    if not dice & set(state.dice_of(side)):
        side = side.other
    report(RollRefused(state.t, side, code, tuple(sorted(dice))))


def why_early(
    state: GameState, moving: Moving, made: Candidate, *, entered: bool
) -> ThrowRefusal | None:
    """Return why the pending throw came before a move, None if it did not or if it counts anyway.

    Of a move that the switches showed after the throw, it did, unless the throw `waits` for a move
    that has not changed since. Of one that a player has `entered`,
    a change that came after the throw proves it; and without a trace of the move before the throw
    the player who moved may have thrown the dice again. Who threw is certain if a part of the move
    had been made, or if the dice are the other side's own: that throw is ``too-soon``.
    """
    if not state.pending.faces:
        return None
    evidence = state.evidence()
    contacts = settled(state.pending.contacts, state.pending.t, state.settings.timing)
    seen_then = replace(evidence, contacts=contacts)
    then, now = shown_changes(seen_then, made), shown_changes(evidence, made)
    has_begun = bool(then or blinked(seen_then) & made.touches)
    may_be_movers = not state.pending.faces.keys().isdisjoint(state.dice_of(moving.side))
    by_other = has_begun or not may_be_movers
    in_time = (entered or state.pending.waits) and not now & ~then
    late = state.t - state.pending.t > state.settings.timing.pending_ms
    if by_other and not late and (in_time or state.game.early_throws):
        return None
    return "too-soon" if by_other and not in_time else "before-move"


def reject_at_once(state: GameState, report: Report) -> None:
    """Refuse the pending throw if no answer to the open question could let it count."""
    moving = state.stage
    if not isinstance(moving, Moving) or not state.asks_for_move:
        return
    asked = [each for each in moving.candidates if each.text in state.choices]
    codes = [why_early(state, moving, each, entered=True) for each in asked]
    if codes and all(codes):
        code: ThrowRefusal = "too-soon" if set(codes) == {"too-soon"} else "before-move"
        reject_early(state, code, moving.thrown_at, report)


def reject_unless_asking(state: GameState, report: Report) -> None:
    """Refuse a pending throw if the question it waited for was dropped without an answer."""
    if isinstance(state.stage, Moving) and not (state.asks_for_move or state.pending.waits):
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
