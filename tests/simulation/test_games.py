"""Whole games at the virtual table, without a referee."""

from itertools import pairwise

import pytest

from tests.slow import slow_except
from urpi.rules import PASS, RULE_SETS, Position, Side, Starter, rule_set
from urpi.simulation import Outputs, SimulatedPlayers, VirtualTable, behaviour

STABLE_MS = 5
STILL_MS = 150


def players(rules, name="calm", **more):
    first = Side.DARK if rules.starter in {Starter.DRAWN, Starter.CHOICE} else None
    return SimulatedPlayers(behaviour=behaviour(name), first=first, **more)


def played(rules, seed, name="calm", max_turns=None):
    """Return a table whose game was played, and its raw edges with their times."""
    edges = []

    def edge(square, on):
        edges.append((table.schedule.now, square, on))

    table = VirtualTable(rules, seed, Outputs(edge=edge), players=players(rules, name))
    table.play_out(max_turns)
    return table, edges


def occupancies_at_rest(edges):
    """Return the stable sets of occupied squares in order, after a simple debouncing."""
    levels = 0
    occupancies = [0]
    for (t, square, on), (later, _, _) in pairwise([*edges, (10**9, 0, False)]):
        levels = levels | 1 << square if on else levels & ~(1 << square)
        if later - t >= STILL_MS and occupancies[-1] != levels:
            occupancies.append(levels)
    return occupancies


def appear_in_order(expected, occupancies):
    """Return whether all expected items occur, in their order."""
    rest = iter(occupancies)
    return all(any(occupancy == one for one in rest) for occupancy in expected)


def positions(table):
    """Return the occupied squares after each turn, without repetitions."""
    found = [turn.before.occupancy for turn in table.game.turns] + [table.game.position.occupancy]
    return [one for before, one in pairwise([-1, *found]) if one != before]


@pytest.mark.parametrize("seed", range(5))
def test_the_edges_of_a_calm_game_show_every_true_position_at_rest(seed):
    table, edges = played(rule_set("finkel"), seed)

    assert table.game.winner is not None
    assert appear_in_order(positions(table), occupancies_at_rest(edges))


@pytest.mark.parametrize("name", slow_except(["calm", "lively", "clumsy"], "clumsy"))
@pytest.mark.parametrize(
    "rules", slow_except(RULE_SETS, "finkel", "skiryuk", "ravensburger", "freecompany")
)
def test_the_pieces_match_the_true_position_after_any_behaviour(rules, name):
    table, _ = played(rule_set(rules), 7, name, max_turns=120)

    assert table.pieces.shows(table.game.position)
    assert table.reeds.levels == table.game.position.occupancy


@pytest.mark.parametrize(
    "rules", slow_except(RULE_SETS, "finkel", "skiryuk", "ravensburger", "freecompany")
)
def test_the_turns_of_the_true_game_are_legal_and_consecutive(rules):
    table, _ = played(rule_set(rules), 3, "clumsy", max_turns=150)

    position: Position = table.game.turns[0].before
    for turn in table.game.turns:
        assert turn.before == position
        throw = position.rules.dice.throw(turn.faces)
        legal = position.rules.legal_moves(position, throw) or (PASS,)
        moves = {move.text: move for move in legal}
        assert turn.move in moves
        if not turn.taken_back:
            position = position.rules.play(position, throw, moves[turn.move])
    assert str(position) == str(table.game.position)


def test_the_same_seed_produces_the_same_edges():
    rules = rule_set("finkel")

    assert played(rules, 11, "clumsy", 40)[1] == played(rules, 11, "clumsy", 40)[1]


def test_another_seed_produces_other_edges():
    rules = rule_set("finkel")

    assert played(rules, 11, max_turns=40)[1] != played(rules, 12, max_turns=40)[1]


def test_both_sides_throw_for_the_start_until_one_throw_is_higher():
    table, _ = played(rule_set("finkel"), 5, max_turns=1)

    (light, higher), (dark, lower) = table.game.start_throws[-2:]
    assert (light, dark) == (Side.LIGHT, Side.DARK)
    assert higher.value != lower.value
    assert table.game.turns[0].side is (light if higher.value > lower.value else dark)


@pytest.mark.parametrize("own_dice", [False, True])
def test_players_share_dice_or_have_their_own(own_dice):
    thrown = []
    rules = rule_set("finkel3")
    table = VirtualTable(
        rules, 1, Outputs(die=thrown.append), players=players(rules, own_dice=own_dice)
    )
    table.play_out(max_turns=6)

    assert {report.die for report in thrown} == set(range(1, 7 if own_dice else 4))


def test_a_piece_that_bears_off_passes_the_chute():
    passed = []
    rules = rule_set("finkel", {"pieces": "3"})
    table = VirtualTable(rules, 2, Outputs(chute=passed.append), players=players(rules))
    table.play_out()

    assert (passed.count(Side.LIGHT), passed.count(Side.DARK)) == table.game.position.off
