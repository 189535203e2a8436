"""The figures of a game from its parsed decisions."""

from collections.abc import Iterable

from urpi.journal.stats import GameFigures
from urpi.journal.stats.game import GameCounter
from urpi.referee.decisions import Decision
from urpi.referee.facts import Game


def figures_of(number: int, game: Game, decisions: Iterable[tuple[Decision, bool]]) -> GameFigures:
    """Return the figures of a game.

    Args:
        number: number of the game in its journal.
        game: its `game` fact.
        decisions: its decisions, each with `of_dice` as in `GameCounter.add`.
    """
    counter = GameCounter(number, game)
    for decision, of_dice in decisions:
        counter.add(decision, of_dice=of_dice)
    return counter.figures()
