"""Timekeeping: whose clock runs, and when a move stops it (RULES.md, Clock)."""

from urpi.referee.clock import Clock
from urpi.referee.stages import Moving, Throwing
from urpi.referee.state import GameState
from urpi.rules import Side


def keep_time(state: GameState) -> None:
    """Let the clock run that has to, after a fact or a timer."""
    clock = state.clock
    if clock is not None and (side := _side_on_clock(state)) is not clock.running:
        state.clock = clock.run(side, state.t)


def flag_due(state: GameState) -> int | None:
    """Return when the running clock has no time left, None if none runs.

    Later if the board has to be judged first, and None while it shows a move that was in time: that
    is final, or the board changes.
    """
    falls_at = state.clock.falls_at if state.clock is not None else None
    if falls_at is None or state.t < falls_at or not isinstance(state.stage, Moving):
        return falls_at
    made_at = _made_at(state, state.stage)
    if made_at is None or made_at > falls_at:
        return falls_at
    if _shows_a_move(state, state.stage):
        return None
    judged_at = state.contacts.last_edge + state.settings.timing.still_ms
    return judged_at if state.t < judged_at else falls_at


def stopped_clock(state: GameState, moving: Moving, *, entered: bool) -> Clock | None:
    """Return the clocks as they were when the move that becomes final stood on the board.

    One that a player has `entered` was made then, unless the next player had thrown already, or a
    broken switch has hidden it.
    """
    if state.clock is None:
        return None
    was_hidden = state.pending.faces or any(fault.t == state.t for fault in state.faults)
    made_at = None if entered and not was_hidden else _made_at(state, moving)
    return state.clock.run(None, state.t if made_at is None else made_at)


def clock_after(state: GameState, side: Side) -> Clock | None:
    """Return the clocks after a move of a side, or a throw without one; the engine has no clock."""
    clock = state.clock
    return clock if clock is None or state.is_engine(side) else clock.moved(side, state.t)


def shown_clock(state: GameState) -> Clock | None:
    """Return the clocks as they are shown: that of a side stands while its move seems made."""
    clock, stage = state.clock, state.stage
    if clock is None or not isinstance(stage, Moving) or stage.seeming is None:
        return clock
    return stopped_clock(state, stage, entered=False)


def _side_on_clock(state: GameState) -> Side | None:
    """Return the side whose time it is, None if both clocks stand."""
    stage, warning, question = state.stage, state.warning, state.question
    if not isinstance(stage, Moving | Throwing) or state.is_engine(stage.side):
        return None
    # The first throw lets the clocks run.
    if not (state.past or isinstance(stage, Moving)):
        return None
    # Before a throw nobody thinks, so that nothing is gained by disturbing the board.
    if warning is not None and (
        isinstance(stage, Throwing) or warning.code == "disturbed" or warning.side is not stage.side
    ):
        return None
    # Dice have failed. Where players enter all throws, the question is their turn to throw.
    if question is not None and question.ask == "faces" and not state.game.by_hand:
        return None
    return stage.side


def _made_at(state: GameState, moving: Moving) -> int | None:
    """Return when a move of the throw was made if it was, None if nothing shows when."""
    changed_at, pending = state.contacts.last_edge, state.pending
    times = [pending.t] if pending.faces else []
    if changed_at > moving.thrown_at:
        times.append(changed_at)
    elif moving.seeming is not None:
        times.append(moving.seeming.shown)
    return min(times, default=None)


def _shows_a_move(state: GameState, moving: Moving) -> bool:
    """Return whether a move of the throw may have been made: the board shows one, or dice do."""
    if moving.seeming is not None or state.pending.faces:
        return True
    evidence = state.evidence()
    return bool(evidence.changed) and any(
        evidence.fits(each.occupancy) for each in moving.candidates
    )
