"""Take-backs: a picture from before the last move, or another move in its place."""

from dataclasses import replace

from urpi.referee.contacts import last_off
from urpi.referee.flow import Tell, clear_warning, commit, take_back
from urpi.referee.inference import Candidate, Evidence, has_landed
from urpi.referee.snapshot import Phase
from urpi.referee.state import Played, State
from urpi.rules import each_square


def look_for_takeback(state: State, evidence: Evidence, tell: Tell) -> bool:
    """Whether the picture is one from before: another move of the last throw, or none of it."""
    if not state.played or state.phase not in {Phase.THROW, Phase.MOVE}:
        return False
    mended = state.is_mended(evidence)
    if state.phase is Phase.THROW and not mended and _look_for_other_move(state, evidence, tell):
        return True
    for count in range(1, len(state.played) + 1):
        if not evidence.fits(state.played[-count].position.occupancy):
            continue
        timing = state.settings.timing
        wait_ms = timing.lifted_ms if mended else timing.capture_ms
        # Half of the newest move undone may look like an older one undone.
        half = count > 1 and not _is_undone(evidence, state.played[-1])
        if (half or not evidence.extra) and state.still_ms < wait_ms:
            state.look_when_still_for(wait_ms)
            return True
        clear_warning(state, tell)
        take_back(state, count, tell)
        return True
    return False


def _look_for_other_move(state: State, evidence: Evidence, tell: Tell) -> bool:
    """Whether the picture is another move's of the last throw: what was committed is undone."""
    last = state.played[-1]
    others = tuple(
        each
        for each in last.candidates
        if each.move.text != last.move and evidence.fits(each.occupancy)
    )
    came_down = tuple(each for each in others if _took_its_place(state, evidence, each))
    if len(came_down) == 1:
        take_back(state, 1, tell)
        commit(state, came_down[0], "sensed", tell)
        return True
    if _is_undone(evidence, last) and any(each.lifts & evidence.missing for each in others):
        take_back(state, 1, tell)
        return True
    return False


def _took_its_place(state: State, evidence: Evidence, other: Candidate) -> bool:
    """Whether another move was seen to be made in place of the last one."""
    last = state.played[-1]
    if evidence.fits(last.position.occupancy):
        # What looks like a take-back is one.
        return False
    # An edge that comes only with a reading may have been part of the move; a hand's was not.
    came_late = evidence.missing & state.contacts.read
    # A tower that was lifted whole may leave its prisoners after all.
    leaves_prisoners = f"{other.move.text}*" == last.move
    since_then = replace(evidence, before=last.position.occupancy)
    captured = _is_undone(evidence, last) and has_landed(since_then, other)
    return bool(evidence.extra & other.lands or came_late or leaves_prisoners or captured)


def _is_undone(evidence: Evidence, last: Played) -> bool:
    """Whether every piece that the last move put down was seen to be lifted since."""
    lands = next(each.lands for each in last.candidates if each.move.text == last.move)
    lifted = (last_off(evidence.contacts, square) for square in each_square(lands))
    return bool(lands) and all(off is not None for off in lifted)
