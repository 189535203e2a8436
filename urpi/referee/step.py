"""The step: `step(state, fact) -> (state, decisions)`, which depends on nothing else.

The same facts always produce the same decisions: a replay, a recovery, a test, a dispute and a
simulation all call it with the facts they have.
"""

from copy import copy
from dataclasses import replace
from typing import Final, assert_never

from urpi.referee import dicing, requests
from urpi.referee.contacts import edge, flickers, reading
from urpi.referee.decisions import (
    Decision,
    Hinted,
    Moved,
    Passed,
    Planned,
    Refused,
    Report,
    Roll,
    RollRefused,
    Starts,
    TakenBack,
    Won,
)
from urpi.referee.exploring import begin_exploration
from urpi.referee.facts import (
    Abandon,
    Answer,
    Button,
    Chute,
    Claim,
    Coach,
    Decline,
    Die,
    Draw,
    Edge,
    Fact,
    Field,
    Game,
    Hint,
    Occupancy,
    Plan,
    ProgramThrow,
    RemoteMove,
    RemoteTakeback,
    RemoteThrow,
    Resign,
    Time,
)
from urpi.referee.fields import edged, sensed, shows_hand, unsure
from urpi.referee.flow import begin_game, end, leave_out
from urpi.referee.look import look
from urpi.referee.pending import reject_unless_asking
from urpi.referee.settings import Settings
from urpi.referee.stages import AnyThrowing, Ended, Moving, SettingUp
from urpi.referee.state import GameState, State
from urpi.referee.throws import after_report
from urpi.referee.timekeeping import flag_due, keep_time
from urpi.rules import Square, each_square

NOTICES: Final = (RollRefused, Hinted, Moved, Passed, Starts, TakenBack, Refused)
"""The decisions that views show as the last event."""


def begin(settings: Settings) -> State:
    """Return the state before the first fact."""
    return State(settings)


def next_due(state: State) -> int | None:
    """Return when a timer is due next, in the facts' milliseconds; None if none runs."""
    if not isinstance(state, GameState):
        return None
    dice, look_at = dicing.next_due(state), state.look_at
    due = look_at if dice is None else dice if look_at is None else min(dice, look_at)
    flag = flag_due(state)
    return flag if due is None else due if flag is None else min(due, flag)


def step(state: State, fact: Fact) -> tuple[State, tuple[Decision, ...]]:
    """Return the state after a fact, and the decisions, those of timers due before it first.

    A decision has the time at which it was made. A `Time` fact also lets the timers expire that
    are due at that very time. A fact from the past counts as present.

    Raises:
        UrpiError: If a `Game` has an invalid rule set, option or position, or own dice that are
            not as many as a side throws.
    """
    if isinstance(fact, Game):
        begun = begin_game(state.settings, fact)
        return (begun if fact.explore is None else begin_exploration(state, begun)), ()
    decisions: list[Decision] = []
    if not isinstance(state, GameState):
        return _without_game(state, fact, decisions.append), tuple(decisions)
    state = copy(state)
    # At the fact's own time the fact comes first: a piece put down just in time is no late one.
    _expire_timers(state, fact.t if isinstance(fact, Time) else fact.t - 1, decisions.append)
    state.t = max(state.t, fact.t)
    _handle(state, fact, decisions.append)
    _finish(state, decisions.append)
    # By this fact the board may no longer show the move that would have been in time.
    _end_on_time(state, state.t - 1, decisions.append)
    for decision in decisions:
        _show(state, decision)
    return state, tuple(decisions)


def _without_game(state: State, fact: Fact, report: Report) -> State:
    """Keep what the switches and dice report, and refuse requests."""
    state = replace(state, t=max(state.t, fact.t))
    timing = state.settings.timing
    match fact:
        case Edge():
            state.contacts = edge(state.contacts, state.t, fact.square, fact.on, timing)
        case Occupancy():
            state.contacts = reading(state.contacts, state.t, fact.squares, timing)
        case Field():
            state.fields = sensed(state.fields, fact)
        case Die():
            state.dice = after_report(state.dice, fact)
        case _:
            requests.refuse_without_game(state, fact, report)
    return state


def _expire_timers(state: GameState, until: int, report: Report) -> None:
    while (due := next_due(state)) is not None and due <= until:
        state.t = max(state.t, due)
        if state.look_at is not None and state.look_at <= state.t:
            look(state, report)
        elif not _end_on_time(state, state.t, report) and isinstance(state.stage, AnyThrowing):
            dicing.remind(state, state.stage, report)
        _finish(state, report)


def _end_on_time(state: GameState, until: int, report: Report) -> bool:
    """End the game if the time of a side is over by `until`; return whether it is."""
    clock = state.clock
    if clock is None or clock.running is None:
        return False
    flag = flag_due(state)
    if flag is None or flag > until:
        return False
    end(state, Won(state.t, clock.running.other, "time"), report)
    keep_time(state)
    return True


def _finish(state: GameState, report: Report) -> None:
    """Update what depends on the outcome of a fact or timer."""
    reject_unless_asking(state, report)
    dicing.ask_for_dead_dice(state, report)
    keep_time(state)


