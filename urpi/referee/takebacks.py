"""Take-backs: the occupancy before the last moves, or that of another move in place of the last."""

from types import MappingProxyType
from typing import Final

from urpi.referee import throws
from urpi.referee.contacts import last_off, settled
from urpi.referee.decisions import Moved, Passed, Report, RollRefused
from urpi.referee.flow import clear_warning, take_back
from urpi.referee.inference import Candidate, Evidence, has_landed, matching
from urpi.referee.stages import Moving, Throwing
from urpi.referee.state import GameState, PendingThrow, Played
from urpi.rules import HAND, Squares, each_square, squares_of

REACTION_MS: Final = 250
"""Shortest time from seeing a move to dice that roll because of it: a simple reaction to something
seen takes about 200 ms at best (R. D. Luce, Response Times, 1986), and the throw comes on top."""


def look_for_takeback(state: GameState, evidence: Evidence, report: Report) -> bool:
    """Take moves back if the occupancy shows that.

    Returns:
        Whether the occupancy is an earlier one, or that of another move of the last throw; it may
        have to stand still for longer before it counts. False if moves are not taken back.
    """
    if not state.played or not isinstance(state.stage, Throwing | Moving):
        return False
    if not state.may_take_back(state.played[-1]):
        return False
    corrected = state.is_corrected(evidence)
    throwing = isinstance(state.stage, Throwing)
    if throwing and _look_for_other_move(state, evidence, report, corrected=corrected):
        return True
    # The fewest moves first: an occupancy may be that before several of them.
    for count in range(1, len(state.played) + 1):
        undone = state.played[-count:]
        if _is_from_before(state, evidence, undone):
            wait_ms = state.settings.timing.lifted_ms
            if not corrected:
                wait_ms = _before_ms(state, evidence, undone)
            if _stands_still(state, wait_ms):
                clear_warning(state, report)
                take_back(state, count, report)
            return True
    return False


def look_for_rest(state: GameState, report: Report) -> bool:
    """Refuse a throw that made a move final of which the rest followed.

    The rest is a second piece, or the landing of a piece that was still in the hand, where none had
    been seen. The hand that did so within a second was on its way, and one that lifted it faster
    than anyone reacts cannot have seen the throw. The throw may have ended in a pass already.

    Returns:
        Whether it followed: the last move is then taken back, and its throw is to be played again.
    """
    first, roll, timing = state.thrown_over, state.latest.roll, state.settings.timing
    passed = isinstance(state.latest.action, Passed)
    if first is None or roll is None or isinstance(state.stage, Throwing) is not passed:
        return False
    now, evidence = state.evidence(), state.evidence_since(first)
    rest = _rests(first, now.missing)
    matches = matching(evidence, rest)
    changed = now.missing or now.extra
    if not changed or not matches:
        return False
    landed = any(has_landed(evidence, each) for each in matches)
    # The opponent may take the piece off to capture it, or enter one.
    stage = state.stage
    is_theirs = isinstance(stage, Moving) and any(
        (each.lifts if now.missing else each.lands) & changed for each in stage.candidates
    )
    after_ms = max(evidence.contacts.since[each] for each in each_square(changed)) - roll.t
    if after_ms > (timing.final_ms if landed and not is_theirs else REACTION_MS):
        return False
    if _stands_still(state, timing.still_ms if landed else timing.capture_ms):
        clear_warning(state, report)
        state.played = (first,)
        state.past = state.past[:-1] if passed else state.past
        take_back(state, 1, report, forget_evidence=False)
        thrown = state.dice_of(first.side.other)
        # Of a throw entered as a sum, no die's face is known: it is entered again.
        if state.game.early_throws and len(thrown) == len(roll.faces):
            faces = MappingProxyType(dict(zip(thrown, roll.faces, strict=True)))
            state.pending = PendingThrow(faces, roll.t, state.contacts, waits=True)
        else:
            report(RollRefused(state.t, first.side.other, "too-soon", thrown))
            state.dice = throws.refuse(state.dice, thrown)
    return True


def _rests(first: Played, lifted: Squares) -> tuple[Candidate, ...]:
    """Return the moves of which a committed one may be the beginning.

    Those that contain it if another piece was `lifted` since, else other moves of its piece.
    """
    made = first.candidate
    if lifted:
        parts = set(made.move.parts)
        return tuple(each for each in first.moves.accepted if parts < set(each.move.parts))
    return tuple(
        each for each in first.moves.accepted if each is not made and each.lifts == made.lifts
    )


def has_begun(state: GameState, began: int) -> bool:
    """Return whether the last move was being taken back when dice `began` to roll, and still is.

    A piece was put back where it came from, and its target is empty. Another piece may be in a
    hand already, so that the occupancy is none that ends a take-back. Players who were warned of
    the board and throw all the same are past that.
    """
    moved = state.latest.action
    if not state.played or not isinstance(moved, Moved) or state.warning is not None:
        return False
    last = state.played[-1]
    if not state.may_take_back(last):
        return False
    contacts = settled(state.contacts, state.t, state.settings.timing)
    returned = last.position.occupancy & ~last.candidate.occupancy & contacts.stable
    emptied = last.candidate.lands & ~contacts.stable
    # By the log, because the next piece may tap on the empty target on its way.
    changed = squares_of(each.square for each in contacts.log if moved.t <= each.t <= began)
    in_time = changed & ~state.mask
    return bool(returned & in_time and emptied & in_time)


def _stands_still(state: GameState, wait_ms: int) -> bool:
    """Return whether the occupancy has stood still for `wait_ms`; if not, look again then."""
    if state.still_ms < wait_ms:
        state.look_when_still_for(wait_ms)
        return False
    return True


