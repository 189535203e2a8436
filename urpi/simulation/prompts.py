"""What a display has told the players, and what they are at that is no play."""

from dataclasses import dataclass

from urpi.rules import Position, Squares
from urpi.simulation.illegal_acts import Act


@dataclass(slots=True)
class Prompts:
    """What a display has told the players, until they heed it.

    `fill` and `clear` are the squares to put right, `choices` the moves that it asks about and
    `faces` the throws, the marked one first; `again` the dice whose throw does not count.
    `rolled` are the faces of the throw that counted since the players last threw, empty if none
    did; `to_play` the position and the faces of the throw that must be played next.
    """

    fill: Squares = 0
    clear: Squares = 0
    choices: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()
    again: tuple[int, ...] = ()
    rolled: str = ""
    to_play: tuple[Position, str] | None = None

    def begin_throw(self) -> None:
        """What was said of the dice before is old."""
        self.again, self.rolled = (), ""

    @property
    def wrong(self) -> Squares:
        """The squares that are said to be wrong."""
        return self.fill | self.clear


@dataclass(frozen=True, slots=True)
class Deviation:
    """What the players are at that is no play: something wrong, or the mending of the board.

    `act` is what was done wrong, empty where the board is mended because a display said so;
    `codes` are the warnings that explain it rightly.
    """

    act: Act = ()
    codes: frozenset[str] = frozenset()
