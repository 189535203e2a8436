"""The set-up: comparison of the board with the position that a game begins with.

If the players throw although squares must be corrected, they consider the board correct: one or
two switches are then broken. Their throw is pending until no hand can be at work any more.
"""

from urpi.referee import pending
from urpi.referee.decisions import Ready, Report
from urpi.referee.flow import count_pending, leave_out_all, ready
from urpi.referee.snapshot import MAX_BROKEN
from urpi.referee.stages import ChoosingFirst, SettingUp
from urpi.referee.state import GameState
from urpi.rules import Squares


def look_at_set_up(state: GameState, stage: SettingUp, report: Report) -> None:
    """Begin the game if the board is correct, otherwise report the squares to correct."""
    wrong = state.evidence().changed
    if not wrong:
        _begin(state, report)
        return
    if wrong != stage.reported:
        stage.reported = wrong
        report(Ready(state.t, wrong))
    if wrong.bit_count() > MAX_BROKEN:
        pending.reject(state, "not-begun", report)
    elif state.pending.faces:
        _begin_without(state, stage, wrong, report)


def hold_throw(state: GameState, stage: SettingUp, die: int, face: str, report: Report) -> None:
    """Hold a die that was thrown before the board is correct, or refuse it.

    A throw is refused if more squares are wrong than switches are likely to be broken, or if
    another throw is already pending.
    """
    wrong = state.evidence().changed
    if wrong.bit_count() > MAX_BROKEN or not pending.add(state, die, face):
        pending.refuse_once(state, state.side_of(die), "not-begun", die, report)
    # Only if the players know of the wrong squares, and throw nevertheless.
    elif wrong and wrong == stage.reported:
        _begin_without(state, stage, wrong, report)


def _begin_without(state: GameState, stage: SettingUp, wrong: Squares, report: Report) -> None:
    """Begin without the switches of the wrong squares, once no hand can be setting up."""
    warning_ms = state.settings.timing.warning_ms
    # Without an edge since the first reading, no hand was ever at the board.
    if state.contacts.last_edge == stage.read_at or state.still_ms >= warning_ms:
        leave_out_all(state, wrong, report)
        _begin(state, report)
    else:
        state.look_when_still_for(warning_ms)


def _begin(state: GameState, report: Report) -> None:
    ready(state, report)
    if isinstance(state.stage, ChoosingFirst):
        pending.reject(state, "not-begun", report)
    count_pending(state, report)
