"""Looking at the board: what a picture that has stood still means in each phase."""

from urpi.referee.asking import MOST_CHOICES, ask_move, drop_question, or_one_off, or_one_switch
from urpi.referee.contacts import forget, settled
from urpi.referee.decisions import Seems
from urpi.referee.explain import differs
from urpi.referee.flow import Tell, clear_warning, commit, leave_out_all
from urpi.referee.inference import (
    Candidate,
    Evidence,
    has_landed,
    matching,
    may_follow,
    most_likely,
)
from urpi.referee.set_up import look_at_set_up
from urpi.referee.snapshot import MOST_BROKEN, Phase
from urpi.referee.state import State
from urpi.referee.takebacks import look_for_takeback
from urpi.referee.warn import warn
from urpi.rules import SQUARE_NAMES, each_square, squares_of

UNSEEN_PATIENCE = 5
"""A player who could also make a move that is seen may think so many times longer."""
QUIET_MS = 10_000
"""A switch that flickered is trusted again after so long without an edge."""


def look(state: State, tell: Tell) -> None:
    """Judge the picture, and say in `state.look_at` when to look again if it is not clear yet."""
    state.look_at = None
    state.contacts = settled(state.contacts, state.t, state.settings.timing.contact_stable_ms)
    if state.phase is Phase.SET_UP:
        look_at_set_up(state, tell)
        return
    if state.phase in {Phase.NO_GAME, Phase.OVER}:
        return
    _trust_again(state)
    _forget_mended(state)
    evidence = state.evidence()
    if state.phase is Phase.MOVE:
        _look_for_move(state, evidence, tell)
    else:
        _look_after_move(state, evidence, tell)


def _trust_again(state: State) -> None:
    """Take a switch back that has changed since it was left out and says what must be there."""
    if not state.mask:
        return
    right = ~(state.contacts.picture() ^ state.now.occupancy)
    faults = {fault.device: fault for fault in state.faults}
    for square in each_square(state.mask & right):
        fault = faults[SQUARE_NAMES[square]]
        quiet = fault.code != "flicker" or state.t - state.contacts.since[square] > QUIET_MS
        if state.contacts.since[square] > fault.t and quiet:
            state.mask &= ~(1 << square)
            state.faults = tuple(each for each in state.faults if each is not fault)


def _forget_mended(state: State) -> None:
    """What was mended as a warning asks is no sign of a move."""
    if state.warning is not None:
        fill, clear, picture = state.warning.fill, state.warning.clear, state.contacts.picture()
        state.contacts = forget(state.contacts, fill & picture | clear & ~picture)


def _look_after_move(state: State, evidence: Evidence, tell: Tell) -> None:
    """The next side is to throw: the board shows the last move, or it is taken back, or wrong."""
    wrong = evidence.missing | evidence.extra
    if not wrong:
        _right(state, tell)
    elif not state.is_as_entered:
        state.entered = None
        if not look_for_takeback(state, evidence, tell):
            warn(state, evidence, tell)
    elif wrong.bit_count() > 1:
        # A move that was entered is still to be made; one square may be a broken switch.
        warn(state, evidence, tell)


def _right(state: State, tell: Tell, unseen: tuple[Candidate, ...] = ()) -> None:
    """The board is as the position says; `unseen` are moves that would leave it so."""
    if state.warning is not None:
        # What was mended is no sign of a move.
        state.contacts = forget(state.contacts)
    clear_warning(state, tell)
    state.seems = state.seemed = None
    if not set(state.choices) <= {candidate.move.text for candidate in unseen}:
        drop_question(state)


def _look_for_move(state: State, evidence: Evidence, tell: Tell) -> None:
    matches = matching(evidence, state.candidates)
    if _is_still_undone(state, evidence) and matches:
        return
    landed = tuple(each for each in matches if has_landed(evidence, each))
    if state.seems not in matches:
        state.seems = None
    if landed and _may_be_another(state, evidence, landed, matches):
        _ask_later(state, matches, tell)
    elif landed and state.still_ms < _landed_ms(state, evidence, matches):
        state.look_when_still_for(_landed_ms(state, evidence, matches))
    elif landed:
        _decide_landed(state, evidence, landed, tell)
    elif not evidence.missing | evidence.extra:
        _right(state, tell, matches)
        _ask_for_unseen(state, matches, tell)
    elif matches:
        _decide_lifted(state, evidence, matches, tell)
    elif not (state.returned and look_for_takeback(state, evidence, tell)):
        warn(state, evidence, tell)


