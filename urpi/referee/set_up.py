"""The set-up: whether the board shows the position a game begins with.

Players who throw although something must be corrected say that the board is right: then a
switch or two are broken. Their throw is pending until the hands are gone.
"""

from urpi.referee import pending
from urpi.referee.decisions import Ready
from urpi.referee.flow import Tell, count_pending, leave_out_all, ready
from urpi.referee.snapshot import MOST_BROKEN, Phase
from urpi.referee.state import State
from urpi.rules import Side, Squares


def look_at_set_up(state: State, tell: Tell) -> None:
    """Begin the game when the board is right, else report the squares to correct."""
    wrong = _wrong(state)
    if not wrong:
        _begin(state, tell)
        return
    if wrong != state.set_up_told:
        state.set_up_told = wrong
        tell(Ready(state.t, wrong))
    if wrong.bit_count() > MOST_BROKEN:
        pending.reject(state, "not-begun", tell)
    elif state.pending:
        _begin_without(state, wrong, tell)


def thrown_in_set_up(state: State, side: Side, die: int, face: str, tell: Tell) -> None:
    """Count a die that was thrown before the board is right, or refuse it.

    A throw is refused if more squares are wrong than switches break, or if another one is
    already pending.
    """
    wrong = _wrong(state)
    if wrong.bit_count() > MOST_BROKEN or not pending.add(state, die, face):
        pending.refuse_once(state, side, "not-begun", die, tell)
    elif wrong and wrong == state.set_up_told:
        _begin_without(state, wrong, tell)


def _wrong(state: State) -> Squares:
    evidence = state.evidence()
    return evidence.missing | evidence.extra


def _begin_without(state: State, wrong: Squares, tell: Tell) -> None:
    """Begin without the switches of the wrong squares, once no hand can still be setting up."""
    warning_ms = state.settings.timing.warning_ms
    if state.contacts.last_edge == state.read_at or state.still_ms >= warning_ms:
        leave_out_all(state, wrong, tell)
        _begin(state, tell)
    else:
        state.look_when_still_for(warning_ms)


def _begin(state: State, tell: Tell) -> None:
    ready(state, tell)
    if state.phase is Phase.CHOOSE_FIRST:
        pending.reject(state, "not-begun", tell)
    count_pending(state, tell)