def _is_from_before(state: GameState, evidence: Evidence, undone: tuple[Played, ...]) -> bool:
    """Return whether the occupancy is that before these moves, and each of them was undone."""
    if not evidence.fits(undone[0].position.occupancy):
        return False
    return len(undone) == 1 or all(_was_lifted(state, evidence, each) for each in undone)


def _before_ms(state: GameState, evidence: Evidence, undone: tuple[Played, ...]) -> int:
    """Return how long an earlier occupancy must stand still; longer if a hand may hold a piece."""
    timing = state.settings.timing
    # With `final_ms` 0, dice that roll showed that several moves were undone, and a square that
    # filled again showed all of them.
    if not timing.final_ms:
        return _hover_ms(state) if evidence.extra or state.dice_roll else timing.capture_ms
    # A piece that the first of these moves put down may have been lifted for another move of the
    # next one's throw: only what filled since then shows that it was not.
    after = undone[1].position if len(undone) > 1 else state.position
    filled = evidence.occupancy & ~after.occupancy
    # Dice that roll show that the players have gone on, but not that a lifted piece undoes several
    # moves: it may have joined a pile, from which it came.
    gone_on = state.dice_roll and len(undone) == 1
    return _hover_ms(state) if filled or gone_on else timing.capture_ms


def _hover_ms(state: GameState) -> int:
    """Return how long a hand may hold a piece over a square; not while the next dice roll."""
    timing = state.settings.timing
    rest_ms = 0 if state.dice_roll else timing.final_ms
    return max(timing.still_ms, timing.hover_ms, rest_ms)


def _was_lifted(state: GameState, evidence: Evidence, played: Played) -> bool:
    """Return whether every piece that this move put down was lifted, if a switch can show it.

    A piece that moved on with a later move does not stand there any more. A square that is empty
    shows it even if a warning has made the switches' log forget how that came about.
    """
    squares = _shown_landings(played) & state.position.occupancy & evidence.occupancy
    return all(last_off(evidence.contacts, square) is not None for square in each_square(squares))


def _shown_landings(played: Played) -> Squares:
    """Return the squares on which this move put pieces down, except on piles.

    A piece leaves a pile without a trace at the switches.
    """
    before, after = played.position.board, played.candidate.position.board
    lands = each_square(played.candidate.lands)
    return squares_of(s for s in lands if not before[s] or len(after[s]) == len(before[s]))


def _look_for_other_move(
    state: GameState, evidence: Evidence, report: Report, *, corrected: bool
) -> bool:
    """Take the last move back if another one of its throw was made in its place.

    The occupancy is then judged as after the throw, which decides the move and its waiting time.
    `corrected`: whether the board is perhaps still being corrected as the warning asks.
    """
    last = state.played[-1]
    if evidence.fits(last.position.occupancy):
        return False
    others = [each for each in last.moves.accepted if each is not last.candidate]
    shown = any(evidence.fits(each.occupancy) and _shows(state, evidence, each) for each in others)
    went_on = state.dice_roll and any(_went_on(evidence, last, each) for each in others)
    if not (shown or went_on):
        return False
    if _stands_still(state, _other_ms(state, evidence, corrected=corrected)):
        clear_warning(state, report)
        take_back(state, 1, report, forget_evidence=False)
    return True


def _other_ms(state: GameState, evidence: Evidence, *, corrected: bool) -> int:
    """Return how long the occupancy of another move must stand still.

    Longer if it also occurs on the way back to the position before, where a hand may be going.
    """
    timing, last = state.settings.timing, state.played[-1]
    if state.dice_roll:
        return timing.still_ms
    if corrected:
        return timing.lifted_ms
    before, after = last.position.occupancy, last.candidate.occupancy
    # Squares of only one of the two occupancies may show either, the others must be as in both.
    is_on_way_back = evidence.fits(evidence.occupancy & (before | after) | before & after)
    return timing.capture_ms if is_on_way_back else _hover_ms(state)


def _went_on(evidence: Evidence, last: Played, other: Candidate) -> bool:
    """Return whether the piece that seemed to enter was on its way to the target of another move.

    No switch showed that it was lifted, because that of the square which it left stays closed.
    """
    entered = last.candidate.move.parts[0].origin == HAND
    wrong = evidence.differs(other.occupancy)
    sticks = wrong.bit_count() == 1 and bool(wrong & other.lifts & evidence.occupancy)
    return entered and sticks and evidence.missing == last.candidate.lands


def _is_seen_undone(state: GameState, evidence: Evidence, last: Played) -> bool:
    """Return whether a switch shows that the last move was undone, at its target or its origin."""
    left = last.position.occupancy & ~last.candidate.occupancy & ~evidence.mask
    returned = left and not left & ~evidence.occupancy
    return bool(_shown_landings(last) or returned) and _was_lifted(state, evidence, last)


def _shows(state: GameState, evidence: Evidence, other: Candidate) -> bool:
    """Return whether there is evidence for another move beyond the undoing of the last one."""
    last = state.played[-1]
    # An edge that was lost and found by a reading may have been part of the last move.
    came_late = evidence.missing & evidence.contacts.read
    # A tower that was lifted whole may leave its prisoners behind after all.
    leaves_prisoners = f"{other.text}*" == last.candidate.text
    if evidence.extra & other.lands or came_late or leaves_prisoners:
        return True
    if not _is_seen_undone(state, evidence, last):
        return False
    if evidence.missing & other.lifts or has_landed(state.evidence_since(last), other):
        return True
    # The same piece was put back and lifted again, to capture where no switch shows it.
    left = last.position.occupancy & ~evidence.occupancy & ~last.candidate.occupancy
    again = [each for each in each_square(left & other.lifts) if last_off(evidence.contacts, each)]
    return bool(again)
