"""The set-up: whether the board shows the position a game begins with."""

from urpi.referee.decisions import Ready
from urpi.referee.flow import Tell, leave_out_all, ready
from urpi.referee.snapshot import MOST_BROKEN
from urpi.referee.state import State


def look_at_set_up(state: State, tell: Tell) -> None:
    """Begin the game when the board is right, else report the squares to put right."""
    evidence = state.evidence()
    wrong = evidence.missing | evidence.extra
    if not wrong:
        ready(state, tell)
    elif wrong != state.set_up_told:
        state.set_up_told = wrong
        tell(Ready(state.t, wrong))


def begin_without(state: State, tell: Tell) -> bool:
    """Begin a game whose board the switches call wrong, without one or two of them.

    False while a hand may still be setting up, and where more is wrong than switches.
    """
    evidence = state.evidence()
    wrong = evidence.missing | evidence.extra
    still = state.still_ms >= state.settings.timing.warning_ms
    if not still or wrong != state.set_up_told or not 0 < wrong.bit_count() <= MOST_BROKEN:
        return False
    leave_out_all(state, wrong, tell)
    ready(state, tell)
    return True
