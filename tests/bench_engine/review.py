"""Time of reviews: `python -m tests.bench_engine.review [TABLE]`.

Games between the network's levels `medium` and `easy` are reviewed, with the table if one is given,
else with the network. The processor time is printed for 210 throws, as the median and the 99th
percentile of the games. The targets are 2 s with a table and 3 s with a network.
"""

import time
from pathlib import Path
from random import Random

import click

from urpi.engine.evaluator import Evaluator
from urpi.engine.exact.values import ExactValues
from urpi.engine.levels import level_move
from urpi.engine.network_file import network
from urpi.engine.review import review_record
from urpi.rules import RULE_SETS, RuleSet, Side, parse_rules
from urpi.rules.record import GameRecord, Play, Thrown, Turn

THROWS = 210
MAX_TABLE_S, MAX_NETWORK_S = 2.0, 3.0


def played_game(rules: RuleSet, evaluator: Evaluator, random: Random) -> GameRecord:
    """Return a game between two levels, at most 210 throws of it."""
    position, turns = rules.start(random.choice(list(Side))), []
    for _ in range(THROWS):
        side = position.turn
        if side is None:
            break
        throw = rules.dice.roll(random.random())
        level = "medium" if side is Side.LIGHT else "easy"
        move = level_move(level, evaluator, position, throw, random.random())
        thrown = Thrown(throw.faces, (Play(move.text),))
        if turns and turns[-1].side is side:
            turns[-1] = Turn(side, (*turns[-1].throws, thrown))
        else:
            turns.append(Turn(side, (thrown,)))
        position = rules.play(position, throw, move)
    return GameRecord((("Rules", rules.text),), tuple(turns))


def measure(rules: RuleSet, evaluator: Evaluator, games: int, seed: int, limit: float) -> bool:
    """Print the times of a rule set, and return whether they are below the limit."""
    random, player = Random(seed), network(rules)
    times = []
    for _ in range(games):
        record = played_game(rules, player, random)
        began = time.process_time()
        review = review_record(record, evaluator)
        times.append((time.process_time() - began) / len(review.throws) * THROWS)
    times.sort()
    middle, high = times[games // 2], times[games * 99 // 100]
    click.echo(
        f"{rules.text:15} {evaluator.kind:8} {THROWS} throws: median {middle:.2f} s, "
        f"p99 {high:.2f} s of processor time; {games} games, seed {seed}"
    )
    return high < limit


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--games", type=click.IntRange(1), default=20, show_default=True)
@click.option("--rules", type=click.Choice(sorted(RULE_SETS)), multiple=True, help="[default: all]")
@click.option("--seed", type=int, default=1, show_default=True)
def main(file: Path | None, games: int, rules: tuple[str, ...], seed: int) -> None:
    """Measure how long reviews take."""
    if file is not None:
        with ExactValues(file) as table:
            passed = measure(table.rules, table, games, seed, MAX_TABLE_S)
    else:
        passed = True
        for each in map(parse_rules, rules or RULE_SETS):
            passed &= measure(each, network(each), games, seed, MAX_NETWORK_S)
    click.get_current_context().exit(0 if passed else 1)


if __name__ == "__main__":
    main()
