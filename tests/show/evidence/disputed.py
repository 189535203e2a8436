"""A disputed game: handwritten facts, refereed and stored as by the service."""

from collections.abc import Iterator
from pathlib import Path

from urpi.journal import Journal, timing_settings
from urpi.referee import Settings, Timing, begin, step
from urpi.referee.facts import Die, Edge, Fact, Game, Occupancy, Time
from urpi.referee.lines import decision_line, fact_line
from urpi.rules import parse_square
from urpi.show.words import words_for

STARTED = "2026-11-20T19:02:11+01:00"
BEGIN = "finkel A3:L,B4:D L6D6 L0D0 L"
"""Dark's piece on the rosette B4 is safe."""


def throw(t: int, faces: str) -> Iterator[Die]:
    """Yield dice that roll at `t` and settle half a second later, one after the other."""
    for die, _ in enumerate(faces, 1):
        yield Die(t + die, die, "rolling")
    for die, face in enumerate(faces, 1):
        yield Die(t + 500 + die, die, "settled", face, tumbled=True)


def bounce(t: int, square: str, *, on: bool) -> Iterator[Edge]:
    """Yield the edges of a contact that changes at `t` and bounces twice."""
    number = parse_square(square)
    for after, level in ((0, on), (1, not on), (2, on)):
        yield Edge(t + after, number, level)


def disputed_game() -> Iterator[Fact]:
    """Yield a turn in which light throws 2, moves one square too far and corrects it.

    The second die is cocked at first and thrown again.
    """
    yield Game(0, "finkel", "Ann", "Zoë", position=BEGIN)
    yield Occupancy(10, 1 << parse_square("A3") | 1 << parse_square("B4"))
    first, second, *others = throw(1000, "gs--")
    yield from (first, second, *others[:3])
    yield Die(1600, 2, "cocked")
    yield from others[4:]
    yield Time(2700)
    yield Die(3000, 2, "rolling")
    yield Die(3600, 2, "settled", "s", tumbled=True)
    yield Die(3700, 2, "settled", "s", tumbled=True)
    yield from bounce(5000, "A3", on=False)
    yield from bounce(6000, "B1", on=True)
    yield Time(9000)
    yield from bounce(9500, "B1", on=False)
    yield from bounce(10_000, "A3", on=True)
    yield Time(10_500)
    yield Edge(11_000, parse_square("A3"), False)
    yield Edge(11_800, parse_square("A1"), True)
    yield Time(12_500)
    yield from throw(13_000, "g---")
    yield Time(14_000)


def store(path: Path, facts: Iterator[Fact], light: str | None = None) -> int:
    """Referee and store facts, and return the number of the game."""
    timing = Timing()
    state = begin(Settings(words_for("en").sentence, timing))
    game = 0
    with Journal.open(path) as journal:
        for fact in facts:
            if isinstance(fact, Game):
                opening = fact_line(fact)
                opening = opening.replace('"Ann"', f'"{light}"') if light else opening
                game = journal.new_game(opening, STARTED, "0.9.0", timing_settings(timing))
            state, decisions = step(state, fact)
            stored = [] if isinstance(fact, Game) else [fact_line(fact)]
            journal.append(game, stored, map(decision_line, decisions))
    return game
