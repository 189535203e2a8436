"""No facts cause an exception, and only moves, passes and take-backs change the position."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.slow import slow_except
from urpi.referee import Phase, Settings, State, begin, next_due, snapshot, step
from urpi.referee.decisions import Decision, Moved, Passed, Roll, Starts, TakenBack, Warned
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
from urpi.referee.lines import decision_line, parse_decision
from urpi.rules import RULE_SETS, Side, parse_position, rule_set
from urpi.show.words import words_for

SETTINGS = Settings(words_for("en").sentence)
FACES = {"d4": "gs-", "d6": "123456"}


@st.composite
def facts(draw: st.DrawFn, body: str) -> tuple[int, Fact]:
    """Draw a wait in milliseconds, and any fact, at time 0."""
    wait = draw(st.sampled_from([0, 1, 4, 6, 40, 149, 151, 999, 2600, 3100, 12_500, 40_000]))
    squares, dice = st.integers(0, 19), st.integers(1, 5)
    sides = st.sampled_from(list(Side))
    face = st.sampled_from(FACES[body])
    fact = draw(
        st.one_of(
            st.builds(Edge, st.just(0), squares, st.booleans()),
            st.builds(Edge, st.just(0), squares, st.booleans()),
            st.builds(Die, st.just(0), dice, st.just("settled"), face, st.booleans()),
            st.builds(
                Die,
                st.just(0),
                dice,
                st.sampled_from(["rolling", "cocked", "handled", "lost", "found"]),
            ),
            st.builds(Occupancy, st.just(0), st.integers(0, 2**20 - 1)),
            st.builds(Time, st.just(0)),
            st.builds(Button, st.just(0), sides, st.sampled_from(["short", "long"])),
            st.builds(Chute, st.just(0), sides),
            st.builds(Answer, st.just(0), faces=st.text("gs-123456", max_size=5)),
            st.builds(Answer, st.just(0), move=st.sampled_from(["+A4", "A4-A2", "pass", "x"])),
            st.builds(Answer, st.just(0), takeback=st.just(True)),
            st.builds(Answer, st.just(0), first=sides),
            st.builds(Draw, st.just(0), sides),
        )
    )
    return wait, fact


def at(fact: Fact, t: int) -> Fact:
    values = {name: getattr(fact, name) for name in fact.__dataclass_fields__}
    return type(fact)(**{**values, "t": t})


def play(state: State, wild: list[tuple[int, Fact]]) -> list[Decision]:
    """Pass all facts to the referee, and check the invariants after each."""
    decided: list[Decision] = []
    t = state.t
    for wait, fact in wild:
        t += wait
        before = state
        state, decisions = step(before, at(fact, t))
        decided.extend(decisions)
        assert list(decisions) == sorted(decisions, key=lambda one: one.t)
        assert all(before.t <= one.t <= t for one in decisions)
        for one in decisions:
            if not isinstance(one, Warned):
                assert parse_decision(decision_line(one)) == one
        changing = (Moved, Passed, TakenBack, Starts)
        if before.position != state.position:
            assert any(isinstance(one, changing) for one in decisions), (fact, decisions)
        assert parse_position(str(state.position)) == state.position
        assert state.phase is not Phase.MOVE or state.stage.candidates
        due = next_due(state)
        assert not isinstance(fact, Time) or due is None or due > state.t
        snapshot(state)
    return decided


@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "finkel", "freecompany", "ravensburger"))
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_random_facts_change_the_position_only_with_a_decision(
    rules: str, data: st.DataObject
) -> None:
    kind = rule_set(rules)
    state = begin(SETTINGS)
    state, _ = step(state, Game(0, rules, first=data.draw(st.sampled_from([*Side, None]))))
    play(state, data.draw(st.lists(facts(kind.dice.body), max_size=60)))


@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "finkel", "freecompany", "ravensburger"))
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_the_same_facts_lead_to_the_same_decisions(rules: str, data: st.DataObject) -> None:
    kind = rule_set(rules)
    wild = data.draw(st.lists(facts(kind.dice.body), max_size=40))

    def once() -> list[Decision]:
        state, _ = step(begin(SETTINGS), Game(0, rules, first=Side.LIGHT))
        return play(state, wild)

    assert once() == once()


@given(wild=st.lists(facts("d4"), max_size=40), side=st.sampled_from(list(Side)))
def test_additional_time_facts_change_nothing(wild: list[tuple[int, Fact]], side: Side) -> None:
    """Timers expire at the same times, whether or not time facts come in between."""

    def run(*, ticking: bool) -> list[Decision]:
        state, _ = step(begin(SETTINGS), Game(0, "finkel", first=side))
        decided: list[Decision] = []
        t = 0
        for wait, fact in wild:
            if ticking:
                for ms in range(t + 250, t + wait, 250):
                    state, decisions = step(state, Time(ms))
                    decided.extend(decisions)
            t += wait
            state, decisions = step(state, at(fact, t))
            decided.extend(decisions)
        return decided

    assert run(ticking=True) == run(ticking=False)


@pytest.mark.parametrize("ending", [Resign, Abandon])
def test_a_game_that_is_over_ignores_further_facts(ending: type[Resign] | type[Abandon]) -> None:
    state, _ = step(begin(SETTINGS), Game(0, "finkel", first=Side.LIGHT))
    state, _ = step(state, Occupancy(0, 0))
    state, decisions = step(state, ending(10, Side.LIGHT))
    assert state.phase is Phase.OVER
    assert len(decisions) == 1
    for fact in (Edge(20, 3, True), Die(30, 1, "rolling"), Time(60_000)):
        state, decisions = step(state, fact)
        assert decisions == ()


def corrected(state: State) -> State:
    """Set the board to the position and leave it alone; an open question stays open."""
    state, _ = step(state, Occupancy(state.t + 1, state.position.occupancy))
    for _ in range(3):
        state, _ = step(state, Time(state.t + 4_000))
    return state


def throw_all(state: State) -> tuple[State, list[Decision]]:
    """Let every die be found, tumble and settle, one after the other."""
    decided: list[Decision] = []
    face = "g" if state.position.rules.dice.body == "d4" else "3"
    for die in state.throwing():
        for fact in (
            Die(state.t + 1, die, "found"),
            Die(state.t + 2, die, "rolling"),
            Die(state.t + 600, die, "settled", face, tumbled=True),
        ):
            state, decisions = step(state, fact)
            decided.extend(decisions)
    return state, decided


@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "finkel", "freecompany", "ravensburger"))
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_a_correct_board_and_a_throw_continue_the_game_from_any_state(
    rules: str, data: st.DataObject
) -> None:
    kind = rule_set(rules)
    state, _ = step(begin(SETTINGS), Game(0, rules, first=data.draw(st.sampled_from(list(Side)))))
    for wait, fact in data.draw(st.lists(facts(kind.dice.body), max_size=60)):
        state, _ = step(state, at(fact, state.t + wait))
    if state.phase is Phase.OVER:
        return
    state = corrected(state)
    assert state.warning is None
    if state.phase is Phase.MOVE:
        state, _ = step(state, Answer(state.t + 1, move=state.stage.candidates[0].text))
        if state.phase is Phase.OVER:
            return
        state = corrected(state)
        assert state.warning is None
    assert state.phase is Phase.THROW
    _, decided = throw_all(state)
    assert any(isinstance(one, Roll) for one in decided), decided
