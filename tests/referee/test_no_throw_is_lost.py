"""Every die that tumbled and settled is counted, refused, or pending while a player is asked."""

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.referee.playing import Desk
from tests.referee.positions import reached
from urpi.referee import Phase, snapshot, throws
from urpi.referee.decisions import NO_MOVE, Decision, Roll, RollRefused, Starts, ThrowForStart
from urpi.referee.facts import Answer, Occupancy, Plan
from urpi.referee.stages import Moving
from urpi.rules import ALL_SQUARES, RULE_SETS, SQUARE_NAMES, Side, rule_set, squares_of

SIDES = [None, *Side]


def throw_slowly(desk: Desk, faces: str, rng: Random, between: list[str]) -> None:
    """Throw the dice one after another; `between` are squares that change meanwhile."""
    dice = range(1, len(faces) + 1)
    for die in dice:
        desk.die(die, "rolling")
    for die in rng.sample(dice, len(faces)):
        desk.wait(rng.randrange(20, 900))
        if between and rng.random() < 0.5:
            change(desk, between.pop())
        desk.die(die, "settled", faces[die - 1], tumbled=True)


def change(desk: Desk, square: str) -> None:
    """Lift the piece of a square, or put one there."""
    on = desk.state.contacts.raw >> SQUARE_NAMES.index(square) & 1
    desk.lift(square) if on else desk.put(square)


def unaccounted(desk: Desk, decided: list[Decision], count: int) -> set[int]:
    """Return the dice of a throw of `count` that were neither counted nor refused, nor are kept."""
    refused = {die for one in decided if isinstance(one, RollRefused) for die in one.dice}
    counted = any(isinstance(one, Roll) for one in decided) or started(decided)
    lying = {die for die in desk.state.dice if throws.state_of(desk.state.dice, die).lies}
    is_throwing = desk.state.phase in {Phase.THROW, Phase.START_THROW}
    kept = set(desk.state.pending.faces) | (lying if is_throwing else set())
    return set() if counted else set(range(1, count + 1)) - refused - kept


def started(decided: list[Decision]) -> bool:
    """Return whether a throw for the start counted: the other side was to throw after it."""
    return sum(isinstance(one, ThrowForStart | Starts) for one in decided) > 1


@pytest.mark.parametrize("rules", list(RULE_SETS))
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    wrong=st.lists(st.sampled_from(ALL_SQUARES), max_size=4, unique=True),
    changes=st.lists(st.sampled_from(SQUARE_NAMES), max_size=3),
    first=st.sampled_from(SIDES),
    corrects=st.booleans(),
)
def test_no_die_is_lost_in_the_set_up(
    rules: str,
    seed: int,
    wrong: list[int],
    changes: list[str],
    first: Side | None,
    corrects: bool,
) -> None:
    rng, count = Random(seed), rule_set(rules).dice.count
    desk = Desk.new(rules, first=first)
    for die in range(1, count + 1):
        desk.die(die, "found").die(die, "handled")
    desk.do(Occupancy(desk.t, squares_of(wrong)))
    desk.wait(rng.randrange(4000))
    for square in changes[:1]:
        change(desk, square)
        desk.wait(rng.randrange(3000))
    throw_slowly(desk, rule_set(rules).dice.roll(rng.random()).faces, rng, changes[1:])
    if corrects:
        desk.wait(rng.randrange(3000)).do(Occupancy(desk.t, 0))
    desk.wait(6000)
    assert not unaccounted(desk, desk.decided, count), desk.pop_decisions()


@pytest.mark.parametrize("rules", list(RULE_SETS))
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    changes=st.lists(st.sampled_from(SQUARE_NAMES), max_size=3),
    answers=st.booleans(),
)
def test_no_die_is_lost_while_another_throw_is_unplayed(
    rules: str, seed: int, changes: list[str], answers: bool
) -> None:
    rng = Random(seed)
    position = reached(rules, rng, rng.randrange(5, 80))
    desk = Desk.at(str(position)).wait(300)
    dice = position.rules.dice
    desk.throw(dice.roll(rng.random()).faces).wait(rng.randrange(200, 3000))
    for square in changes[:1]:
        change(desk, square)
        desk.wait(rng.randrange(2000))
    desk.pop_decisions()
    throw_slowly(desk, dice.roll(rng.random()).faces, rng, changes[1:])
    if answers and desk.state.asks_for_move:
        desk.do(Answer(desk.t, move=desk.state.choices[0]))
    desk.wait(6000)
    assume(desk.state.phase is not Phase.OVER)
    assert not unaccounted(desk, desk.decided, dice.count), desk.pop_decisions()


