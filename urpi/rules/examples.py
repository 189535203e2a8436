"""Example turns of a rule set, taken from a game that is the same each time.

Throws and moves of the game follow multiples of irrational numbers, which come near every throw
and every move without a source of randomness.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, NamedTuple

from urpi.rules.board import Side
from urpi.rules.dice import Throw
from urpi.rules.moves import PASS, Move
from urpi.rules.position import Position
from urpi.rules.ruleset import RuleSet

_TURNS: Final = 600
_THROWS: Final = 0.6180339887
_MOVES: Final = 0.4142135624
_FEW_MOVES: Final = range(2, 6)
"""Numbers of legal moves that can be listed: there is a choice, and it is not long."""


class Example(NamedTuple):
    """A turn: the position before it, the throw, its legal moves, and one of them."""

    position: Position
    throw: Throw
    legal: tuple[Move, ...]
    move: Move
    after: Position

    @property
    def captures(self) -> bool:
        """Whether the move lands on a piece of the opponent."""
        return any(stop.captures for part in self.move.parts for stop in part.stops)

    @property
    def again(self) -> bool:
        """Whether the move gives an extra throw."""
        return self.after.turn is self.position.turn

    @property
    def takes_along(self) -> bool:
        """Whether the move takes prisoners along."""
        return any(part.prisoners for part in self.move.parts)


_KINDS: Final[tuple[tuple[Callable[[Example], bool], ...], ...]] = (
    (lambda one: one.captures,),
    (
        lambda one: not one.captures and one.again,
        lambda one: not one.captures and one.takes_along,
        lambda one: not one.captures,
    ),
)
"""What each example shows, the best first."""


@cache
def example_turns(rules: RuleSet) -> tuple[Example, ...]:
    """Return two turns of light with a choice: one that captures, and one that does not.

    The second gives an extra throw where the rules have one, or takes prisoners along.
    """
    turns = [one for one in _game(rules) if _shows_enough(one)]
    return tuple(
        next(one for is_kind in kinds for one in turns if is_kind(one)) for kinds in _KINDS
    )


def _shows_enough(one: Example) -> bool:
    """Return whether a turn of light has a choice, and both sides have pieces on the board."""
    few = min(3, one.position.rules.pieces - 1)
    letters = "".join(one.position.board).upper()
    return (
        one.position.turn is Side.LIGHT
        and len(one.legal) in _FEW_MOVES
        and all(letters.count(side.letter) >= few for side in Side)
    )


def _game(rules: RuleSet) -> Iterator[Example]:
    """Yield the turns of a game, and of a new one after its end."""
    position = rules.start(Side.LIGHT)
    for number in range(1, _TURNS + 1):
        throw = rules.dice.roll(number * _THROWS % 1)
        legal = rules.legal_moves(position, throw)
        move = legal[int(number * _MOVES % 1 * len(legal))] if legal else PASS
        after = rules.play(position, throw, move)
        yield Example(position, throw, legal, move, after)
        position = rules.start(Side.LIGHT) if after.turn is None else after
