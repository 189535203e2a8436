"""How much memory a referee holds while facts go on and on.

``python -m tests.bench_referee.memory`` measures 100,000 facts of each kind and prints a table.
"""

import gc
import tracemalloc
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, count, islice

import click

from urpi.bench import Match, MatchSettings, case
from urpi.referee import begin, step
from urpi.referee.facts import Edge, Fact, Game, Occupancy
from urpi.referee.settings import Settings
from urpi.rules import parse_position, parse_rules, parse_square
from urpi.simulation import PLAYERS
from urpi.words import words_for

FACTS = 100_000
STEPS = 5
ADJUSTED = "finkel A1:L,A4:L,B2:D L5D6 L0D0 L"
PAUSE_MS = 700


def fidgeting() -> Iterator[Fact]:
    """A piece that is lifted and put back for ever, each time with some bounce."""
    position = parse_position(ADJUSTED)
    yield Game(0, position.rules.id, position=ADJUSTED)
    yield Occupancy(0, position.occupancy)
    square = parse_square("A4")
    for t in count(1000, PAUSE_MS):
        on = t // PAUSE_MS % 2 == 0
        for ms, level in enumerate((on, not on, on)):
            yield Edge(t + ms, square, level)


def facts_of(rules: str, behaviour: str, seed: int = 0, max_throws: int = 400) -> list[Fact]:
    """One game's facts, as the referee was told them."""
    told: list[Fact] = []

    def hear(heard: object) -> None:
        if isinstance(heard, Fact):
            told.append(heard)

    setting = MatchSettings(
        parse_rules(rules), case(behaviour), PLAYERS["random"], seed, max_throws
    )
    Match(setting, hear).play()
    return told


def over_again(facts: list[Fact]) -> Iterator[Fact]:
    """The same game for ever, each after the one before it."""
    for number in count():
        for fact in facts:
            yield replace(fact, t=fact.t + number * (facts[-1].t + 1))


def held_kib(facts: Iterable[Fact], most: int) -> list[float]:
    """What the referee holds after each of some equal parts of so many facts, in KiB."""
    state = begin(Settings(words_for("en").sentence))
    held: list[float] = []
    tracemalloc.start()
    try:
        for number, fact in enumerate(facts, 1):
            state, _ = step(state, fact)
            if number % (most // STEPS) == 0:
                # Freed tuples that Python keeps for later use are no memory of the referee's.
                gc.collect()
                held.append(tracemalloc.get_traced_memory()[0] / 1024)
            if number == most:
                break
    finally:
        tracemalloc.stop()
    return held


def main() -> None:
    """Print what is held after each fifth of the facts."""
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
