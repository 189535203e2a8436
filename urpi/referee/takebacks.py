"""Take-backs: a picture from before the last moves, or another move's in place of the last one."""

from urpi.referee.contacts import last_off
from urpi.referee.flow import Tell, clear_warning, take_back
from urpi.referee.inference import Candidate, Evidence, has_landed
from urpi.referee.snapshot import Phase
from urpi.referee.state import Played, State
from urpi.rules import Squares, each_square, squares_of


def look_for_takeback(state: State, evidence: Evidence, tell: Tell) -> bool:
    """Take moves back where the picture says so.

    Returns:
        Whether the picture is one of before, or another move's of the last throw; it may have
        to stand still for longer before it counts.
    """
    if not state.played or state.phase not in {Phase.THROW, Phase.MOVE}:
        return False
    mended = state.is_mended(evidence)
    if state.phase is Phase.THROW and not mended and _look_for_other_move(state, evidence, tell):
        return True
    for count in range(1, len(state.played) + 1):
        if _is_from_before(state, evidence, state.played[-count:]):
            wait_ms = state.settings.timing.lifted_ms if mended else _before_ms(state, evidence)
            if _stands_still(state, wait_ms):
                clear_warning(state, tell)
                take_back(state, count, tell)
            return True
    return False


def _stands_still(state: State, wait_ms: int) -> bool:
    """Whether the picture has stood still for that long; if not, it is looked at again then."""
    if state.still_ms < wait_ms:
        state.look_when_still_for(wait_ms)
        return False
    return True


def _is_from_before(state: State, evidence: Evidence, undone: tuple[Played, ...]) -> bool:
    """Whether the picture is that of before these moves, and each of them was undone."""
    if not evidence.fits(undone[0].position.occupancy):
        return False
    return len(undone) == 1 or all(_was_lifted(state, evidence, each) for each in undone)


def _before_ms(state: State, evidence: Evidence) -> int:
    """How long a picture from before must stand still: a piece that is merely lifted is held."""
    if evidence.extra or state.dice_roll:
        return _hover_ms(state)
    return state.settings.timing.capture_ms


def _hover_ms(state: State) -> int:
    """How long a hand may hold a piece over a square."""
    timing = state.settings.timing
    return max(timing.still_ms, timing.hover_ms)


def _was_lifted(state: State, evidence: Evidence, played: Played) -> bool:
    """Whether every piece that this move put down was lifted since, as far as a switch shows it.

    One that went on with a later move does not stand there any more.
    """
    squares = _shown_landings(played) & state.now.occupancy & ~evidence.mask
    return all(last_off(evidence.contacts, square) is not None for square in each_square(squares))


def _shown_landings(played: Played) -> Squares:
    """Where this move put pieces down, but on no pile: that they leave without a trace."""
    before, after = played.position.board, played.candidate.position.board
    lands = each_square(played.candidate.lands)
    return squares_of(s for s in lands if not before[s] or len(after[s]) == len(before[s]))


def _look_for_other_move(state: State, evidence: Evidence, tell: Tell) -> bool:
    """Take the last move back where another one of its throw was made in its place.

    The picture is looked at anew then, as after the throw: which move it is and for how long
    it must stand still is decided there.
    """
    last = state.played[-1]
    if evidence.fits(last.position.occupancy):
        return False
    others = (each for each in last.candidates if each is not last.candidate)
    if not any(evidence.fits(each.occupancy) and _shows(state, evidence, each) for each in others):
        return False
    if _stands_still(state, _other_ms(state, evidence)):
        take_back(state, 1, tell, anew=False)
    return True


def _other_ms(state: State, evidence: Evidence) -> int:
    """How long another move's picture must stand still: a hand may be on its way back."""
    timing, last = state.settings.timing, state.played[-1]
    if state.dice_roll:
        return timing.still_ms
    before, after = last.position.occupancy, last.candidate.occupancy
    is_on_way_back = evidence.fits(evidence.picture & (before | after) | before & after)
    return timing.capture_ms if is_on_way_back else _hover_ms(state)


def _is_seen_undone(state: State, evidence: Evidence, last: Played) -> bool:
    """Whether a switch shows that the last move was undone: where it landed, or where it began."""
    left = last.position.occupancy & ~last.candidate.occupancy & ~evidence.mask
    returned = left and not left & ~evidence.picture
    return bool(_shown_landings(last) or returned) and _was_lifted(state, evidence, last)


def _shows(state: State, evidence: Evidence, other: Candidate) -> bool:
    """Whether anything but the undoing of the last move speaks for another one."""
    last = state.played[-1]
    # An edge that comes only with a reading may have been part of the move; a hand's was not.
    came_late = evidence.missing & evidence.contacts.read
    # A tower that was lifted whole may leave its prisoners after all.
    leaves_prisoners = f"{other.move.text}*" == last.candidate.move.text
    if evidence.extra & other.lands or came_late or leaves_prisoners:
        return True
    if not _is_seen_undone(state, evidence, last):
        return False
    return bool(evidence.missing & other.lifts) or has_landed(state.evidence_since(last), other)