def _show(state: GameState, decision: Decision) -> None:
    """Keep a decision for the views."""
    notice = state.latest.notice
    # Only the move shows the players that a throw came before it, so its refusal must remain.
    remains = isinstance(notice, RollRefused) and notice.code in {"too-soon", "before-move"}
    if isinstance(decision, NOTICES) and not (remains and isinstance(decision, Moved)):
        state.latest = replace(state.latest, notice=decision)
    elif isinstance(decision, Roll | Planned) and isinstance(
        state.latest.notice, RollRefused | Refused
    ):
        # What was refused before no longer matters.
        state.latest = replace(state.latest, notice=None)
    if isinstance(decision, Roll):
        state.latest = replace(state.latest, roll=decision)
    elif isinstance(decision, Moved | Passed | TakenBack):
        state.latest = replace(state.latest, action=decision)


def _handle(  # noqa: C901, PLR0912 - a dispatch
    state: GameState, fact: Fact, report: Report
) -> None:
    if isinstance(state.stage, SettingUp) and state.stage.awaits_reading:
        _begin_reading(state, state.stage, fact, report)
    match fact:
        case Edge():
            _on_edge(state, fact, report)
        case Field():
            _on_field(state, fact)
        case Die():
            dicing.on_report(state, fact, report)
        case Occupancy():
            _on_reading(state, fact, report)
        case Chute():
            _on_chute(state, fact)
        case Button():
            requests.on_press(state, fact, report)
        case Answer():
            requests.on_answer(state, fact, report)
        case Plan():
            requests.on_plan(state, fact, report)
        case ProgramThrow():
            requests.on_program_throw(state, fact, report)
        case RemoteThrow():
            requests.on_remote_throw(state, fact, report)
        case RemoteMove():
            requests.on_remote_move(state, fact, report)
        case RemoteTakeback():
            requests.on_remote_takeback(state, fact, report)
        case Hint():
            requests.on_hint(state, fact, report)
        case Coach():
            requests.on_coach(state, fact, report)
        case Resign():
            requests.on_resign(state, fact, report)
        case Claim():
            requests.on_claim(state, fact, report)
        case Decline():
            requests.on_decline(state, fact, report)
        case Draw():
            requests.on_draw(state, fact, report)
        case Abandon():
            requests.on_abandon(state, report)
        case Time() | Game():
            pass
        case _:
            assert_never(fact)


def _begin_reading(state: GameState, stage: SettingUp, fact: Fact, report: Report) -> None:
    """Note that the first fact after the game has come; without a reading, the board is empty."""
    if not isinstance(fact, Time | Field):
        stage.awaits_reading = False
        if not isinstance(fact, Occupancy):
            look(state, report)


def _on_edge(state: GameState, fact: Edge, report: Report) -> None:
    timing = state.settings.timing
    if state.mask >> fact.square & 1:
        _on_left_out_edge(state, fact.square, on=fact.on)
        return
    contacts = edge(state.contacts, state.t, fact.square, fact.on, timing)
    if contacts is state.contacts:
        return
    if flickers(contacts, fact.square, timing):
        leave_out(state, fact.square, "flicker", report)
    state.contacts = contacts
    state.fields = edged(state.fields, fact.square)
    state.look_at = contacts.last_edge + timing.still_ms


def _on_field(state: GameState, fact: Field) -> None:
    """Handle a reading; one that has changed shows a hand at work, as an edge does."""
    before, still_ms = state.fields, state.settings.timing.still_ms
    state.fields = sensed(before, fact)
    if isinstance(state.stage, Ended):
        return
    # Until the board has been read, nothing is known to be missing.
    if isinstance(state.stage, SettingUp) and state.stage.awaits_reading:
        return
    if shows_hand(before, fact) and not state.mask >> fact.square & 1:
        state.contacts = replace(state.contacts, last_edge=state.t)
        state.look_at = state.t + still_ms
        if not isinstance(state.stage, Moving):
            state.fields = unsure(state.fields, fact.square)
    elif state.look_at is None:
        state.look_at = max(state.contacts.last_edge + still_ms, state.t)


def _on_left_out_edge(state: GameState, square: Square, *, on: bool) -> None:
    """Handle an edge of a switch that is left out: it may work again, but is no evidence."""
    before, timing = state.contacts, state.settings.timing
    contacts = edge(before, state.t, square, on, timing)
    if contacts is not before:
        state.contacts = contacts.without_square(square, before.last_edge)
        # A switch that flickers must not delay the look at the other squares.
        state.look_at = state.look_at or state.t + timing.still_ms


def _on_reading(state: GameState, fact: Occupancy, report: Report) -> None:
    before, timing, stage = state.contacts, state.settings.timing, state.stage
    # Those that are left out follow below: they may work again, but are no evidence.
    shown = fact.squares & ~state.mask | before.raw & state.mask
    state.contacts = reading(before, state.t, shown, timing)
    if isinstance(stage, SettingUp) and not before.any_edge:
        # The first reading is how the board has been standing: there is nothing to wait for.
        stage.read_at = state.t
        look(state, report)
    elif state.contacts is not before:
        for square in each_square(before.raw ^ shown):
            state.fields = edged(state.fields, square)
        state.look_at = state.t + timing.still_ms
    for square in each_square((before.raw ^ fact.squares) & state.mask):
        _on_left_out_edge(state, square, on=bool(fact.squares >> square & 1))


def _on_chute(state: GameState, fact: Chute) -> None:
    if isinstance(state.stage, Moving) and fact.side is state.stage.side:
        state.stage.chute = True
        state.look_at = state.t + state.settings.timing.still_ms
