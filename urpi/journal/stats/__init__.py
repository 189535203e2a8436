"""Statistics over many games: players, pairs, throws, times, dice and reviews. Pure: no I/O."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.journal.stats.chance import Range, fair_range
    from urpi.journal.stats.game import GameFigures, SideFigures
    from urpi.journal.stats.reviews import (
        GameReview,
        PlayerReview,
        ReviewFigures,
        SideReview,
        costs_of,
        game_review,
        parse_review,
        review_values,
        summarize_reviews,
    )
    from urpi.journal.stats.summary import (
        DieFigures,
        Figures,
        Pair,
        Player,
        RuleSetFigures,
        quantile,
        summarize,
    )

export(__name__)
