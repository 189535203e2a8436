"""Exercises: decisions of reviewed games in which much was given away.

The stack of a player says which of them are due, which are new, and what is known.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from urpi.engine.review import Review, Source
from urpi.engine.review.marks import BAD, mistake_mark
from urpi.journal.study.cards import Answered, card_of
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


@dataclass(frozen=True, slots=True)
class Stack:
    """The exercises of a player on a day.

    Attributes:
        due: Those to be answered again, the one that waits longest first.
        new: Those that were never answered, the most expensive mistake first.
        later: The number of those that are due on a later day.
        known: The number of those that need not be answered any more.
        next_day: The first day on which one of the later ones is due, None if there is none.
    """

    due: tuple[Exercise, ...]
    new: tuple[Exercise, ...]
    later: int
    known: int
    next_day: int | None

    @property
    def next(self) -> Exercise | None:
        """The exercise to set now: repetitions come first."""
        return next(iter((*self.due, *self.new)), None)


def stack_of(
    exercises: Iterable[Exercise],
    answers: Mapping[tuple[int, int], Sequence[Answered]],
    day: int,
) -> Stack:
    """Return a player's exercises on a day.

    Of exercises with the same position and throw, in several games, only the oldest one is set.

    Args:
        exercises: The exercises.
        answers: The answers to each, by `Exercise.key`, in the order in which they were given.
        day: The day, as in `urpi.journal.study.cards`.
    """
    cards = [(one, card_of(answers.get(one.key, ()))) for one in _different(exercises)]
    due = [(card.due, one.key, one) for one, card in cards if card.is_due(day)]
    new = [one for one, card in cards if card.box == 0]
    later = [card.due for _, card in cards if card.due is not None and card.due > day]
    return Stack(
        tuple(one for _, _, one in sorted(due, key=lambda each: each[:2])),
        tuple(sorted(new, key=lambda one: (-one.loss, one.key))),
        len(later),
        sum(card.known for _, card in cards),
        min(later, default=None),
    )


def _different(exercises: Iterable[Exercise]) -> Iterable[Exercise]:
    found: dict[tuple[str, tuple[str, ...]], Exercise] = {}
    for one in sorted(exercises, key=lambda one: one.key):
        found.setdefault((one.position, tuple(sorted(one.faces))), one)
    return found.values()
