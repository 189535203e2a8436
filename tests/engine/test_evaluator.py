"""What follows from values: the order of moves, expectation, luck and loss."""

from collections.abc import Iterator
from random import Random

import pytest

from tests.engine.review.games import Arbitrary
from urpi.engine.evaluator import (
    CANDIDATES,
    EvaluatorKind,
    best_value,
    deep_move_values,
    expected_value,
    loss,
    luck,
    move_values,
    should_decline,
    value_after,
    value_for,
)
from urpi.rules import PASS, Position, RuleSet, Side, parse_move, parse_position, parse_rules


class Progress:
    """An evaluator that counts the squares that both sides have advanced."""

    kind = "test"

    @staticmethod
    def value(position: Position) -> float:
        """Return one half plus a hundredth for each square that the side to throw is ahead."""
        assert position.turn is not None
        rules = position.rules
        done = [
            sum(
                rules.path(side).index(n) + 1
                for n, pile in enumerate(position.board)
                if side.letter in pile
            )
            for side in (position.turn, position.turn.other)
        ]
        return 0.5 + (done[0] - done[1]) / 100


PROGRESS = Progress()


class Material:
    """An evaluator that counts the pieces in hand."""

    kind = "test"

    @staticmethod
    def value(position: Position) -> float:
        """Return more for each piece that the side to throw has in hand."""
        assert position.turn is not None
        return 0.52 + position.hand[position.turn.number] / 100


class Constant:
    """An evaluator without knowledge."""

    kind = "test"

    @staticmethod
    def value(position: Position) -> float:
        """Return one half."""
        assert position.turn is not None
        return 0.5


CONSTANT = Constant()


def test_moves_are_sorted_by_the_movers_value() -> None:
    position = parse_position("finkel A3:L,B1:L L5D7 L0D0 L")
    found = move_values(PROGRESS, position, position.rules.dice.throw("gs--"))
    # +A3 is blocked by an own piece; A1 is a rosette, but two squares are two squares.
    assert [(each.move.text, round(each.value, 2)) for each in found] == [
        ("A3-A1", 0.59),
        ("B1-B3", 0.59),
    ]


def test_the_turn_decides_whose_value_it_is() -> None:
    position = parse_position("finkel A4:L L6D7 L0D0 D")
    assert value_for(PROGRESS, position, Side.DARK) == pytest.approx(0.49)
    assert value_for(PROGRESS, position, Side.LIGHT) == pytest.approx(0.51)


def test_a_game_that_is_over_is_won_lost_or_drawn() -> None:
    won = parse_position("finkel - L0D7 L7D0 =")
    assert (value_for(PROGRESS, won, Side.LIGHT), value_for(PROGRESS, won, Side.DARK)) == (1, 0)
    assert move_values(PROGRESS, won, won.rules.dice.throw("g---")) == []


def test_a_throw_without_a_move_is_a_pass() -> None:
    position = parse_position("finkel A4:L L6D7 L0D0 L")
    found = move_values(PROGRESS, position, position.rules.dice.throw("----"))
    assert [each.move.text for each in found] == ["pass"]
    assert found[0].value == pytest.approx(0.51)


def test_the_expected_value_weighs_every_throw() -> None:
    # From the start each throw enters a piece as many squares, and light throws again on A1.
    position = parse_position("finkel - L7D7 L0D0 L")
    weights = {0: 1, 1: 4, 2: 6, 3: 4, 4: 1}
    expected = sum(weight * (0.5 + throw / 100) for throw, weight in weights.items()) / 16
    assert expected_value(PROGRESS, position) == pytest.approx(expected)


def test_luck_is_the_difference_to_the_expected_value() -> None:
    position = parse_position("finkel - L7D7 L0D0 L")
    throw = position.rules.dice.throw("gsgs")
    assert best_value(PROGRESS, position, throw) == pytest.approx(0.54)
    assert luck(PROGRESS, position, throw) == pytest.approx(0.02)


def test_loss_is_the_difference_to_the_best_move() -> None:
    position = parse_position("finkel B1:L,B6:D L6D6 L0D0 L")
    throw = position.rules.dice.throw("g---")
    assert loss(PROGRESS, position, throw, parse_move("B1-B2")) == 0
    assert loss(PROGRESS, position, throw, parse_move("+A4")) == 0
    capture = parse_position("finkel B5:L,B6:D L6D6 L0D0 L")
    assert loss(PROGRESS, capture, throw, parse_move("+A4")) == pytest.approx(0.10)


