"""Search for the step that costs the referee most.

``python -m tests.bench_referee.steps [--seed N] [--cases N] [--climbs N]`` plays random cases of
every rule set, each a reached position and random facts, and then changes the most expensive ones
further. Cost is the number of Python function calls in one step, because that is repeatable; the
time of the worst step is measured afterwards, as the median of some repetitions.
"""

import argparse
import gc
import sys
from dataclasses import dataclass, replace
from random import Random
from statistics import median
from time import thread_time_ns
from types import FrameType

import click

from tests.referee.positions import reached
from urpi.referee import Settings, State, begin, step
from urpi.referee.facts import Answer, Button, Chute, Die, Edge, Fact, Game, Occupancy, Time
from urpi.rules import ALL_SQUARES, RULE_SETS, Position, Side, each_square, parse_position
from urpi.show.words import words_for

SETTINGS = Settings(words_for("en").sentence)
WAITS_MS = (0, 1, 6, 40, 151, 401, 1_000, 2_600, 3_100, 12_500, 40_000, 86_400_000)
FACTS = 40
MAX_FACTS = 400
KEPT = 5
"""Number of expensive cases of a rule set that are changed further."""
REPEATS = 7
LIMIT_MS = 20
"""A step that takes longer holds up the facts behind it."""


@dataclass(frozen=True)
class Case:
    """A position and the facts that follow, each with the wait before it in milliseconds."""

    position: str
    facts: tuple[tuple[int, Fact], ...]


@dataclass(frozen=True)
class Worst:
    """The most expensive step of a case: calls, the state before it, and its fact."""

    calls: int
    before: State
    fact: Fact

    def time_ms(self) -> float:
        """Return the median thread time of the step, in milliseconds."""
        times = []
        for _ in range(REPEATS):
            began = thread_time_ns()
            step(self.before, self.fact)
            times.append((thread_time_ns() - began) / 1e6)
        return median(times)


