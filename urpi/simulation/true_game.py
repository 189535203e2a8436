"""The true game, as the players know it: from what the dice really show and what they moved.

The referee's decisions are compared with it. It knows nothing of a referee.
"""

from dataclasses import dataclass, replace

from urpi.core.errors import UrpiError
from urpi.rules import PASS, Move, Position, RuleSet, Side, Starter, Throw


@dataclass(frozen=True, slots=True)
class TrueTurn:
    """One throw and the move played with it, ``pass`` if none. `before` is the position before.

    `taken_back` is whether the move was taken back and the same throw played again.
    """

    side: Side
    faces: str
    move: str
    before: Position
    taken_back: bool = False


class TrueGame:
    """One game.

    Attributes:
        position: The position before the next throw or move.
        to_throw: The side that throws next, None if a throw must be played or the game is over.
        throw: The throw to play, None if there is none.
        turns: All turns so far.
        start_throws: The throws that decide who begins, oldest first.
    """

    def __init__(
        self, rules: RuleSet, first: Side | None = None, position: Position | None = None
    ) -> None:
        """Set up a game.

        Args:
            rules: The rule set.
            first: The side that begins; by default throws decide it.
            position: The position to begin with, whose side begins; by default the start position.

        Raises:
            UrpiError: If the rules require `first`, and it is None.
        """
        first = first if position is None else position.turn
        if first is None and rules.starter in {Starter.DRAWN, Starter.CHOICE}:
            message = f"In {rules.id} no throw decides who begins; set first to a side."
            raise UrpiError(message)
        self.rules = rules
        self.first = first
        self.position = position or rules.start(first or Side.LIGHT)
        self.to_throw: Side | None = first or Side.LIGHT
        self.throw: Throw | None = None
        self.turns: list[TrueTurn] = []
        self.start_throws: list[tuple[Side, Throw]] = []

    @property
    def legal(self) -> tuple[Move, ...]:
        """The legal moves of the throw to play."""
        return self.rules.legal_moves(self.position, self.throw) if self.throw else ()

    @property
    def winner(self) -> Side | None:
        """The side that has won, None if neither has."""
        return self.rules.winner(self.position) if self.position.turn is None else None

    def record_throw(self, faces: str) -> None:
        """Record a throw of the side to throw. If no move is legal with it, the turn passes."""
        assert self.to_throw is not None
        throw = self.rules.dice.throw(faces)
        if self.first is None:
            self._record_start_throw(self.to_throw, throw)
            return
        self.throw, self.to_throw = throw, None
        if not self.legal:
            self._play(PASS)

    def play(self, move: Move) -> None:
        """Play the throw with a legal move."""
        assert move in self.legal, (move, self.position, self.throw)
        self._play(move)

    def take_back(self) -> None:
        """Take the last move back; its throw must be played again."""
        last = self.turns[-1]
        self.turns[-1] = replace(last, taken_back=True)
        self.position, self.to_throw = last.before, None
        self.throw = self.rules.dice.throw(last.faces)

    def _record_start_throw(self, side: Side, throw: Throw) -> None:
        self.start_throws.append((side, throw))
        self.to_throw = side.other
        if side is Side.DARK:
            self.first = self.rules.starts(self.start_throws[-2][1], throw)
            self.to_throw = self.first or Side.LIGHT
            self.position = self.rules.start(self.to_throw)

    def _play(self, move: Move) -> None:
        side, throw = self.position.turn, self.throw
        assert side is not None
        assert throw is not None
        self.turns.append(TrueTurn(side, throw.faces, move.text, self.position))
        self.position = self.rules.play(self.position, throw, move)
        self.throw, self.to_throw = None, self.position.turn
