"""Figures over many games: players, pairs, throws, times and dice. Pure: no I/O."""

from typing import TYPE_CHECKING

from urpi.lazy import export

if TYPE_CHECKING:
    from urpi.stats.chance import Range, fair_range
    from urpi.stats.dice import Die
    from urpi.stats.game import GameFigures, SideFigures, figures_of
    from urpi.stats.summing import Figures, Pair, Player, quantile, sum_up
else:
    export(
        __name__,
        {
            "chance": ("Range", "fair_range"),
            "dice": ("Die",),
            "game": ("GameFigures", "SideFigures", "figures_of"),
            "summing": ("Figures", "Pair", "Player", "quantile", "sum_up"),
        },
    )

__all__ = [
    "Die",
    "Figures",
    "GameFigures",
    "Pair",
    "Player",
    "Range",
    "SideFigures",
    "fair_range",
    "figures_of",
    "quantile",
    "sum_up",
]
