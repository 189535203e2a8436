"""Looking at the board: what an occupancy that has stood still means in each phase."""

from dataclasses import replace

from urpi.referee.contacts import forget, settled
from urpi.referee.decisions import Report, Seems
from urpi.referee.facts import Confidence
from urpi.referee.flow import clear_warning, commit, leave_out_all
from urpi.referee.inference import (
    Candidate,
    Evidence,
    blinked,
    has_landed,
    matching,
    may_follow,
    most_likely,
)
from urpi.referee.pending import reject_at_once
from urpi.referee.questions import (
    MAX_CHOICES,
    ask_move,
    drop_question,
    may_be_broken,
    or_one_off,
    or_one_switch,
)
from urpi.referee.set_up import look_at_set_up
from urpi.referee.stages import Ended, Moving, Seeming, SettingUp, Throwing
from urpi.referee.state import GameState
from urpi.referee.takebacks import look_for_takeback
from urpi.referee.warn import warn
from urpi.rules import HAND, OFF, SQUARE_NAMES, each_square, squares_of


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
        _look_for_move(state, stage, evidence, report)
        reject_at_once(state, report)
    else:
        _look_after_move(state, evidence, report)


def _trust_again(state: GameState) -> None:
    """Stop leaving out a switch that has changed since, and now shows what it should."""
    if not state.mask:
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
    if not wrong:
        _end_warning(state, report)
        drop_question(state)
    elif not state.is_as_entered:
        state.entered = None
        if not look_for_takeback(state, evidence, report):
            warn(state, evidence, report)
    elif wrong.bit_count() > 1:
        # The move that was entered still has to be made on the board. A single wrong square may
        # be a broken switch, which the next throw confirms.
        warn(state, evidence, report)


def _end_warning(state: GameState, report: Report) -> None:
    """Withdraw the warning; what was corrected for it is no evidence of a move."""
    if state.warning is not None:
        state.contacts = forget(state.contacts)
    clear_warning(state, report)


def _look_for_move(state: GameState, moving: Moving, evidence: Evidence, report: Report) -> None:
    """Judge the occupancy while a side is to move; not before the engine has chosen its move."""
    if moving.moves.awaits_plan:
        return
    matches = matching(evidence, moving.candidates)
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
    if landed and _may_be_another(evidence, landed, matches):
        _ask_when_calm(state, moving, matches, report)
    elif landed:
        may_move_on = _may_move_on(moving, evidence, matches)
        _decide_landed(state, moving, evidence, landed, report, may_move_on=may_move_on)
    elif not evidence.changed:
        _decide_unchanged(state, moving, matches, report)
    elif matches:
        _decide_lifted(state, moving, evidence, matches, report)
    elif not (moving.taken_back and look_for_takeback(state, evidence, report)):
        warn(state, evidence, report)


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


def _may_move_on(moving: Moving, evidence: Evidence, matches: tuple[Candidate, ...]) -> bool:
    """Return whether a hand that only hovers may still put the piece down for another move."""
    others = (each for each in moving.candidates if each not in matches)
    return any(may_follow(evidence, each) for each in others)


def _may_be_another(
    evidence: Evidence, landed: tuple[Candidate, ...], matches: tuple[Candidate, ...]
) -> bool:
    """Return whether the occupancy also fits a move that no switch would have shown.

    No switch shows a move from pile to pile, and the squares that blinked may only have been
    adjusted. A piece that joins a pile leaves no trace there. Of two pieces that moved, one may
    have gone where the switches are left out.
    """
    if not evidence.changed:
        return len(matches) > 1
    if any(_joins_pile(evidence, other) for other in matches if other not in landed):
        return True
    return any(
        (one.occupancy ^ other.occupancy) & evidence.mask for one in landed for other in matches
    )


def _joins_pile(evidence: Evidence, candidate: Candidate) -> bool:
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


def _decide_landed(  # noqa: PLR0913 - all that the picture shows
    state: GameState,
    moving: Moving,
    evidence: Evidence,
    landed: tuple[Candidate, ...],
    report: Report,
    *,
    may_move_on: bool,
) -> None:
    """Decide between moves whose pieces were all seen to land.

    A piece that may still be moved on is shown at once, and committed once that is unlikely.
    """
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
    elif best[0].unfinished or not evidence.changed & ~state.contacts.read:
        # Another move may follow, or only a reading found the change: pieces that were moved while
        # the program was not running were perhaps not moved for a move.
        _seem(state, moving, best[0], timing.seems_ms, report)
    elif is_shown_first:
        wait_ms = max(timing.final_ms - state.still_ms, 0)
        _seem(state, moving, best[0], wait_ms, report, confidence="sensed")
    else:
        commit(state, moving, best[0], "sensed", report)


def _decide_unchanged(
    state: GameState, moving: Moving, unseen: tuple[Candidate, ...], report: Report
) -> None:
    """Handle a board that shows the position; `unseen` are moves that no switch would show.

    They are asked for when nothing has happened for a long time, because after the last move of a
    game no dice may follow; sooner if no other move is legal.
    """
    _end_warning(state, report)
    moving.seeming = moving.seemed = None
    if not set(state.choices) <= {candidate.text for candidate in unseen}:
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


