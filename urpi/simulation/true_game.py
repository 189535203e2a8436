"""The true game: what the players themselves know of it, from the dice that really lay there.

It is what a referee's findings are held against; it knows nothing of any referee.
"""

from dataclasses import dataclass, replace

from urpi.errors import UrpiError
from urpi.rules import PASS, Move, Position, RuleSet, Side, Starter, Throw


@dataclass(frozen=True, slots=True)
class Turn:
    """One throw and what was played with it, ``pass`` when nothing was. `before` is the position.

    `taken_back`: it was put back, and the same throw was played anew.
    """

    side: Side
    faces: str
    move: str
    before: Position
    taken_back: bool = False


class TrueGame:
    """One game. `position` is what stands before the throw that is to be played or made.

    `to_throw` is who throws next, None while a throw is to be played and when it is over.
    `throw` is the one to be played, `turns` everything played so far, `start_throws` what was
    thrown for the start, oldest first.
    """

    def __init__(self, rules: RuleSet, first: Side | None = None) -> None:
        """Set up a game.

        Args:
            rules: The rule set.
            first: Who begins; None where the rules let throws decide.

        Raises:
            UrpiError: when the rules leave it to be said, and nobody has.
        """
        if first is None and rules.starter in {Starter.DRAWN, Starter.CHOICE}:
            message = f"In {rules.id} no throw decides who begins; say first=light or first=dark."
            raise UrpiError(message)
        self.rules = rules
        self.first = first
        self.position = rules.start(first or Side.LIGHT)
        self.to_throw: Side | None = first or Side.LIGHT
        self.throw: Throw | None = None
        self.turns: list[Turn] = []
        self.start_throws: list[tuple[Side, Throw]] = []

    @property
    def legal(self) -> tuple[Move, ...]:
        """The legal moves of the throw that is to be played."""
        return self.rules.legal_moves(self.position, self.throw) if self.throw else ()

    @property
    def winner(self) -> Side | None:
        """Who has won, None while nobody has."""
        return self.rules.winner(self.position) if self.position.turn is None else None

    def record_throw(self, faces: str) -> None:
        """The dice of whoever was to throw lie so. A throw that moves nothing is passed."""
        assert self.to_throw is not None
        throw = self.rules.dice.throw(faces)
        if self.first is None:
            self._record_start_throw(self.to_throw, throw)
            return
        self.throw, self.to_throw = throw, None
        if not self.legal:
            self._play(PASS)

    def play(self, move: Move) -> None:
        """The throw is played with a legal move."""
        assert move in self.legal, (move, self.position, self.throw)
        self._play(move)

    def take_back(self) -> None:
        """The last move is put back; its throw is to be played anew."""
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
        self.turns.append(Turn(side, throw.faces, move.text, self.position))
        self.position = self.rules.play(self.position, throw, move)
        self.throw, self.to_throw = None, self.position.turn
