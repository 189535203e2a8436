"""What the display shows the simulated players, and what they do besides playing."""

from dataclasses import dataclass

from urpi.rules import Position, Squares
from urpi.simulation.illegal_acts import Act


@dataclass(slots=True)
class Prompts:
    """What the display shows the players, until they act on it.

    Attributes:
        fill: Squares that must be filled.
        clear: Squares that must be cleared.
        choices: The moves of a question which one was made, the selected one first.
        faces: The throws of a question what a die shows, the selected one first.
        again: The dice because of which the last throw does not count.
        rolled: The faces of the throw that counted since the players last threw, empty if none.
        counted: Whether a throw has counted since the players last threw, also one for the start.
        position: The position of the game, None without a game.
        to_play: The position and the faces of the throw that must be played next.
        passed: The position after the last pass and the faces of its throw, None since the players
            last threw.
        plan: The move that the engine has chosen for it; empty if it has failed, None if it has
            not chosen.
    """

    fill: Squares = 0
    clear: Squares = 0
    choices: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()
    again: tuple[int, ...] = ()
    rolled: str = ""
    counted: bool = False
    position: Position | None = None
    to_play: tuple[Position, str] | None = None
    passed: tuple[Position, str] | None = None
    plan: str | None = None

    def begin_throw(self) -> None:
        """Discard what the display showed of the throw before."""
        self.again, self.rolled, self.passed = (), "", None
        self.counted = False

    @property
    def wrong(self) -> Squares:
        """The squares that must be corrected."""
        return self.fill | self.clear


@dataclass(frozen=True, slots=True)
class Deviation:
    """What the players do besides playing: an illegal act, or a correction of the board.

    `act` is the illegal act, empty for a correction. `codes` are the warnings that explain it.
    """

    act: Act = ()
    codes: frozenset[str] = frozenset()
