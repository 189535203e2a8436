"""What players learn from their own games: exercises, and when each is set again. Pure: no I/O."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.journal.study.cards import INTERVALS, NEW, Card, card_after, card_of
    from urpi.journal.study.exercises import (
        Choice,
        Exercise,
        Stack,
        exercise_values,
        exercises_of,
        parse_exercise,
        stack_of,
    )

export(__name__)
