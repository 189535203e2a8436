"""Looking at the board: what an occupancy that has stood still means in each phase."""

from dataclasses import replace

from urpi.referee.contacts import forget, settled
from urpi.referee.decide import (
    as_seemed,
    decide_landed,
    decide_lifted,
    decide_unchanged,
    end_warning,
)
from urpi.referee.decisions import Report
from urpi.referee.inference import Candidate, Evidence, has_landed, matching
from urpi.referee.pending import reject_at_once
from urpi.referee.questions import drop_question
from urpi.referee.set_up import look_at_set_up
from urpi.referee.stages import Ended, Moving, SettingUp
from urpi.referee.state import GameState
from urpi.referee.takebacks import look_for_rest, look_for_takeback
from urpi.referee.waiting_throws import end_waiting
from urpi.referee.warn import is_being_set_up, warn, warn_of_pieces
from urpi.rules import HAND, OFF, SQUARE_NAMES, each_square


def look(state: GameState, report: Report) -> None:
    """Judge the occupancy, and set `state.look_at` if it must be judged again later."""
    state.look_at = None
    state.contacts = settled(state.contacts, state.t, state.settings.timing)
    stage = state.stage
    if isinstance(stage, SettingUp):
        look_at_set_up(state, stage, report)
        return
    if isinstance(stage, Ended):
        return
    _trust_again(state)
    _forget_corrected(state)
    evidence = state.evidence()
    if isinstance(stage, Moving):
        if end_waiting(state, stage, evidence, report):
            return
        _look_for_move(state, stage, evidence, report)
        reject_at_once(state, report)
    else:
        _look_after_move(state, evidence, report)


def _trust_again(state: GameState) -> None:
    """Stop leaving out a switch that has changed since, and now shows what it should."""
    # Not in an exploration: the way back must not ask for a square that the game leaves out.
    if not state.mask or state.game.explore is not None:
        return
    # A bit is set where the switch shows what the position requires.
    correct = ~(state.contacts.raw ^ state.position.occupancy)
    faults = {fault.device: fault for fault in state.faults}
    for square in each_square(state.mask & correct):
        fault = faults[SQUARE_NAMES[square]]
        since = state.contacts.since[square]
        # A switch that flickers shows the right level half of the time.
        calm = fault.code != "flicker" or state.t - since > state.settings.timing.calm_ms
        if since > fault.t and calm:
            state.mask &= ~(1 << square)
            state.faults = tuple(each for each in state.faults if each is not fault)


def _forget_corrected(state: GameState) -> None:
    """Forget how the squares changed that were corrected as the warning asks.

    They would otherwise look like landings of a move.
    """
    if state.warning is not None:
        fix, occupancy = state.warning.fix, state.contacts.raw
        state.contacts = forget(state.contacts, fix.fill & occupancy | fix.clear & ~occupancy)


def _look_after_move(state: GameState, evidence: Evidence, report: Report) -> None:
    """Judge the occupancy while a side is to throw: correct, a take-back, or wrong."""
    wrong = evidence.changed
    if evidence.misplaced and not wrong:
        if not (_is_undone(state) and look_for_takeback(state, evidence, report)):
            warn_of_pieces(state, evidence.misplaced, report)
    elif not wrong:
        end_warning(state, report)
        drop_question(state)
    elif not state.is_as_entered:
        state.entered = None
        if not (look_for_takeback(state, evidence, report) or look_for_rest(state, report)):
            warn(state, evidence, report)
    elif wrong.bit_count() > 1:
        # The move that was entered still has to be made on the board. A single wrong square may
        # be a broken switch, which the next throw confirms.
        warn(state, evidence, report)


def _is_undone(state: GameState) -> bool:
    """Return whether the poles are those before the last move, which kept the occupied squares."""
    return (
        bool(state.played)
        and not replace(
            state.evidence_since(state.played[-1]), known=state.played[-1].position
        ).misplaced
    )


def _look_for_move(state: GameState, moving: Moving, evidence: Evidence, report: Report) -> None:
    """Judge the occupancy while a side is to move; not before the engine has chosen its move."""
    if moving.moves.awaits_plan:
        return
    matches = _matches(state, moving, evidence)
    # The pieces still stand as after the move taken back: that is no second move.
    if _awaits_return(state, evidence) and matches:
        return
    landed = tuple(
        each
        for each in matches
        if has_landed(evidence, each) and not _lifted_since(moving, evidence, each)
    )
    if moving.seeming is not None and moving.seeming.candidate not in matches:
        moving.seeming = None
    if landed:
        decide_landed(state, moving, evidence, matches, report, landed=landed)
    elif not evidence.changed:
        _decide_unchanged(state, moving, evidence, matches, report)
    elif matches:
        decide_lifted(state, moving, evidence, matches, report)
    elif look_for_rest(state, report):
        return
    elif not (moving.taken_back and look_for_takeback(state, evidence, report)):
        warn(state, evidence, report)


def _matches(state: GameState, moving: Moving, evidence: Evidence) -> tuple[Candidate, ...]:
    """Return the moves that the occupancy may be."""
    matches = as_seemed(moving, matching(evidence, moving.candidates))
    warning = state.warning
    if warning is None or warning.code != "wrong-piece" or not is_being_set_up(warning, evidence):
        return matches
    # A piece that is put back where it belongs is no move of another one to its square.
    return tuple(each for each in matches if not evidence.excludes(each))


def _decide_unchanged(
    state: GameState,
    moving: Moving,
    evidence: Evidence,
    unseen: tuple[Candidate, ...],
    report: Report,
) -> None:
    if evidence.misplaced and not unseen:
        warn_of_pieces(state, evidence.misplaced, report)
    else:
        decide_unchanged(state, moving, unseen, report)


def _awaits_return(state: GameState, evidence: Evidence) -> bool:
    """Return whether the move of an entered take-back still has to be undone on the board."""
    if not state.is_as_entered:
        state.entered = None
    return state.entered is not None and bool(evidence.changed)


def _lifted_since(moving: Moving, evidence: Evidence, candidate: Candidate) -> bool:
    """Return whether a piece of the candidate was lifted after another one landed in its place.

    The move that seemed made then is not final yet, and this piece is only being adjusted.
    """
    seemed, since = moving.seemed, evidence.contacts.since
    if seemed is None or seemed is candidate:
        return False
    lifted = evidence.missing & ~seemed.touches & ~evidence.contacts.read
    return any(
        part.origin != HAND
        and lifted >> part.origin & 1
        and (seemed.lands & evidence.extra) >> part.target & 1
        and since[part.origin] > since[part.target]
        for part in candidate.move.parts
        if part.target != OFF
    )
