"""Exercises: decisions of reviewed games in which much was given away."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from urpi.engine.review import Review, Source
from urpi.engine.review.marks import BAD, mistake_mark
from urpi.rules import Side

MAX_OF_SIDE: Final = 5
"""Maximum number of exercises from the moves of one side in a game, those that lost most."""
_DIGITS: Final = 6


class Choice(NamedTuple):
    """A legal move, and the probability to win after it."""

    move: str
    value: float


@dataclass(frozen=True, slots=True)
class Exercise:
    """A throw of a stored game whose best move is asked for.

    Attributes:
        game: The game's number.
        throw: The number of the throw among those of its review, from 1.
        side: The side that threw.
        position: The position before the throw.
        faces: What the dice showed.
        played: The move that was played.
        choices: All legal moves, the best one first.
        source: Where their values come from.
    """

    game: int
    throw: int
    side: Side
    position: str
    faces: str
    played: str
    choices: tuple[Choice, ...]
    source: Source

    @property
    def key(self) -> tuple[int, int]:
        """Game and throw, by which answers are stored."""
        return self.game, self.throw

    @property
    def best(self) -> Choice:
        return self.choices[0]

    @property
    def loss(self) -> float:
        """How much probability to win the move that was played gave away."""
        return self.loss_of(self.played)

    def loss_of(self, move: str) -> float:
        """Return how much probability to win a legal move gives away.

        Raises:
            KeyError: If the move is not legal.
        """
        return self.best.value - dict(self.choices)[move]

    def is_good(self, move: str) -> bool:
        """Whether a legal move gives away too little for a mark."""
        return mistake_mark(self.loss_of(move)) is None


def exercises_of(game: int, review: Review) -> tuple[Exercise, ...]:
    """Return the exercises from a reviewed game, in the order of its throws."""
    found: list[Exercise] = []
    for number, each in enumerate(review.throws, 1):
        if each.choices and each.played is not None:
            choices = tuple(
                Choice(one.move.text, round(one.value, _DIGITS)) for one in each.choices
            )
            position, faces = str(each.position), each.throw.faces
            played, source = each.played.text, review.source
            found.append(
                Exercise(game, number, each.side, position, faces, played, choices, source)
            )
    worst = {
        one.key
        for side in Side
        for one in sorted(
            (one for one in found if one.side is side and one.loss >= BAD),
            key=lambda one: -one.loss,
        )[:MAX_OF_SIDE]
    }
    return tuple(one for one in found if one.key in worst)


def exercise_values(exercise: Exercise) -> dict[str, Any]:
    """An exercise as values for JSON, without the number of its game."""
    return {
        "throw": exercise.throw,
        "side": exercise.side.value,
        "position": exercise.position,
        "faces": exercise.faces,
        "played": exercise.played,
        "choices": exercise.choices,
        "source": exercise.source,
    }


def parse_exercise(game: int, values: Mapping[str, Any]) -> Exercise:
    """The exercise of a game from the values of `exercise_values`."""
    side, choices = Side(values["side"]), _parse_choices(values["choices"])
    return Exercise(game, **{**values, "side": side, "choices": choices})


def _parse_choices(values: Sequence[Sequence[Any]]) -> tuple[Choice, ...]:
    return tuple(Choice(move, value) for move, value in values)
