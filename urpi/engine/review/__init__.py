"""Reviews of games: the luck of every throw and the loss of every move. Pure: no I/O."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.engine.review.marks import MISTAKE_MARKS, MISTAKES, LuckMark, Mistake, MistakeMark
    from urpi.engine.review.review import (
        Review,
        ReviewedThrow,
        SideTotals,
        Source,
        best_and_loss,
        review_record,
    )
    from urpi.engine.review.verdict import Verdict, verdict_of

export(__name__)
