"""A referee at a table in the tests: the acts of hands and dice, and the decisions."""

import json
from typing import Self

from urpi.journal import Course
from urpi.referee import Settings, State, Timing, begin, step
from urpi.referee.decisions import Decision, Warned
from urpi.referee.facts import (
    Answer,
    Button,
    Chute,
    Die,
    Edge,
    Fact,
    Game,
    NotThrown,
    Occupancy,
    Time,
)
from urpi.referee.lines import decision_line, fact_line, parse_fact
from urpi.referee.seats import PERSONS, Seats
from urpi.referee.settings import Sentence
from urpi.referee.state import GameState
from urpi.rules import Side, parse_position, parse_square
from urpi.show.words import words_for

BOUNCE_MS = (0, 1, 2)
"""Times of the edges of a contact that changes, in milliseconds after the change."""


class Desk:
    """A game in progress. Every act happens at `t`; the decisions are collected in `decided`."""

    def __init__(
        self, game: Game, timing: Timing | None = None, sentence: Sentence | None = None
    ) -> None:
        sentence = sentence or words_for("en").sentence
        self.state: State = begin(Settings(sentence, timing or Timing()))
        self.t = game.t
        self.decided: list[Decision] = []
        self.course = Course(game)
        self.do(game)

    @classmethod
    def at(cls, position: str, timing: Timing | None = None, *, engine: bool = False) -> Self:
        """Return a game that begins at a position which the board shows.

        `engine`: whether both seats are the engine's, so that moves need a `Plan`.
        """
        parsed = parse_position(position)
        seats: Seats = ("engine:best", "engine:best") if engine else PERSONS
        desk = cls(Game(0, parsed.rules.id, position=position, seats=seats), timing)
        desk.do(Occupancy(0, parsed.occupancy))
        return desk

    @classmethod
    def new(cls, rules: str, **game: object) -> Self:
        """Return a new game of a rule set, before the board has been read."""
        return cls(Game(0, rules, **game))

    def do(self, fact: Fact) -> list[Decision]:
        """Pass a fact to the referee, and return its decisions."""
        assert parse_fact(fact_line(fact)) == fact
        self.state, decisions = step(self.state, fact)
        self.decided.extend(decisions)
        # Whoever reads the stored game later comes to the same position.
        for decision in decisions:
            self.course.apply(decision)
        if decisions and isinstance(self.state, GameState):
            assert str(self.course.position) == str(self.state.position)
        return list(decisions)

    def wait(self, ms: int) -> Self:
        """Advance the time."""
        self.t += ms
        self.do(Time(self.t))
        return self

    def edge(self, square: str, on: bool) -> Self:
        """Report a single edge of a square's switch."""
        self.do(Edge(self.t, parse_square(square), on))
        return self

    def _contact(self, square: str, on: bool) -> Self:
        for number, ms in enumerate(BOUNCE_MS):
            self.do(Edge(self.t + ms, parse_square(square), on if number % 2 == 0 else not on))
        self.t += BOUNCE_MS[-1]
        return self

    def lift(self, *squares: str) -> Self:
        """Lift the pieces of some squares, one after the other."""
        for square in squares:
            self._contact(square, False)
        return self

    def put(self, *squares: str) -> Self:
        """Put a piece on each of some squares, one after the other."""
        for square in squares:
            self._contact(square, True)
        return self

    def throw(self, faces: str, dice: tuple[int, ...] = (), *, roll_ms: int = 500) -> Self:
        """Throw dice, which settle one after the other within `roll_ms`."""
        numbers = dice or tuple(range(1, len(faces) + 1))
        for die in numbers:
            self.do(Die(self.t, die, "rolling"))
        for die, face in zip(numbers, faces, strict=True):
            self.t += roll_ms // len(faces)
            self.do(Die(self.t, die, "settled", face, tumbled=True))
        return self

    def die(
        self,
        die: int,
        state: str,
        face: str | None = None,
        *,
        tumbled: bool = False,
        why: NotThrown | None = None,
    ) -> Self:
        """Report the state of one die."""
        self.do(Die(self.t, die, state, face, tumbled, why=why))
        return self

    def press(self, side: Side, press: str = "short") -> Self:
        """Press a side's button."""
        self.do(Button(self.t, side, press))
        return self

    def chute(self, side: Side) -> Self:
        """Drop a piece through a side's finish chute."""
        self.do(Chute(self.t, side))
        return self

    def answer(self, **answer: object) -> Self:
        """Enter something in place of a sensor."""
        self.do(Answer(self.t, **answer))
        return self

    def pop_decisions(self) -> list[str]:
        """Return the decisions since the last call as short texts."""
        texts = [_short(decision) for decision in self.decided]
        self.decided.clear()
        return texts

    @property
    def warning(self) -> Warned:
        """The newest warning since the last `pop_decisions`."""
        return [one for one in self.decided if isinstance(one, Warned)][-1]


def _short(decision: Decision) -> str:
    line = json.loads(decision_line(decision))
    words = [line["type"]]
    for key in ("ask", "move", "moves", "code", "value", "device"):
        if key in line:
            value = line[key]
            words.append(" ".join(value) if isinstance(value, list) else str(value))
    return " ".join(words)
