"""Flash cards: on which day an exercise is set again after its answers.

It is the system of S. Leitner (So lernt man lernen, 1972) as B. Settles and B. Meeder describe it
(A Trainable Spaced Repetition Model for Language Learning, ACL 2016): cards are in boxes with
intervals of 1, 2, 4 and more days. Every card begins in the first box; a good answer after the
interval moves it to the next one, and a bad answer moves it back. As in Leitner's own system, it
moves back to the first box, and a good answer in the last one takes the card out.

Days are proleptic Gregorian ordinals (`datetime.date.toordinal`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from typing import Final, TypeAlias

INTERVALS: Final = (1, 2, 4, 8, 16)
"""Days between two answers in each box."""
Answered: TypeAlias = tuple[int, bool]
"""The day of an answer, and whether it was good."""


@dataclass(frozen=True, slots=True)
class Card:
    """The card of an exercise.

    Attributes:
        box: The number of its box, from 1; 0 before the first answer.
        due: The first day on which it is to be answered; None before the first answer, and after a
            good answer in the last box.
    """

    box: int = 0
    due: int | None = None

    @property
    def known(self) -> bool:
        """Whether it need not be answered any more."""
        return self.box > len(INTERVALS)

    def is_due(self, day: int) -> bool:
        """Whether it is to be answered again on a day; a new one is not."""
        return self.due is not None and self.due <= day


NEW: Final = Card()


def card_after(card: Card, answer: Answered) -> Card:
    """Return the card after an answer.

    The mistake in the game has put a new card into the first box. A good answer before the card is
    due proves nothing yet, and changes nothing.

    >>> card_after(NEW, (100, True))
    Card(box=2, due=102)
    >>> card_after(Card(box=2, due=102), (101, True))
    Card(box=2, due=102)
    >>> card_after(Card(box=2, due=102), (102, False))
    Card(box=1, due=103)
    """
    day, good = answer
    if not good:
        return _in_box(1, day)
    if card == NEW:
        return _in_box(2, day)
    return _in_box(card.box + 1, day) if card.is_due(day) else card


def card_of(answers: Iterable[Answered]) -> Card:
    """Return the card after answers in the order in which they were given."""
    return reduce(card_after, answers, NEW)


def _in_box(box: int, day: int) -> Card:
    return Card(box, day + INTERVALS[box - 1] if box <= len(INTERVALS) else None)
