"""Warnings: a picture that is no legal one, and no hand is at work any more."""

from dataclasses import replace

from urpi.referee.asking import MOST_CHOICES, ask_move, drop_question, one_off
from urpi.referee.contacts import forget
from urpi.referee.decisions import Warned
from urpi.referee.explain import Explanation, acts_after, explain
from urpi.referee.flow import Tell
from urpi.referee.inference import Evidence
from urpi.referee.snapshot import Phase
from urpi.referee.state import State
from urpi.rules import Side

FEW = 2
"""So many pieces one player's hands may hold; more that are gone were swept off."""


def warn(state: State, evidence: Evidence, tell: Tell) -> None:
    """No legal picture: a hand at work at first, then something to say."""
    timing = state.settings.timing
    state.seems = None
    if state.still_ms < timing.warning_ms:
        state.look_when_still_for(timing.warning_ms)
        return
    told, side = _explained(state, evidence)
    swept = evidence.missing.bit_count() > FEW
    in_hand = not (evidence.extra or swept or state.warning)
    gone = told.refusal.code == "piece-missing" or (
        told.refusal.code == "inexact-exit" and not evidence.chute
    )
    if in_hand and gone and state.still_ms < timing.lifted_ms:
        state.look_when_still_for(timing.lifted_ms)
        return
    details = {**told.refusal.details, "side": side.value}
    text = state.settings.say(told.refusal.code, details)
    warning = Warned(state.t, side, told.refusal.code, told.squares, text, told.fill, told.clear)
    if not _same(state.warning, warning):
        # What was asked of this very picture stays open: the answer settles the warning too.
        if state.question is not None and state.question.t < state.contacts.last_edge:
            drop_question(state)
        state.warning, state.warned_at = warning, state.t
        tell(warning)
    if swept:
        # What is put back from now on comes from beside the board: it is no landing of a move.
        state.contacts = forget(state.contacts)
    _doubt(state, evidence, tell)


def _explained(state: State, evidence: Evidence) -> tuple[Explanation, Side]:
    """What is wrong and whose turn it is: this one's or, when a move seems made, the next."""
    seemed = state.seemed
    if seemed is not None:
        after = replace(evidence, before=seemed.occupancy, chute=False)
        if acts_after(evidence, state.now, after, seemed):
            told = explain(after, seemed.position, None, ())
            return told, seemed.position.turn or state.side or Side.LIGHT
    told = explain(evidence, state.now, state.throw, state.candidates)
    return told, state.side or Side.LIGHT


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
