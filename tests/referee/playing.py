"""A referee at a board in the tests: what hands and dice do, and what is decided."""

import json
from typing import Self

from urpi.referee import Settings, State, begin, step
from urpi.referee.decisions import Decision, Warned
from urpi.referee.facts import Answer, Button, Chute, Die, Edge, Fact, Game, Occupancy, Time
from urpi.referee.lines import decision_line, fact_line, parse_fact
from urpi.rules import Side, parse_position, parse_square
from urpi.words import words_for

BOUNCE_MS = (0, 1, 2)
"""A contact that changes does so three times within these milliseconds."""


class Desk:
    """A game in progress. Acts happen at `t`, then time goes on; decisions are collected."""

    def __init__(self, game: Game) -> None:
        self.state: State = begin(Settings(words_for("en").sentence))
        self.t = game.t
        self.decided: list[Decision] = []
        self.do(game)

    @classmethod
    def at(cls, position: str) -> Self:
        """A game from that position, with the board as it says."""
        parsed = parse_position(position)
        desk = cls(Game(0, parsed.rules.id, position=position))
        desk.do(Occupancy(0, parsed.occupancy))
        return desk

    @classmethod
    def new(cls, rules: str, **game: object) -> Self:
        """A new game of a rule set, before the board has been read."""
        return cls(Game(0, rules, **game))

    def do(self, fact: Fact) -> list[Decision]:
        """Hand a fact in; what it decided."""
        again = parse_fact(fact_line(fact))
        assert again == fact
        self.state, decisions = step(self.state, fact)
        self.decided.extend(decisions)
        return list(decisions)

    def wait(self, ms: int) -> Self:
        """Let time pass."""
        self.t += ms
        self.do(Time(self.t))
        return self

    def edge(self, square: str, on: bool) -> Self:
        self.do(Edge(self.t, parse_square(square), on))
        return self

    def _contact(self, square: str, on: bool) -> Self:
        for number, ms in enumerate(BOUNCE_MS):
            self.do(Edge(self.t + ms, parse_square(square), on if number % 2 == 0 else not on))
        self.t += BOUNCE_MS[-1]
        return self

    def lift(self, *squares: str) -> Self:
        for square in squares:
            self._contact(square, False)
        return self

    def put(self, *squares: str) -> Self:
        for square in squares:
            self._contact(square, True)
        return self

    def throw(self, faces: str, dice: tuple[int, ...] = (), *, roll_ms: int = 500) -> Self:
        """All dice are thrown and settle one after another."""
        numbers = dice or tuple(range(1, len(faces) + 1))
        for die in numbers:
            self.do(Die(self.t, die, "rolling"))
        for die, face in zip(numbers, faces, strict=True):
            self.t += roll_ms // len(faces)
            self.do(Die(self.t, die, "settled", face, tumbled=True))
        return self

    def die(self, die: int, state: str, face: str | None = None, *, tumbled: bool = False) -> Self:
        self.do(Die(self.t, die, state, face, tumbled))
        return self

    def press(self, side: Side, press: str = "short") -> Self:
        self.do(Button(self.t, side, press))
        return self

    def chute(self, side: Side) -> Self:
        self.do(Chute(self.t, side))
        return self

    def answer(self, **answer: object) -> Self:
        self.do(Answer(self.t, **answer))
        return self

    def news(self) -> list[str]:
        """Short words for what was decided since the last time it was asked."""
        told = [_short(decision) for decision in self.decided]
        self.decided.clear()
        return told

    @property
    def warning(self) -> Warned:
        """The newest warning."""
        return [one for one in self.decided if isinstance(one, Warned)][-1]


def _short(decision: Decision) -> str:
    line = json.loads(decision_line(decision))
    words = [line["type"]]
    for key in ("ask", "move", "moves", "code", "value", "device"):
        if key in line:
            value = line[key]
            words.append(" ".join(value) if isinstance(value, list) else str(value))
    return " ".join(words)