def calls_of(state: State, fact: Fact) -> tuple[int, State]:
    """Return how many Python functions one step calls, and the state after it.

    Garbage collection is off meanwhile: it calls finalizers and callbacks of other code.
    """
    count = 0

    def profile(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal count
        count += event == "call"

    gc.disable()
    sys.setprofile(profile)
    try:
        state, _ = step(state, fact)
    finally:
        sys.setprofile(None)
        gc.enable()
    return count, state


def worst_step(case: Case) -> Worst:
    """Play a case and return its most expensive step."""
    position = parse_position(case.position)
    state, _ = step(begin(SETTINGS), Game(0, position.rules.id, position=case.position))
    state, _ = step(state, Occupancy(0, position.occupancy))
    t, worst = 0, Worst(0, state, Time(0))
    for wait, any_time in case.facts:
        t += wait
        fact, before = replace(any_time, t=t), state
        calls, state = calls_of(before, fact)
        if calls > worst.calls:
            worst = Worst(calls, before, fact)
    return worst


def any_fact(rng: Random, faces: tuple[str, ...], dice: int) -> tuple[int, Fact]:
    """Return a random wait and a random fact; a throw or a change on the board is most likely."""
    die, square = rng.randint(1, dice + 1), rng.choice(ALL_SQUARES)
    kinds: tuple[Fact, ...] = (
        *[Edge(0, square, on) for on in (True, False)] * 3,
        *[Die(0, die, "rolling"), Die(0, die, "settled", rng.choice(faces), tumbled=True)] * 3,
        *[Die(0, die, state) for state in ("cocked", "handled", "lost", "found")],
        Die(0, die, "settled", rng.choice(faces)),
        Occupancy(0, rng.getrandbits(20) & rng.getrandbits(20)),
        Time(0),
        Button(0, rng.choice(list(Side)), rng.choice(("short", "long"))),
        Chute(0, rng.choice(list(Side))),
        Answer(0, takeback=True),
    )
    return rng.choice(WAITS_MS), rng.choice(kinds)


def a_throw(faces: str) -> list[tuple[int, Fact]]:
    """Return the facts of one throw."""
    thrown = [(10, Die(0, die, "rolling")) for die, _ in enumerate(faces, 1)]
    landed = [
        (200, Die(0, die, "settled", face, tumbled=True)) for die, face in enumerate(faces, 1)
    ]
    return [*thrown, *landed]


def a_shake(rng: Random) -> list[tuple[int, Fact]]:
    """Return the edges of some squares that open and close for a while, quickly or slowly."""
    squares, wait = rng.sample(ALL_SQUARES, rng.randint(1, 20)), rng.choice((6, 20, 60, 160))
    edges: list[tuple[int, Fact]] = []
    for _ in range(rng.randint(1, 6)):
        edges += [(wait, Edge(0, square, False)) for square in squares]
        edges += [(wait, Edge(0, square, True)) for square in squares]
    return edges


def a_row_of_blinks(position: Position, lifted: int, count: int) -> list[tuple[int, Fact]]:
    """Return the facts of the most expensive picture known: many squares that may be landings.

    One piece is lifted, and then the other occupied squares blink, so far apart that none of the
    blinks comes from a knock. At last a die reports after every timer has expired.
    """
    standing = list(each_square(position.occupancy))
    square, *others = standing[lifted:] + standing[:lifted]
    facts: list[tuple[int, Fact]] = [(10, Edge(0, square, False))]
    for number in range(count if others else 0):
        other = others[number % len(others)]
        facts += [(160, Edge(0, other, False)), (40, Edge(0, other, True))]
    return [*facts, (86_400_000, Die(0, 1, "lost"))]


def any_facts(rng: Random, position: Position) -> list[tuple[int, Fact]]:
    """Return one random fact, or the facts of a throw, a shaken board, or a row of blinks."""
    dice = position.rules.dice
    faces, choice = tuple(dice.faces), rng.random()
    if choice < 0.1:
        return a_throw(dice.roll(rng.random()).faces)
    if choice < 0.13:
        return a_shake(rng)
    if choice < 0.17 and position.occupancy:
        standing = position.occupancy.bit_count()
        return a_row_of_blinks(position, rng.randrange(standing), rng.randint(5, 60))
    return [any_fact(rng, faces, dice.count)]


def any_case(rules: str, rng: Random) -> Case:
    """Return a random case of a rule set."""
    position = reached(rules, rng, rng.randrange(150))
    facts: list[tuple[int, Fact]] = []
    while len(facts) < FACTS:
        facts += any_facts(rng, position)
    return Case(str(position), tuple(facts))


def changed(case: Case, rng: Random) -> Case:
    """Return the case with a few facts added, removed or replaced."""
    position, facts = parse_position(case.position), list(case.facts)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(facts) + 1)
        facts[place : place + rng.randrange(3)] = any_facts(rng, position)
    del facts[MAX_FACTS:]
    return replace(case, facts=tuple(facts))


def search(rules: str, rng: Random, cases: int, climbs: int) -> tuple[Case, Worst]:
    """Return the most expensive step that was found in a rule set."""
    found = [(case, worst_step(case)) for case in (any_case(rules, rng) for _ in range(cases))]
    found.sort(key=lambda each: -each[1].calls)
    found = found[:KEPT]
    for _ in range(climbs):
        place = rng.randrange(len(found))
        case = changed(found[place][0], rng)
        worst = worst_step(case)
        if worst.calls >= found[place][1].calls:
            found[place] = case, worst
    return max(found, key=lambda each: each[1].calls)


def main() -> None:
    """Search every rule set and print the worst step of each; exit 1 if one is too slow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, default=300, help="random cases a rule set")
    parser.add_argument("--climbs", type=int, default=1500, help="changed cases a rule set")
    given = parser.parse_args()
    click.echo(f"seed {given.seed}")
    slow = False
    for rules in RULE_SETS:
        rng = Random(f"{given.seed} {rules}")
        case, worst = search(rules, rng, given.cases, given.climbs)
        took = worst.time_ms()
        slow |= took > LIMIT_MS
        click.echo(
            f"{rules:13} {worst.calls:7} calls {took:7.2f} ms  {worst.fact}  from {case.position}"
        )
    sys.exit(slow)


if __name__ == "__main__":
    main()
