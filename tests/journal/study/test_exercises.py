"""Exercises from reviewed games, and the order in which they are set."""

import json
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from tests.engine.review.games import Arbitrary, random_game
from tests.slow import slow_except
from urpi.engine.review import Review, review_record
from urpi.engine.review.marks import BAD, mistake_mark
from urpi.engine.review.review import MAX_CHOICES
from urpi.journal.study import (
    Choice,
    Exercise,
    exercise_values,
    exercises_of,
    parse_exercise,
    stack_of,
)
from urpi.journal.study.exercises import MAX_OF_SIDE
from urpi.rules import RULE_SETS, Side, parse_position, parse_rules

HOUSE_RULES = ("finkel[decline=yes]", "freecompany[path=orthogonal]")
RULES = slow_except([*RULE_SETS, *HOUSE_RULES], "finkel", "ravensburger")


@cache
def reviews(rules: str) -> tuple[Review, ...]:
    """Review random games, in which most moves are mistakes by arbitrary values."""
    random = Random(rules)
    games = [random_game(parse_rules(rules), random, 60) for _ in range(3)]
    return tuple(review_record(game, Arbitrary()) for game in games)


@pytest.mark.parametrize("rules", RULES)
def test_an_exercise_asks_for_one_of_all_legal_moves_of_its_throw(rules: str) -> None:
    for review in reviews(rules):
        for one in exercises_of(12, review):
            thrown = review.throws[one.throw - 1]
            position = parse_position(one.position)
            throw = position.rules.dice.throw(one.faces)
            legal = [move.text for move in position.rules.legal_moves(position, throw)]
            assert sorted(legal) == sorted(choice.move for choice in one.choices)
            assert 2 <= len(legal) <= MAX_CHOICES
            assert (thrown.side, str(thrown.position)) == (one.side, one.position)
            assert thrown.played is not None
            assert (thrown.played.text, thrown.best.text) == (one.played, one.best.move)
            values = [choice.value for choice in one.choices]
            assert values == sorted(values, reverse=True)
            assert one.best.value == pytest.approx(thrown.best_value, abs=1e-6)


@pytest.mark.parametrize("rules", RULES)
def test_every_mistake_among_a_few_moves_has_its_choices(rules: str) -> None:
    found = [each for review in reviews(rules) for each in review.throws]
    for each in found:
        missed = each.mistake is not None and each.played != each.best
        assert bool(each.choices) == (missed and each.legal <= MAX_CHOICES)
    assert any(each.choices for each in found) or rules.startswith("freecompany")


@pytest.mark.parametrize("rules", RULES)
def test_exercises_are_the_worst_mistakes_of_each_side(rules: str) -> None:
    for review in reviews(rules):
        found = exercises_of(12, review)
        assert [one.throw for one in found] == sorted({one.throw for one in found})
        for side in Side:
            own = [one for one in found if one.side is side]
            assert len(own) <= MAX_OF_SIDE
            assert all(one.loss >= BAD for one in own)
            chosen = {one.throw for one in own}
            # The loss of a throw includes a wrong decision about an extra throw, that of a move
            # does not.
            others = [
                each.best_value - {move.move: move.value for move in each.choices}[each.played]
                for number, each in enumerate(review.throws, 1)
                if each.side is side and each.choices and each.played and number not in chosen
            ]
            if len(own) == MAX_OF_SIDE:
                assert max(others, default=0) <= min(one.loss for one in own) + 1e-5
            else:
                assert max(others, default=0) < BAD + 1e-5


def test_a_move_is_good_if_it_has_no_mark() -> None:
    for review in reviews("finkel"):
        for one in exercises_of(1, review):
            assert one.is_good(one.best.move)
            assert not one.is_good(one.played)
            for move, value in one.choices:
                assert one.is_good(move) == (mistake_mark(one.best.value - value) is None)


def test_exercises_are_read_as_they_were_stored() -> None:
    for review in reviews("finkel"):
        found = exercises_of(5, review)
        texts = [json.dumps(exercise_values(one)) for one in found]
        assert tuple(parse_exercise(5, json.loads(text)) for text in texts) == found


POSITION = "finkel A4:L,C4:D L6D6 L0D0 L"
EXERCISE = Exercise(
    1,
    1,
    Side.LIGHT,
    POSITION,
    "g---",
    "+A4",
    (Choice("A4-A3", 0.6), Choice("+A4", 0.5)),
    "estimated",
)
"""Its position is only compared."""


def make(game: int, throw: int, loss: float) -> Exercise:
    choices = Choice("A4-A3", 0.6), Choice("+A4", 0.6 - loss)
    return replace(
        EXERCISE, game=game, throw=throw, position=f"{POSITION} {game} {throw}", choices=choices
    )


@pytest.mark.parametrize("seed", range(20))
def test_repetitions_come_before_new_exercises_and_each_is_counted_once(seed: int) -> None:
    random, day = Random(seed), 739_000
    exercises = [
        make(game, throw, random.choice((0.04, 0.1, random.random() / 2)))
        for game in range(random.randrange(8))
        for throw in range(random.randrange(5))
    ]
    answers = {
        one.key: [
            (day - ago, random.random() < 0.8)
            for ago in sorted(random.randrange(60) for _ in range(random.randrange(7)))[::-1]
        ]
        for one in exercises
        if random.random() < 0.7
    }
    random.shuffle(exercises)
    stack = stack_of(exercises, answers, day)
    assert len(stack.due) + len(stack.new) + stack.later + stack.known == len(exercises)
    assert stack.next == (*stack.due, *stack.new, None)[0]
    assert all(answers.get(one.key) for one in stack.due)
    assert not any(answers.get(one.key) for one in stack.new)
    losses = [one.loss for one in stack.new]
    assert losses == sorted(losses, reverse=True)
    if stack.next_day is not None:
        assert stack.next_day > day
        later = stack_of(exercises, answers, stack.next_day)
        assert len(later.due) > len(stack.due)
        assert len(stack_of(exercises, answers, stack.next_day - 1).due) == len(stack.due)


def test_the_same_position_and_throw_is_set_once_from_its_oldest_game() -> None:
    first = replace(EXERCISE, faces="gs--")
    again = replace(EXERCISE, game=4, faces="-g-s")
    other = replace(EXERCISE, game=3, faces="ggs-")
    stack = stack_of([again, other, first], {}, 739_000)
    assert set(stack.new) == {first, other}