def _landed_ms(state: State, evidence: Evidence, matches: tuple[Candidate, ...]) -> int:
    """How long a landed piece must stand still: longer where it may go on to another square."""
    timing = state.settings.timing
    others = (each for each in state.candidates if each not in matches)
    hovers = any(may_follow(evidence, each) for each in others)
    return max(timing.still_ms, timing.hover_ms) if hovers else timing.still_ms


def _is_still_undone(state: State, evidence: Evidence) -> bool:
    """Whether the board is as it was when its move was asked back, and is to be put right."""
    if not state.is_as_entered:
        state.entered = None
    return state.entered is not None and bool(evidence.missing | evidence.extra)


def _ask_for_unseen(state: State, unseen: tuple[Candidate, ...], tell: Tell) -> None:
    """Ask when long nothing has happened, and a legal move is one that no switch can see.

    Sooner when no other is legal; for the next dice may never come, after the last move.
    """
    if not 0 < len(unseen) <= MOST_CHOICES:
        return
    patience = 1 if len(unseen) == len(state.candidates) else UNSEEN_PATIENCE
    begun = max(state.contacts.last_edge, state.thrown_at)
    due = begun + patience * state.settings.timing.seems_ms
    if state.t < due:
        state.look_at = due
    else:
        ask_move(state, unseen, tell)


def _decide_landed(
    state: State, evidence: Evidence, landed: tuple[Candidate, ...], tell: Tell
) -> None:
    """Every piece was seen to come down."""
    best = most_likely(evidence, landed)
    changed = evidence.missing | evidence.extra
    if len(best) > 1:
        clear_warning(state, tell)
        ask_move(state, best, tell)
    elif best[0].unfinished or not changed or not changed & ~state.contacts.read:
        # The last: pieces were moved while nobody looked, and nobody may have meant a move.
        _seem(state, best[0], state.settings.timing.seems_ms, tell)
    else:
        commit(state, best[0], "sensed", tell)


def _may_be_another(
    state: State,
    evidence: Evidence,
    landed: tuple[Candidate, ...],
    matches: tuple[Candidate, ...],
) -> bool:
    """Whether another move fits that nothing would have shown.

    No switch sees a piece go from pile to pile, and what blinked may have been adjusted. A piece
    that joins a pile leaves no trace there. And of two pieces that moved, one may have gone where
    the switches are left out.
    """
    if not evidence.missing | evidence.extra:
        return len(matches) > 1
    if any(_joins_pile(evidence, other) for other in matches if other not in landed):
        return True
    return any(
        (one.occupancy ^ other.occupancy) & state.mask for one in landed for other in matches
    )


def _joins_pile(evidence: Evidence, candidate: Candidate) -> bool:
    """Whether a piece goes on top of another one, which stays on its square."""
    standing = each_square(candidate.lands & evidence.before)
    return any(len(candidate.position.board[square]) > 1 for square in standing)


def _ask_later(state: State, candidates: tuple[Candidate, ...], tell: Tell) -> None:
    """Ask when the hand is gone: what was seen may be no move, or another one's end."""
    clear_warning(state, tell)
    wait_ms = state.settings.timing.bear_off_ms
    if state.still_ms < wait_ms:
        state.look_when_still_for(wait_ms)
    else:
        ask_move(state, candidates, tell)


