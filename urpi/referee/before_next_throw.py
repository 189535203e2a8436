"""The move before the next dice: what a throw shows of a move that was not final yet."""

from dataclasses import replace

from urpi.referee.contacts import settled
from urpi.referee.decide import as_seemed, joins_pile, may_be_another, report_seeming
from urpi.referee.decisions import Report
from urpi.referee.flow import commit, doubt_the_poles
from urpi.referee.inference import (
    Candidate,
    Evidence,
    blinked,
    has_landed,
    matching,
    may_follow,
    most_likely,
)
from urpi.referee.questions import (
    MAX_CHOICES,
    ask_move,
    may_be_broken,
    or_one_off,
    or_one_switch,
    or_whole,
)
from urpi.referee.stages import Moving, Seeming
from urpi.referee.state import GameState
from urpi.rules import each_square


def resolve_before_next_throw(  # noqa: PLR0913 - all that the dice show
    state: GameState,
    moving: Moving,
    report: Report,
    *,
    again: bool,
    all_moved: bool,
    by_mover: bool,
    began: int | None,
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
        by_mover: Whether the side to move may have thrown. If no switch shows a trace of the only
            move that may have been made unseen, its throw cannot count whatever a question would
            be answered: instead of asking, that move is shown, and a second throw confirms it.
        began: When the dice began to roll, None if they did not report it.

    Returns:
        Whether a move was committed.
    """
    state.contacts = settled(state.contacts, state.t, state.settings.timing)
    if again:
        doubt_the_poles(state, report)
    evidence = state.evidence()
    matches = as_seemed(moving, matching(evidence, moving.candidates))
    landed = tuple(each for each in matches if has_landed(evidence, each))
    best = _possibly_made(moving, evidence, matches, landed, all_moved=all_moved)
    if not best and by_mover and (made := _leaves_no_trace(evidence, matches)) is not None:
        if not (again and all_moved):
            if all_moved:
                report_seeming(state, moving, Seeming(made, state.t, None, "answered"), report)
            return False
        best = (made,)
    if len(best) != 1 or (not landed and _may_be_in_hand(state, moving, evidence, began)):
        _ask_before_next_throw(state, moving, best or matches, report, again=again)
        return False
    if not landed:
        report_seeming(state, moving, Seeming(best[0], state.t, state.t), report)
    commit(state, moving, best[0], "sensed" if landed else "inferred", report)
    return True


def may_be_half(state: GameState, moving: Moving) -> bool:
    """Return whether the board shows a move that may be the first part of another one."""
    contacts = settled(state.contacts, state.t, state.settings.timing)
    evidence = replace(state.evidence(), contacts=contacts)
    matches = matching(evidence, moving.candidates)
    return any(each.unfinished and has_landed(evidence, each) for each in matches)


def may_move_on(state: GameState, moving: Moving) -> bool:
    """Return whether the board shows a landing from which the piece may be moved on."""
    contacts = settled(state.contacts, state.t, state.settings.timing)
    evidence = replace(state.evidence(), contacts=contacts)
    matches = matching(evidence, moving.candidates)
    if not any(has_landed(evidence, each) for each in matches):
        return False
    return any(may_follow(evidence, each) for each in moving.candidates if each not in matches)


def is_lifting(state: GameState, moving: Moving, began: int) -> bool:
    """Return whether a lift alone shows a move, and came after the dice `began` to roll.

    The piece may still be in the hand. One borne off has left the board when it is lifted.
    """
    contacts = settled(state.contacts, state.t, state.settings.timing)
    evidence = replace(state.evidence(), contacts=contacts)
    if not any(contacts.since[each] >= began for each in each_square(evidence.missing)):
        return False
    matches = matching(evidence, moving.candidates)
    left = any(each.bears_off or has_landed(evidence, each) for each in matches)
    return bool(matches) and not left


def _may_be_in_hand(
    state: GameState, moving: Moving, evidence: Evidence, began: int | None
) -> bool:
    """Return whether a piece was lifted so lately that it may still land on several squares.

    It may also be squared up because another one has joined its pile. It counts how long it had
    been missing when the dice began to roll.
    """
    thrown_at = state.t if began is None else began
    if thrown_at - state.contacts.last_edge >= state.settings.timing.final_ms:
        return False
    joined = any(each.lands & evidence.missing for each in moving.candidates)
    return joined or sum(bool(each.lifts & evidence.missing) for each in moving.candidates) > 1


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
        if may_be_another(evidence, landed, matches):
            return matches
        return or_whole(moving, evidence, most_likely(evidence, landed))
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


def _leaves_no_trace(evidence: Evidence, matches: tuple[Candidate, ...]) -> Candidate | None:
    """Return the only move that keeps the occupied squares, if it may have been made unseen."""
    if evidence.changed or len(matches) != 1 or not _may_be_unseen(evidence, matches[0]):
        return None
    return None if blinked(evidence) & matches[0].touches else matches[0]


def _may_be_unseen(evidence: Evidence, candidate: Candidate) -> bool:
    """Return whether a move that keeps the occupied squares may have been made.

    One that joins a pile leaves no trace. For a capture a hand takes a piece off, so that its
    switch opens, unless it is left out.
    """
    seen = blinked(evidence) | evidence.mask
    return joins_pile(evidence, candidate) or bool(seen & candidate.touches)


def _is_asked(state: GameState, candidates: tuple[Candidate, ...]) -> bool:
    """Return whether all of these can be answered already; True if there are none."""
    return {each.text for each in candidates} <= set(state.choices)
