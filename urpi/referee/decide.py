"""Decisions between the moves that the occupancy may show: which one was made, and from when on."""

from urpi.referee.contacts import forget
from urpi.referee.decisions import NO_MOVE, Report, Seems
from urpi.referee.facts import Confidence
from urpi.referee.flow import clear_warning, commit, leave_out_all
from urpi.referee.inference import Candidate, Evidence, may_follow, most_likely
from urpi.referee.questions import (
    MAX_CHOICES,
    ask_move,
    drop_question,
    may_be_broken,
    or_one_switch,
    or_whole,
)
from urpi.referee.stages import Moving, Seeming, Throwing
from urpi.referee.state import GameState
from urpi.rules import each_square, squares_of


def end_warning(state: GameState, report: Report) -> None:
    """Withdraw the warning; what was corrected for it is no evidence of a move."""
    if state.warning is not None:
        state.contacts = forget(state.contacts)
    clear_warning(state, report)


def as_seemed(moving: Moving, matches: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """Return the moves without those whose board another one reaches that was seen to begin.

    One piece that takes two steps ends on the same board as two that follow each other.
    """
    if moving.seemed is None or len(matches) < 2:
        return matches
    begun = set(moving.seemed.move.parts)
    went_on = [each for each in matches if begun <= set(each.move.parts)]
    # The turn after them may differ: two pieces may earn an extra throw that one does not.
    reached = [each.position.board for each in went_on]
    return tuple(each for each in matches if each in went_on or each.position.board not in reached)


def decide_landed(  # noqa: PLR0913 - all that the occupancy shows
    state: GameState,
    moving: Moving,
    evidence: Evidence,
    matches: tuple[Candidate, ...],
    report: Report,
    *,
    landed: tuple[Candidate, ...],
) -> None:
    """Decide between moves that the occupancy shows, of which some were all seen to land.

    A piece that may still be moved on is shown at once, and committed once that is unlikely.
    """
    if may_be_another(evidence, landed, matches):
        _ask_when_calm(state, moving, matches, report)
        return
    others = (each for each in moving.candidates if each not in matches)
    # A hand that only hovers may still put the piece down for another move.
    may_move_on = any(may_follow(evidence, each) for each in others)
    timing = state.settings.timing
    best = most_likely(evidence, landed)
    is_shown_first = may_move_on and len(best) == 1 and timing.final_ms > 0
    if may_move_on and not is_shown_first and state.still_ms < timing.hover_ms:
        state.look_when_still_for(max(timing.still_ms, timing.hover_ms))
    elif state.still_ms < timing.still_ms:
        state.look_when_still_for(timing.still_ms)
    elif len(best) > 1:
        clear_warning(state, report)
        ask_move(state, moving, best, report)
    elif best[0].unfinished or not (evidence.changed & ~state.contacts.read or state.pending.waits):
        # Another move may follow, or only a reading found the change: pieces that were moved while
        # the program was not running were perhaps not moved for a move.
        _seem(state, moving, best[0], timing.seems_ms, report)
    elif is_shown_first:
        wait_ms = max(timing.final_ms - state.still_ms, 0)
        _seem(state, moving, best[0], wait_ms, report, confidence="sensed")
    else:
        commit(state, moving, best[0], "sensed", report)


def decide_unchanged(
    state: GameState, moving: Moving, unseen: tuple[Candidate, ...], report: Report
) -> None:
    """Handle a board that shows the position; `unseen` are moves that no switch would show.

    They are asked for when nothing has happened for a long time, because after the last move of a
    game no dice may follow; sooner if no other move is legal.
    """
    end_warning(state, report)
    if moving.seeming is not None and moving.seeming.due is None:
        return
    moving.seeming = moving.seemed = None
    if not set(state.choices) - {NO_MOVE} <= {candidate.text for candidate in unseen}:
        if state.question is not None and state.question.question.t > state.contacts.last_edge:
            # Asked because dice were thrown again: switches may be broken that show no change.
            return
        drop_question(state)
    if not 0 < len(unseen) <= MAX_CHOICES:
        return
    timing = state.settings.timing
    factor = 1 if len(unseen) == len(moving.candidates) else timing.unseen_factor
    due = max(state.contacts.last_edge, moving.thrown_at) + factor * timing.seems_ms
    if state.t < due:
        state.look_at = due
    else:
        ask_move(state, moving, unseen, report)


def decide_lifted(
    state: GameState,
    moving: Moving,
    evidence: Evidence,
    matches: tuple[Candidate, ...],
    report: Report,
) -> None:
    """Decide between moves that the occupancy shows, though the piece may still be in the hand."""
    timing = state.settings.timing
    bears_off = all(candidate.bears_off for candidate in matches)
    wait_ms = timing.bear_off_ms if bears_off else timing.capture_ms
    if state.still_ms < wait_ms:
        state.look_when_still_for(wait_ms)
        return
    best = or_one_switch(moving, evidence, most_likely(evidence, matches))
    if len(best) > 1:
        clear_warning(state, report)
        ask_move(state, moving, best, report)
    elif state.is_corrected(evidence) and state.still_ms < timing.lifted_ms:
        # The piece was perhaps lifted only to be put back as the warning asks.
        state.look_when_still_for(timing.lifted_ms)
    elif len(moving.moves.all) > 1:
        _seem(state, moving, best[0], timing.seems_ms, report)
    else:
        _seem(state, moving, best[0], timing.win_ms if best[0].wins else 0, report)


def _seem(  # noqa: PLR0913 - a move, how it is known, and how long it waits
    state: GameState,
    moving: Moving,
    candidate: Candidate,
    wait_ms: int,
    report: Report,
    *,
    confidence: Confidence = "inferred",
) -> None:
    """Report the move that seems made, and commit it after `wait_ms`."""
    seeming = Seeming(candidate, state.t, state.t + wait_ms, confidence)
    due = report_seeming(state, moving, seeming, report)
    if due is None or state.t < due:
        state.look_at = due
    elif len(doubted := or_whole(moving, state.evidence(), (candidate,))) > 1:
        ask_move(state, moving, doubted, report)
    else:
        commit(state, moving, candidate, confidence, report)


def report_seeming(
    state: GameState, moving: Moving, seeming: Seeming, report: Report
) -> int | None:
    """Report the move that seems made, unless it was reported, and return when it is due."""
    if moving.seeming is None or moving.seeming.candidate is not seeming.candidate:
        clear_warning(state, report)
        # An open question is about an earlier occupancy, and the buttons now confirm this move.
        drop_question(state)
        moving.seeming = seeming
        moving.seemed = seeming.candidate
        report(Seems(state.t, moving.side, seeming.candidate.text))
    return moving.seeming.due


def may_be_another(
    evidence: Evidence, landed: tuple[Candidate, ...], matches: tuple[Candidate, ...]
) -> bool:
    """Return whether the occupancy also fits a move that no switch would have shown.

    No switch shows a move from pile to pile, and the squares that blinked may only have been
    adjusted. A piece that joins a pile leaves no trace there. Of two pieces that moved, one may
    have gone where the switches are left out.
    """
    if not evidence.changed:
        return len(matches) > 1
    if any(joins_pile(evidence, other) for other in matches if other not in landed):
        return True
    return any(
        (one.occupancy ^ other.occupancy) & evidence.mask for one in landed for other in matches
    )


def joins_pile(evidence: Evidence, candidate: Candidate) -> bool:
    """Return whether a piece is put on top of another one, which stays on its square."""
    standing = each_square(candidate.lands & evidence.before)
    return any(len(candidate.position.board[square]) > 1 for square in standing)


def _ask_when_calm(
    state: GameState, moving: Moving, candidates: tuple[Candidate, ...], report: Report
) -> None:
    """Ask once no hand is at work: the occupancy may be no move, or the end of another one."""
    clear_warning(state, report)
    wait_ms = state.settings.timing.bear_off_ms
    if state.still_ms < wait_ms:
        state.look_when_still_for(wait_ms)
    else:
        ask_move(state, moving, candidates, report)


def commit_answer(state: GameState, moving: Moving, candidate: Candidate, report: Report) -> None:
    """Commit the move that a player entered.

    Squares that contradict it have broken switches if the referee asked, and if `may_be_broken`
    allows it. Others must be corrected.
    """
    evidence = state.evidence()
    wrong = evidence.differs(candidate.occupancy)
    if state.pending.faces:
        # A square that changed after the pending throw belongs to the next move.
        since, thrown_at = state.contacts.since, state.pending.t
        wrong = squares_of(each for each in each_square(wrong) if since[each] <= thrown_at)
    if state.question is not None and may_be_broken(evidence, wrong):
        leave_out_all(state, wrong, report)
    commit(state, moving, candidate, "answered", report)
    if isinstance(state.stage, Throwing) and state.evidence().changed:
        state.entered = state.contacts.raw
        state.look_at = state.t + state.settings.timing.warning_ms
