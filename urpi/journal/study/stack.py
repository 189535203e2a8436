"""The exercises of a player: which are due, which are new, and what is known."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from urpi.journal.study.cards import Answered, card_of
from urpi.journal.study.exercises import Exercise


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
