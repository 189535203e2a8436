"""The step: `step(state, fact) -> (state, decisions)`, a function of nothing else.

The same facts give the same decisions, always: a replay, a recovery, a test, a dispute and a
simulation are one and the same thing.
"""

from copy import copy

from urpi.referee import dicing, requests
from urpi.referee.contacts import edge, flickers, reading
from urpi.referee.decisions import (
    Decision,
    Moved,
    Passed,
    Refused,
    Roll,
    RollRefused,
    Starts,
    TakenBack,
)
from urpi.referee.facts import (
    Abandon,
    Answer,
    Button,
    Chute,
    Die,
    Draw,
    Edge,
    Fact,
    Game,
    Occupancy,
    Resign,
    Time,
)
from urpi.referee.flow import Tell, begin_game, leave_out
from urpi.referee.look import look
from urpi.referee.pending import reject_if_unasked
from urpi.referee.settings import Settings
from urpi.referee.snapshot import Phase
from urpi.referee.state import State
from urpi.rules import Square, each_square

NEWS = (RollRefused, Moved, Passed, Starts, TakenBack, Refused)
"""The decisions that players are told of as the last thing that happened."""


def begin(settings: Settings) -> State:
    """The state before the first fact."""
    return State(settings)


def next_due(state: State) -> int | None:
    """When a timer is due next, in the facts' milliseconds; None when none runs."""
    dice, look_at = dicing.next_due(state), state.look_at
    if dice is None or look_at is None:
        return look_at if dice is None else dice
    return min(dice, look_at)


def step(state: State, fact: Fact) -> tuple[State, tuple[Decision, ...]]:
    """The state after a fact, and what was decided: first by the timers due before it.

    A decision carries the time at which it was taken. A `Time` fact lets the timers fire
    that are due at its very time too. A fact from the past counts as now.

    Raises:
        UrpiError: when a `Game` names a rule set, an option or a position that is none, or
            own dice that are not as many as a side throws.
    """
    state = copy(state)
    decisions: list[Decision] = []
    until = fact.t if isinstance(fact, Time) else fact.t - 1
    if not isinstance(fact, Game):
        _fire_timers(state, until, decisions.append)
    state.t = max(state.t, fact.t)
    _take(state, fact, decisions.append)
    reject_if_unasked(state, decisions.append)
    dicing.ask_for_dead_dice(state, decisions.append)
    for decision in decisions:
        if isinstance(decision, NEWS):
            state.last = decision
        if isinstance(decision, Roll):
            state.rolled = decision
        elif isinstance(decision, Moved | Passed | TakenBack):
            state.acted = decision
    return state, tuple(decisions)


def _fire_timers(state: State, until: int, tell: Tell) -> None:
    while (due := next_due(state)) is not None and due <= until:
        state.t = max(state.t, due)
        if state.look_at is not None and state.look_at <= state.t:
            look(state, tell)
        else:
            dicing.remind(state, tell)
        reject_if_unasked(state, tell)
        dicing.ask_for_dead_dice(state, tell)


def _take(state: State, fact: Fact, tell: Tell) -> None:  # noqa: C901, PLR0912 - a dispatch
    if state.awaits_reading and not isinstance(fact, (Game, Time)):
        state.awaits_reading = False
        if not isinstance(fact, Occupancy):
            look(state, tell)
    match fact:
        case Edge():
            _edge(state, fact, tell)
        case Die():
            dicing.heard(state, fact, tell)
        case Occupancy():
            _read(state, fact, tell)
        case Chute():
            _chute(state, fact)
        case Button():
            requests.pressed(state, fact, tell)
        case Answer():
            requests.answer(state, fact, tell)
        case Game():
            begin_game(state, fact)
        case Resign():
            requests.resign(state, fact, tell)
        case Draw():
            requests.claim_draw(state, fact, tell)
        case Abandon():
            requests.abandon(state, fact, tell)
        case Time():
            pass


def _edge(state: State, fact: Edge, tell: Tell) -> None:
    timing = state.settings.timing
    if state.mask >> fact.square & 1:
        _edge_left_out(state, fact.square, on=fact.on)
        return
    contacts = edge(state.contacts, state.t, fact.square, fact.on, timing.contact_stable_ms)
    if contacts is state.contacts:
        return
    if flickers(contacts, fact.square) and state.phase is not Phase.NO_GAME:
        leave_out(state, fact.square, "flicker", tell)
    state.contacts = contacts
    state.look_at = contacts.last_edge + timing.still_ms


def _edge_left_out(state: State, square: Square, *, on: bool) -> None:
    """An edge of a switch that is left out: it may work again, but tells nothing else."""
    before, timing = state.contacts, state.settings.timing
    contacts = edge(before, state.t, square, on, timing.contact_stable_ms)
    if contacts is not before:
        state.contacts = contacts.unheard(square, before.last_edge)
        state.look_at = state.look_at or state.t + timing.still_ms


def _read(state: State, fact: Occupancy, tell: Tell) -> None:
    before, timing = state.contacts, state.settings.timing
    first = state.phase is Phase.SET_UP and not before.since_any
    heard = fact.squares & ~state.mask | before.raw & state.mask
    state.contacts = reading(before, state.t, heard, timing.contact_stable_ms)
    if first:
        state.read_at = state.t
        look(state, tell)
    elif state.contacts is not before:
        state.look_at = state.t + timing.still_ms
    for square in each_square((before.raw ^ fact.squares) & state.mask):
        _edge_left_out(state, square, on=bool(fact.squares >> square & 1))


def _chute(state: State, fact: Chute) -> None:
    if fact.side is state.side and state.phase is Phase.MOVE:
        state.chute = True
        state.look_at = state.t + state.settings.timing.still_ms