def _decide_lifted(
    state: State, evidence: Evidence, matches: tuple[Candidate, ...], tell: Tell
) -> None:
    """The picture is right, but the piece may still be in the hand."""
    timing = state.settings.timing
    bears_off = all(candidate.bears_off for candidate in matches)
    wait_ms = timing.bear_off_ms if bears_off else timing.capture_ms
    if state.still_ms < wait_ms:
        state.look_when_still_for(wait_ms)
        return
    best = or_one_switch(state, evidence, most_likely(evidence, matches))
    if len(best) > 1:
        clear_warning(state, tell)
        ask_move(state, best, tell)
        return
    if state.is_mended(evidence) and state.still_ms < timing.lifted_ms:
        state.look_when_still_for(timing.lifted_ms)
        return
    if len(state.candidates) > 1:
        _seem(state, best[0], timing.seems_ms, tell)
    else:
        _seem(state, best[0], timing.win_ms if best[0].wins else 0, tell)


def _seem(state: State, candidate: Candidate, wait_ms: int, tell: Tell) -> None:
    """Report the move that the picture seems to be; commit it after the wait."""
    side = state.now.turn
    assert side is not None
    if state.seems is not candidate:
        clear_warning(state, tell)
        # What was asked was asked of another picture, and the buttons answer what seems.
        drop_question(state)
        state.seems = state.seemed = candidate
        state.seems_until = state.t + wait_ms
        tell(Seems(state.t, side, candidate.move.text))
    if state.t >= state.seems_until:
        commit(state, candidate, "inferred", tell)
    else:
        state.look_at = state.seems_until


def hurry(state: State, tell: Tell, *, again: bool, all_moved: bool) -> bool:
    """The next dice were thrown: take the picture for what it is. Whether a move was made.

    A move that nothing would have shown is taken as made only where they have `all_moved`.
    Who throws `again` after being told to move first may have moved where a switch is dead, and
    who throws over what was asked of him, where two are: in the end every legal move is asked.
    """
    state.contacts = settled(state.contacts, state.t, state.settings.timing.contact_stable_ms)
    evidence = state.evidence()
    matches = matching(evidence, state.candidates)
    landed = tuple(each for each in matches if has_landed(evidence, each))
    changed = bool(evidence.missing | evidence.extra)
    if landed and _may_be_another(state, evidence, landed, matches):
        best = matches
    else:
        best = most_likely(evidence, landed or matches) if landed or (matches and changed) else ()
    if best and not landed:
        best = or_one_switch(state, evidence, best)
    if not best and not changed and len(matches) == 1 and all_moved:
        best = tuple(each for each in matches if _is_hidden(state, each))
    if len(best) == 1:
        if not landed and state.seems is not best[0]:
            _seem(state, best[0], state.settings.timing.seems_ms, tell)
        commit(state, best[0], "sensed" if landed else "inferred", tell)
        return True
    near = best or matches
    if again or (changed and not near):
        near = or_one_off(state, evidence, near)
    if again and _is_asked(state, near):
        near = state.candidates
    if (again or len(near) <= MOST_CHOICES) and not _is_asked(state, near):
        ask_move(state, near, tell)
    return False


def _is_asked(state: State, candidates: tuple[Candidate, ...]) -> bool:
    """Whether all of these are among what is asked; none always are."""
    return {each.move.text for each in candidates} <= set(state.choices)


def _is_hidden(state: State, candidate: Candidate) -> bool:
    """Whether a switch that is left out would have shown the move."""
    return bool((candidate.occupancy ^ state.now.occupancy) & state.mask)


def answered(state: State, candidate: Candidate, tell: Tell) -> None:
    """A person said which move it was; squares that say otherwise have broken switches.

    One or two: more are no broken switches, and are to be put right.
    """
    wrong = differs(state.evidence(), candidate.occupancy)
    if state.pending:
        # What changed after the pending throw belongs to the next move.
        since = state.contacts.since
        wrong = squares_of(each for each in each_square(wrong) if since[each] <= state.pending_at)
    if state.question is not None and wrong.bit_count() <= MOST_BROKEN:
        leave_out_all(state, wrong, tell)
    commit(state, candidate, "answered", tell)
    evidence = state.evidence()
    if state.phase is Phase.THROW and evidence.missing | evidence.extra:
        state.entered = state.contacts.picture()
        state.look_at = state.t + state.settings.timing.warning_ms
