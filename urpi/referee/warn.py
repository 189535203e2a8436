"""Warnings: a picture that is no legal one, and no hand is at work any more."""

from dataclasses import replace

from urpi.referee.asking import MOST_CHOICES, ask_move, drop_question, one_off
from urpi.referee.contacts import forget
from urpi.referee.decisions import Warned
from urpi.referee.explain import (
    FEW,
    Comparison,
    explain,
    is_in_hand,
    mover_acts,
    other_side_acts,
    stood_before,
)
from urpi.referee.flow import Tell
from urpi.referee.inference import Candidate, Evidence
from urpi.referee.snapshot import Phase
from urpi.referee.state import State
from urpi.rules import Side


def warn(state: State, evidence: Evidence, tell: Tell) -> None:
    """Report a picture that is not legal, unless a hand may still be at work."""
    timing = state.settings.timing
    state.seems = None
    if state.still_ms < timing.warning_ms:
        state.look_when_still_for(timing.warning_ms)
        return
    compared = _compared(state, evidence)
    in_hand = is_in_hand(evidence) or is_in_hand(compared.evidence)
    if in_hand and not state.warning and state.still_ms < timing.lifted_ms:
        state.look_when_still_for(timing.lifted_ms)
        return
    warning = _warning(state, compared)
    if not _same(state.warning, warning):
        # What was asked of this very picture stays open: the answer settles the warning too.
        if state.question is not None and state.question.t < state.contacts.last_edge:
            drop_question(state)
        state.warning, state.warned_at = warning, state.t
        tell(warning)
    if evidence.missing.bit_count() > FEW:
        # What is put back from now on comes from beside the board: it is no landing of a move.
        state.contacts = forget(state.contacts)
    _doubt(state, evidence, tell)


def _compared(state: State, evidence: Evidence) -> Comparison:
    """The position of the turn or, when a move seems made and play went on, the one after it."""
    made = state.seemed or _only_lifted(evidence, state.candidates)
    if made is None:
        made = stood_before(evidence, state.candidates, state.settings.timing.still_ms)
    if made is not None:
        after = replace(evidence, before=made.occupancy, chute=False)
        seems = made is state.seemed
        if other_side_acts(state.now, after, made) or (
            seems and mover_acts(evidence, state.now, after, made)
        ):
            return Comparison(after, made.position, None, ())
        if seems and made.unfinished and after.missing and not after.missing & made.lands:
            return Comparison(after, state.now, state.throw, state.candidates, made)
    return Comparison(evidence, state.now, state.throw, state.candidates)


def _only_lifted(evidence: Evidence, candidates: tuple[Candidate, ...]) -> Candidate | None:
    """The only move whose pieces have left their squares and that a lift alone shows."""
    found = [
        each
        for each in candidates
        if (left := evidence.before & ~each.occupancy)
        and not left & ~evidence.missing
        and not each.occupancy & ~evidence.before
    ]
    return found[0] if len(found) == 1 else None


def _warning(state: State, compared: Comparison) -> Warned:
    told = explain(compared, state.settings.timing.still_ms)
    side = compared.position.turn or state.side or Side.LIGHT
    text = state.settings.say(told.refusal.code, {**told.refusal.details, "side": side.value})
    return Warned(state.t, side, told.refusal.code, told.squares, text, told.fill, told.clear)


def _same(one: Warned | None, other: Warned) -> bool:
    return one is not None and (one.code, one.squares, one.fill, one.clear) == (
        other.code,
        other.squares,
        other.fill,
        other.clear,
    )


def _doubt(state: State, evidence: Evidence, tell: Tell) -> None:
    """Nobody mends the board for long: perhaps it is right, and one switch is not."""
    due = state.warned_at + state.settings.timing.stuck_ms
    if state.phase is not Phase.MOVE or state.question is not None:
        return
    if state.t < due:
        state.look_at = due
        return
    near = one_off(evidence, state.candidates)
    if near and len(near) <= MOST_CHOICES:
        ask_move(state, near, tell)
