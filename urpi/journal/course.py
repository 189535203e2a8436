"""The course of a game: its current position, and the throw to be played.

It follows the stored decisions and does not referee, so that a game is shown as it was decided
then, whatever this version of the program would decide.
"""

from dataclasses import dataclass

from urpi.core.errors import UrpiError
from urpi.referee.decisions import Decision, Moved, Passed, Roll, Starts, TakenBack
from urpi.referee.facts import Game
from urpi.rules import PASS, Position, Side, parse_position, rule_set


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move that can be taken back, with the throw and the position before it."""

    roll: Roll
    position: Position
    move: str


class Course:
    """Follows one game from its `game` fact.

    Attributes:
        position: The current position.
        roll: The newest throw, None before the first.
    """

    def __init__(self, game: Game) -> None:
        """Begin at the game's first position.

        Raises:
            UrpiError: If the game's rules or position are invalid.
        """
        rules = rule_set(game.rules, dict(game.options))
        start = rules.start(game.first or Side.LIGHT)
        self.position = parse_position(game.position) if game.position else start
        self.roll: Roll | None = None
        self._played: list[PlayedMove] = []

    def apply(self, decision: Decision) -> None:
        """Follow the next decision.

        Raises:
            UrpiError: If it is inconsistent with those before it.
        """
        match decision:
            case Starts(side=side):
                self.position = self.position._replace(turn=side)
            case Roll():
                self.roll = decision
            case Moved(move=move, position=after):
                roll = self._roll_for(decision)
                # The opponent's throw does not end the time in which a move can be taken back: it
                # may have come too soon.
                if self._played and self._played[-1].roll.side is not roll.side:
                    self._played = []
                self._played.append(PlayedMove(roll, self.position, move))
                self.position = parse_position(after)
            case Passed():
                roll, rules = self._roll_for(decision), self.position.rules
                if self.position.turn is None:
                    message = "The stored decisions continue after the game's end."
                    raise UrpiError(message)
                self.position = rules.play(self.position, rules.dice.throw(roll.faces), PASS)
            case TakenBack(move=move):
                self._take_back(move)

    def _roll_for(self, decision: Decision) -> Roll:
        if self.roll is None:
            message = f"The stored decisions are inconsistent: {decision} has no throw."
            raise UrpiError(message)
        return self.roll

    def _take_back(self, move: str) -> None:
        if not self._played or self._played[-1].move != move:
            message = f"The stored decisions take back {move}, which was not the last move."
            raise UrpiError(message)
        last = self._played.pop()
        self.position, self.roll = last.position, last.roll