def _decide_lifted(
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
    due = _report_seeming(state, moving, seeming, report)
    if state.t >= due:
        commit(state, moving, candidate, confidence, report)
    else:
        state.look_at = due


def _report_seeming(state: GameState, moving: Moving, seeming: Seeming, report: Report) -> int:
    """Report the move that seems made, unless it was reported, and return when it is due."""
    if moving.seeming is None or moving.seeming.candidate is not seeming.candidate:
        clear_warning(state, report)
        # An open question is about an earlier occupancy, and the buttons now confirm this move.
        drop_question(state)
        moving.seeming = seeming
        moving.seemed = seeming.candidate
        report(Seems(state.t, moving.side, seeming.candidate.text))
    return moving.seeming.due


def resolve_before_next_throw(
    state: GameState, moving: Moving, report: Report, *, again: bool, all_moved: bool
) -> bool:
    """Commit the move that the occupancy shows, because the next dice were thrown; else ask.

    Args:
        state: The step's own.
        moving: Its stage.
        report: Receives the decisions.
        again: Whether a throw was already refused because no move was seen. The move may then
            have been made where a switch is dead, and after a question was ignored, where two
            are: in the end, every legal move is asked for that `may_be_broken` does not exclude.
        all_moved: Whether the whole set was thrown. Only then is a move assumed that no switch
            would have shown.

    Returns:
        Whether a move was committed.
    """
    state.contacts = settled(state.contacts, state.t, state.settings.timing)
    evidence = state.evidence()
    matches = matching(evidence, moving.candidates)
    landed = tuple(each for each in matches if has_landed(evidence, each))
    best = _possibly_made(moving, evidence, matches, landed, all_moved=all_moved)
    if len(best) != 1 or (not landed and _may_be_in_hand(state, moving, evidence)):
        _ask_before_next_throw(state, moving, best or matches, report, again=again)
        return False
    if not landed:
        _report_seeming(state, moving, Seeming(best[0], state.t, state.t), report)
    commit(state, moving, best[0], "sensed" if landed else "inferred", report)
    return True


def may_be_half(state: GameState, moving: Moving) -> bool:
    """Return whether the board shows a move that may be the first part of another one."""
    contacts = settled(state.contacts, state.t, state.settings.timing)
    evidence = replace(state.evidence(), contacts=contacts)
    matches = matching(evidence, moving.candidates)
    return any(each.unfinished and has_landed(evidence, each) for each in matches)


def _may_be_in_hand(state: GameState, moving: Moving, evidence: Evidence) -> bool:
    """Return whether a piece was lifted so lately that it may still land on several squares."""
    if state.still_ms >= state.settings.timing.final_ms:
        return False
    return sum(bool(each.lifts & evidence.missing) for each in moving.candidates) > 1


def _possibly_made(
    moving: Moving,
    evidence: Evidence,
    matches: tuple[Candidate, ...],
    landed: tuple[Candidate, ...],
    *,
    all_moved: bool,
) -> tuple[Candidate, ...]:
    """Return the moves that may have been made, given that the next dice were thrown."""
    if landed:
        return (
            matches if _may_be_another(evidence, landed, matches) else most_likely(evidence, landed)
        )
    if evidence.changed:
        return or_one_switch(moving, evidence, most_likely(evidence, matches)) if matches else ()
    hides_it = len(matches) == 1 and (matches[0].occupancy ^ evidence.before) & evidence.mask
    return matches if hides_it and all_moved else ()


def _ask_before_next_throw(
    state: GameState,
    moving: Moving,
    near: tuple[Candidate, ...],
    report: Report,
    *,
    again: bool,
) -> None:
    """Ask which move was made, with more moves to choose from the second time.

    The first time a move is not asked for that the switches would have shown: it is still to be
    made, so that the throw is refused.
    """
    evidence = state.evidence()
    if again or (evidence.changed and not near):
        near = or_one_off(moving, evidence, near)
    elif not evidence.changed:
        near = tuple(each for each in near if _may_be_unseen(evidence, each))
    if again and _is_asked(state, near):
        near = tuple(
            each
            for each in moving.candidates
            if may_be_broken(evidence, evidence.differs(each.occupancy))
        )
    if (again or len(near) <= MAX_CHOICES) and not _is_asked(state, near):
        ask_move(state, moving, near, report)


def _may_be_unseen(evidence: Evidence, candidate: Candidate) -> bool:
    """Return whether a move that keeps the occupied squares may have been made.

    One that joins a pile leaves no trace. For a capture a hand takes a piece off, so that its
    switch opens, unless it is left out.
    """
    seen = blinked(evidence) | evidence.mask
    return _joins_pile(evidence, candidate) or bool(seen & candidate.touches)


def _is_asked(state: GameState, candidates: tuple[Candidate, ...]) -> bool:
    """Return whether all of these can be answered already; True if there are none."""
    return {each.text for each in candidates} <= set(state.choices)


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
