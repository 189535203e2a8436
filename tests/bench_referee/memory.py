"""The memory that a referee uses for a long sequence of facts.

``python -m tests.bench_referee.memory`` measures 100,000 facts of each kind and prints a table.
"""

import gc
import tracemalloc
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, count, islice

import click

from tools.bench import Match, MatchSettings, case
from urpi.referee import begin, step
from urpi.referee.facts import Edge, Fact, Game, Occupancy
from urpi.referee.settings import Settings
from urpi.rules import parse_position, parse_rules, parse_square
from urpi.show.words import words_for
from urpi.simulation import PLAYERS

FACTS = 100_000
STEPS = 5
ADJUSTED = "finkel A1:L,A4:L,B2:D L5D6 L0D0 L"
PAUSE_MS = 700


def fidgeting() -> Iterator[Fact]:
    """Yield the facts of a piece that is lifted and put back without end, with bounce."""
    position = parse_position(ADJUSTED)
    yield Game(0, position.rules.id, position=ADJUSTED)
    yield Occupancy(0, position.occupancy)
    square = parse_square("A4")
    for t in count(1000, PAUSE_MS):
        on = t // PAUSE_MS % 2 == 0
        for ms, level in enumerate((on, not on, on)):
            yield Edge(t + ms, square, level)


def facts_of(rules: str, behaviour: str, seed: int = 0, max_throws: int = 400) -> list[Fact]:
    """Return the facts of one game."""
    facts: list[Fact] = []

    def collect(entry: object) -> None:
        if isinstance(entry, Fact):
            facts.append(entry)

    setting = MatchSettings(
        parse_rules(rules), case(behaviour), PLAYERS["random"], seed, max_throws
    )
    Match(setting, collect).play()
    return facts


def over_again(facts: list[Fact]) -> Iterator[Fact]:
    """Yield the facts of the same game again and again."""
    for number in count():
        for fact in facts:
            yield replace(fact, t=fact.t + number * (facts[-1].t + 1))


def held_kib(facts: Iterable[Fact], most: int) -> list[float]:
    """Return the memory used after each of `STEPS` equal parts of the facts, in KiB."""
    state = begin(Settings(words_for("en").sentence))
    held: list[float] = []
    tracemalloc.start()
    try:
        for number, fact in enumerate(facts, 1):
            state, _ = step(state, fact)
            if number % (most // STEPS) == 0:
                # Tuples in Python's free lists are not memory of the referee.
                gc.collect()
                held.append(tracemalloc.get_traced_memory()[0] / 1024)
            if number == most:
                break
    finally:
        tracemalloc.stop()
    return held


def main() -> None:
    """Print the memory used after each fifth of the facts."""
    games = (facts_of("murray", "everything", seed, 4000) for seed in count())
    kinds = {
        "one position, a piece adjusted for ever": fidgeting(),
        "one short game over and over": over_again(facts_of("finkel[pieces=3]", "everything")),
        "very long games of murray": list(islice(chain.from_iterable(games), FACTS)),
    }
    for name, facts in kinds.items():
        held = held_kib(facts, FACTS)
        click.echo(f"{name}: {', '.join(f'{kib:.0f}' for kib in held)} KiB")


if __name__ == "__main__":
    main()
