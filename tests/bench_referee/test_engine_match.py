"""Matches with duplicate dice: scores, intervals, losses, and the command."""

import json
from collections.abc import Container
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from tests.engine.exact.made import made_table
from tests.slow import mostly_slow
from tools.bench.__main__ import bench
from tools.bench.engine_match import Estimate, MatchResults, MatchSetup, play_pair, simulated
from urpi.core.errors import UrpiError
from urpi.engine.evaluator import move_values
from urpi.engine.exact.values import ExactValues
from urpi.engine.network_file import network
from urpi.rules import Move, Position, Throw, parse_rules
from urpi.simulation.behaviour import PLAYERS

RULES = "finkel[pieces=3]"


def play(
    one: str, other: str, pairs: int, rules: str = RULES, max_throws: int = 2000
) -> MatchResults:
    """Return a match between simulated players."""
    match, clock = MatchResults(), iter(range(10**9))
    table = MatchSetup(parse_rules(rules), None, lambda: next(clock), max_throws)
    for number in range(pairs):
        play_pair(
            table, simulated(PLAYERS[one]), simulated(PLAYERS[other]), f"pair {number}", match
        )
    return match


def test_greedy_beats_random_moves_and_no_luck_is_left() -> None:
    match = play("greedy", "random", 40)
    assert Estimate.of(match.scores).mean > 0.6
    assert set(match.scores) <= {0, 0.5, 1}
    assert match.seconds == [1] * len(match.seconds)


def test_a_player_without_randomness_draws_against_itself() -> None:
    def first(_rng: Random, _position: Position, _throw: Throw, legal: tuple[Move, ...]) -> Move:
        return legal[0]

    match = MatchResults()
    table = MatchSetup(parse_rules(RULES), None, lambda: 0.0, 2000)
    for number in range(10):
        play_pair(table, simulated(first), simulated(first), f"pair {number}", match)
    assert match.scores == [0.5] * 10


def test_a_stopped_game_counts_half() -> None:
    match = play("random", "random", 3, max_throws=5)
    assert (match.scores, match.capped, match.throws) == ([0.5] * 3, 6, 30)


def test_an_estimate_has_a_95_percent_interval() -> None:
    assert Estimate.of([0.5]).margin == float("inf")
    found = Estimate.of([0, 1] * 50)
    assert found.mean == 0.5
    assert found.margin == pytest.approx(1.96 * 0.50252 / 10, rel=1e-4)


def test_the_losses_of_a_judge_add_up(tmp_path: Path) -> None:
    rules = parse_rules(RULES)
    with ExactValues(made_table(tmp_path / "any.table", RULES)) as judge:

        def best(_rng: Random, position: Position, throw: Throw, _legal: tuple[Move, ...]) -> Move:
            return move_values(judge, position, throw)[0].move

        match = MatchResults()
        table = MatchSetup(rules, judge, lambda: 0.0, 300)
        play_pair(table, simulated(best), simulated(PLAYERS["random"]), "seed", match)
        assert set(match.losses) == {0}
        assert match.adjusted[0] > 0.5
        other = MatchResults()
        play_pair(table, simulated(PLAYERS["random"]), simulated(best), "seed", other)
        assert sum(other.losses) == pytest.approx(2 * (0.5 - other.adjusted[0]))


@pytest.mark.parametrize("rules", mostly_slow(["finkel", "masters", "ravensburger"], 1))
def test_a_network_beats_random_moves(rules: str) -> None:
    evaluator = network(parse_rules(rules))

    def best(_rng: Random, position: Position, throw: Throw, _legal: tuple[Move, ...]) -> Move:
        return move_values(evaluator, position, throw)[0].move

    match = MatchResults()
    table = MatchSetup(parse_rules(rules), None, lambda: 0.0, 1000)
    for number in range(4):
        play_pair(table, simulated(best), simulated(PLAYERS["random"]), f"pair {number}", match)
    assert Estimate.of(match.scores).mean >= 0.75


@pytest.mark.parametrize(("rules", "known"), [("freecompany", True), ("finkel", False)])
def test_players_know_the_earlier_positions_where_a_repetition_is_a_draw(
    rules: str, known: bool
) -> None:
    found: list[tuple[Position, set[Position]]] = []

    def first(
        _rng: Random,
        position: Position,
        _throw: Throw,
        legal: tuple[Move, ...],
        seen: Container[Position],
    ) -> Move:
        assert isinstance(seen, set)
        found.append((position, set(seen)))
        return legal[0]

    table = MatchSetup(parse_rules(rules), None, lambda: 0.0, 40)
    play_pair(table, first, first, "seed", MatchResults())
    earlier, (_, seen) = found[0][0], found[5]
    assert (earlier in seen) == known
    assert bool(seen) == known


def run(folder: Path, *arguments: str) -> Result:
    config = folder / "urpi.toml"
    config.write_text(f'[journal]\npath = "{folder}/journal.db"\n')
    return CliRunner().invoke(bench, ["--config", str(config), "engine", *arguments])


SHORT = ("--option", "pieces=3", "--pairs", "2")


def test_the_command_prints_a_line(tmp_path: Path) -> None:
    result = run(tmp_path, *SHORT, "--player", "greedy", "--against", "random")
    line = result.stdout.splitlines()[-1]
    assert line.startswith(f"{RULES}: greedy against random: ")
    assert "in 2 pairs of games" in line


def test_the_command_prints_json_and_repeats_itself(tmp_path: Path) -> None:
    rows = [json.loads(run(tmp_path, *SHORT, "--json").stdout.splitlines()[-1]) for _ in range(2)]
    for row in rows:
        assert row.pop("decision_ms")["median"] > 0
    assert rows[0] == rows[1]
    assert (rows[0]["player"], rows[0]["against"], rows[0]["pairs"]) == ("network", "greedy", 2)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--player", "oracle"), "There is no player 'oracle'; the players are random, greedy"),
        (("--player", "exact"), "No table of exact values for finkel is installed"),
        (("--rules", "chess"), "There is no rule set 'chess'"),
    ],
)
def test_an_impossible_match_is_one_error(
    tmp_path: Path, arguments: tuple[str, ...], named: str
) -> None:
    error = run(tmp_path, *arguments).exception
    assert isinstance(error, UrpiError)
    assert named in str(error)
    assert "\n" not in str(error)