@pytest.mark.parametrize("rules", list(RULE_SETS))
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_refused_die_counts_before_it_is_thrown_again(rules: str, seed: int) -> None:
    """Dice are thrown and forgotten one by one, while moves are made and taken back."""
    rng = Random(seed)
    position = reached(rules, rng, rng.randrange(5, 80))
    desk, dice = Desk.at(str(position)).wait(300), position.rules.dice
    desk.throw(dice.roll(rng.random()).faces).wait(rng.randrange(200, 1500))
    refused = set[int]()
    for _ in range(5):
        legal = snapshot(desk.state).legal
        moved = rng.choice(legal).partition("x")[0] if legal and rng.random() < 0.8 else ""
        squares = [each for each in moved.replace("+", "-").split("-") if each in SQUARE_NAMES]
        acts = [*squares, *reversed(squares), *squares][: rng.randrange(7)]
        thrown = rng.sample(range(1, dice.count + 1), rng.randint(1, dice.count))
        for die in thrown:
            desk.die(die, "rolling")
            refused.discard(die)
        acts += [str(die) for die in thrown]
        for act in rng.sample(acts, len(acts)):
            desk.wait(rng.randrange(20, 900))
            if not act.isdigit():
                change(desk, act)
                continue
            desk.decided.clear()
            desk.die(int(act), "settled", rng.choice(sorted(dice.faces)), tumbled=True)
            note(desk, refused)
        desk.decided.clear()
        desk.wait(rng.randrange(3000))
        note(desk, refused)


@pytest.mark.parametrize("settles_ms", range(20, 500, 60))
def test_the_rest_of_a_throw_is_refused_with_the_dice_that_a_takeback_refuses(
    settles_ms: int,
) -> None:
    """Light moves B4 in place of its entry, while dark's dice roll."""
    desk = Desk.at("bell A1:L,B1:L,B3:L,B4:L,B6:D,C1:D L2D0 L1D5 L").wait(300)
    desk.throw("g--").wait(800).put("A4").wait(850).lift("A4").wait(500).lift("B4").wait(500)
    for die in (1, 2, 3):
        desk.die(die, "rolling")
    desk.wait(500).die(1, "settled", "s", tumbled=True).put("B5").wait(settles_ms)
    desk.die(3, "settled", "-", tumbled=True).wait(400).die(2, "settled", "s", tumbled=True)
    desk.wait(600)
    assert "move B4-B5" in desk.pop_decisions()
    desk.throw("--", (1, 3)).wait(1_000)
    assert desk.pop_decisions() == []
    assert desk.throw("s", (2,)).pop_decisions() == ["roll 1"]


@pytest.mark.parametrize("rests_ms", range(10, 150, 20))
def test_a_refused_die_that_settles_after_the_move_does_not_count(rests_ms: int) -> None:
    """Dark throws before light's capture has begun; then one die is out of reach."""
    desk = Desk.at("coursework A8:L,B6:L,B7:D,C1:D,C3:D L3D2 L2D2 L").wait(300)
    desk.throw("g--").wait(500).lift("B7").wait(400)
    for die in (1, 2, 3):
        desk.die(die, "rolling")
    desk.wait(600).die(2, "settled", "-", tumbled=True)
    desk.wait(100).lift("B6").wait(30).put("B7").wait(rests_ms)
    desk.die(3, "settled", "s", tumbled=True).wait(100).die(1, "settled", "-", tumbled=True)
    desk.wait(1_200)
    decided = desk.pop_decisions()
    assert "roll-refused unplayed-throw" in decided
    assert decided[-1] == "move B6xB7"
    desk.die(3, "lost").throw("ss", (1, 2)).wait(1_000)
    assert not [one for one in desk.pop_decisions() if one.startswith("roll")]


def note(desk: Desk, refused: set[int]) -> None:
    """Add the dice that have been refused, and check that none of them has counted."""
    for one in desk.decided:
        if isinstance(one, RollRefused):
            refused |= set(one.dice)
        assert not (isinstance(one, Roll) and refused), (one, refused)


@pytest.mark.parametrize("own_dice", [False, True])
@settings(max_examples=25, deadline=None)
@given(
    rules=st.sampled_from(["ravensburger", "skiryuk"]),
    seed=st.integers(0, 2**32),
    answer=st.integers(0, 5),
)
def test_a_throw_before_a_move_without_a_trace_counts_only_with_the_opponents_own_dice(
    own_dice: bool, rules: str, seed: int, answer: int
) -> None:
    rng = Random(seed)
    position = reached(rules, rng, rng.randrange(10, 80))
    dice, side = position.rules.dice, position.turn
    assert side is not None
    sets = tuple(range(1, dice.count + 1)), tuple(range(dice.count + 1, 2 * dice.count + 1))
    desk = Desk.new(rules, position=str(position), dice=sets if own_dice else None)
    desk.do(Occupancy(0, position.occupancy))
    for die in (*sets[0], *sets[1]):
        desk.die(die, "handled")
    desk.wait(300)
    desk.throw(dice.roll(rng.random()).faces, sets[side.number if own_dice else 0]).wait(3000)
    desk.decided.clear()
    desk.throw(dice.roll(rng.random()).faces, sets[side.other.number if own_dice else 0])
    choices = [each for each in desk.state.choices if each != NO_MOVE]
    if desk.state.seeming is not None:
        choices.append(desk.state.seeming.candidate.text)
    assume(choices)
    desk.answer(move=choices[answer % len(choices)])
    assume(desk.state.position.turn is side.other)
    assert any(isinstance(one, Roll) for one in desk.decided) == own_dice
    assert any(isinstance(one, RollRefused) for one in desk.decided) != own_dice


