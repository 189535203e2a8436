"""Statistics over many games: players, pairs, throws, times and dice. Pure: no I/O."""

from typing import TYPE_CHECKING

from urpi.lazy import export

if TYPE_CHECKING:
    from urpi.stats.chance import Range, fair_range
    from urpi.stats.die_figures import DieFigures
    from urpi.stats.game import GameFigures, SideFigures, figures_of
    from urpi.stats.summary import Figures, Pair, Player, RuleSetFigures, quantile, summarize
else:
    export(
        __name__,
        {
            "chance": ("Range", "fair_range"),
            "die_figures": ("DieFigures",),
            "game": ("GameFigures", "SideFigures", "figures_of"),
            "summary": ("Figures", "Pair", "Player", "RuleSetFigures", "quantile", "summarize"),
        },
    )

__all__ = [
    "DieFigures",
    "Figures",
    "GameFigures",
    "Pair",
    "Player",
    "Range",
    "RuleSetFigures",
    "SideFigures",
    "fair_range",
    "figures_of",
    "quantile",
    "summarize",
]