def test_a_second_ply_looks_at_the_next_throw() -> None:
    position = parse_position("finkel A3:L,B1:D,B2:L L5D6 L0D0 L")
    throw = position.rules.dice.throw("gs--")
    found = {each.move.text: each.value for each in deep_move_values(PROGRESS, position, throw)}
    after = position.rules.play(position, throw, parse_move("B2-B4"))
    assert after.turn is Side.LIGHT
    assert found["B2-B4"] == pytest.approx(expected_value(PROGRESS, after))
    assert set(found) == {each.move.text for each in move_values(PROGRESS, position, throw)}


def test_moves_beyond_the_candidates_stay_behind_them() -> None:
    position = parse_position("freecompany A1:L,B2:L,B4:L L4D7 L0D0 L")
    throw = position.rules.dice.throw("gs")
    one = move_values(CONSTANT, position, throw)
    two = deep_move_values(CONSTANT, position, throw)
    assert len(one) == len(two) > CANDIDATES
    assert [each.move for each in two[CANDIDATES:]] == [each.move for each in one[CANDIDATES:]]
    values = [each.value for each in two]
    assert values == sorted(values, reverse=True)


def test_two_plies_of_a_game_that_is_over_are_none() -> None:
    won = parse_position("finkel - L0D7 L7D0 =")
    assert deep_move_values(PROGRESS, won, won.rules.dice.throw("g---")) == []


def test_a_repetition_counts_as_a_draw_where_there_are_draws() -> None:
    # Dark entered on B1; light can capture it there, as often as dark enters again.
    position = parse_position("freecompany A1:L,B1:D,B4:L,B6:L,C3:D L4D5 L0D0 L")
    throw = position.rules.dice.throw("g-")
    for values in (move_values, deep_move_values):
        found = {each.move.text: each.value for each in values(Material(), position, throw)}
        entry = parse_move("+xB1")
        seen = {position.rules.play(position, throw, entry)}
        again = {each.move.text: each.value for each in values(Material(), position, throw, seen)}
        assert found["+xB1"] != 0.5
        assert again["+xB1"] == 0.5
        assert list(again.values()) == sorted(again.values(), reverse=True)


def test_a_repetition_in_a_race_has_its_value() -> None:
    position = parse_position("finkel A4:L L6D7 L0D0 L")
    throw = position.rules.dice.throw("----")
    seen = {position.rules.play(position, throw, PASS)}
    assert move_values(PROGRESS, position, throw, seen)[0].value == pytest.approx(0.51)


class ArbitraryExact(Arbitrary):
    """Values that are not averaged over the next throw."""

    kind: EvaluatorKind = "exact"


def extra_throws(rules: RuleSet, random: Random, number: int) -> Iterator[Position]:
    """Yield positions of random games in which a side has an extra throw."""
    while number:
        position = rules.start(Side.LIGHT)
        while number and position.turn is not None:
            side, throw = position.turn, rules.dice.roll(random.random())
            moves = rules.legal_moves(position, throw)
            position = rules.play(position, throw, random.choice(moves) if moves else PASS)
            if moves and position.turn is side:
                yield position
                number -= 1


@pytest.mark.parametrize("rules", ["freecompany", "finkel[decline=yes]", "bell[decline=yes]"])
def test_an_extra_throw_is_worth_as_much_as_declining_it_at_least(rules: str) -> None:
    kind, random, better = parse_rules(rules), Random(rules), set()
    made_anyway, values = parse_rules(f"{kind.id}[decline=no]"), ArbitraryExact()
    for position in extra_throws(kind, random, 200):
        side = position.turn
        assert side is not None
        made = value_for(values, position, side)
        declined = value_for(values, kind.decline(position), side)
        assert value_after(values, position, side) == max(made, declined)
        assert should_decline(values, position) is (declined > made)
        forced = Position(made_anyway, position.state, side)
        assert value_after(values, forced, side) == value_for(values, forced, side)
        better.add(declined > made)
    assert better == {True, False}