@pytest.mark.parametrize("rules", list(RULE_SETS))
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    changes=st.lists(st.sampled_from(SQUARE_NAMES), max_size=4, unique=True),
)
def test_no_question_offers_a_move_that_two_switches_contradict_unless_neither_changed(
    rules: str, seed: int, changes: list[str]
) -> None:
    rng = Random(seed)
    position = reached(rules, rng, rng.randrange(5, 80))
    desk = Desk.at(str(position)).wait(300)
    dice = position.rules.dice
    desk.throw(dice.roll(rng.random()).faces).wait(500)
    for square in changes:
        change(desk, square)
    for _ in range(4):
        if desk.state.asks_for_move and isinstance(desk.state.stage, Moving):
            candidates = {each.text: each for each in desk.state.stage.candidates}
            assert len(desk.state.choices) > 1
            for text in set(desk.state.choices) - {NO_MOVE}:
                raw = desk.state.contacts.raw
                wrong = (raw ^ candidates[text].occupancy) & ~desk.state.mask
                # The first throw may have been played: a lifted piece can be a move.
                changed = raw ^ desk.state.position.occupancy
                are_dead = wrong.bit_count() == 2 and not wrong & changed
                assert wrong.bit_count() <= 1 or are_dead, text
        desk.wait(2600).throw(dice.roll(rng.random()).faces)


@pytest.mark.parametrize("rules", list(RULE_SETS))
@pytest.mark.parametrize("engine", [False, True])
@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    acts=st.lists(
        st.one_of(st.sampled_from(SQUARE_NAMES), st.sampled_from([200, 2600, 13_000, 61_000, 0])),
        max_size=8,
    ),
    press=st.sampled_from(["short", "long"]),
)
def test_a_question_never_has_one_answer(
    rules: str, engine: bool, seed: int, acts: list[str | int], press: str
) -> None:
    rng = Random(seed)
    position = reached(rules, rng, rng.randrange(80))
    dice, side = position.rules.dice, position.turn
    assert side is not None
    desk = Desk.at(str(position), engine=engine)
    desk.wait(300).throw(dice.roll(rng.random()).faces).wait(500)
    if engine and isinstance(desk.state.stage, Moving):
        legal = desk.state.stage.moves.all
        desk.do(Plan(desk.t, side, rng.choice(legal).text))
    for act in acts:
        match act:
            case str():
                change(desk, act)
                desk.wait(rng.choice([20, 300]))
            case 0:
                desk.throw(dice.roll(rng.random()).faces)
            case _:
                desk.wait(act)
        question = desk.state.question
        if question is not None:
            assert len(set(question.choices)) > 1, question
            desk.press(question.question.side, press)


@pytest.mark.parametrize("rules", ["ravensburger", "skiryuk"])
def test_that_no_move_was_made_yet_is_an_answer(rules: str) -> None:
    # No switch shows that a piece enters on A4, and for a minute nothing else happens.
    rest, faces = {"ravensburger": ("L9D9", "1"), "skiryuk": ("L6D6", "g--")}[rules]
    desk = Desk.at(f"{rules} A4:L,C2:D {rest} L0D0 L").wait(300)
    desk.throw(faces).wait(61_000)
    assert desk.state.choices == ("+A4", NO_MOVE)
    desk.pop_decisions()
    desk.answer(move=NO_MOVE).wait(61_000)
    assert desk.pop_decisions() == []
    assert desk.state.question is None
    desk.answer(move=NO_MOVE)
    assert desk.pop_decisions() == ["refused not-legal"]
    desk.answer(move="+A4")
    assert desk.pop_decisions() == ["move +A4"]


@pytest.mark.parametrize("rules", list(RULE_SETS))
@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), which=st.integers(0), waits_ms=st.integers(0, 60_000))
def test_a_move_that_two_dead_switches_hide_can_be_answered_once_dice_were_thrown_twice_again(
    rules: str, seed: int, which: int, waits_ms: int
) -> None:
    rng = Random(seed)
    position = reached(rules, rng, rng.randrange(5, 80))
    desk = Desk.at(str(position)).wait(300)
    dice = position.rules.dice
    desk.throw(dice.roll(rng.random()).faces).wait(3000)
    stage = desk.state.stage
    assume(isinstance(stage, Moving))
    assert isinstance(stage, Moving)
    evidence = desk.state.evidence()
    hidden = [
        each for each in stage.candidates if evidence.differs(each.occupancy).bit_count() == 2
    ]
    # A second throw confirms the only move that may have been made unseen.
    unseen = [each for each in stage.candidates if not evidence.differs(each.occupancy)]
    assume(hidden and len(unseen) != 1)
    made = hidden[which % len(hidden)]
    for _ in range(3):
        desk.throw(dice.roll(rng.random()).faces).wait(2000)
    desk.wait(waits_ms)
    assert made.text in desk.state.choices
    desk.pop_decisions()
    desk.answer(move=made.text)
    decided = desk.pop_decisions()
    assert f"move {made.text}" in decided
    assert sum(one.startswith("fault stuck-") for one in decided) == 2
