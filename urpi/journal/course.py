"""The course of a game: which position stands, and which throw is to be played.

It follows the decisions as they were stored and referees nothing, so that a game is told as
it was decided then, whatever this version of the program would decide.
"""

from dataclasses import dataclass, replace

from urpi.errors import UrpiError
from urpi.referee.decisions import Decision, Moved, Passed, Roll, Starts, TakenBack
from urpi.referee.facts import Game
from urpi.rules import PASS, Position, Side, parse_position, rule_set


@dataclass(frozen=True, slots=True)
class Played:
    """A move of the running turn: the throw it was made with, and what stood before."""

    roll: Roll
    position: Position
    move: str


class Course:
    """Follows one game from its `game` fact."""

    def __init__(self, game: Game) -> None:
        """Begin.

        Raises:
            UrpiError: when the game's rules or position are none.
        """
        rules = rule_set(game.rules, dict(game.options))
        start = rules.start(game.first or Side.LIGHT)
        self.position = parse_position(game.position) if game.position else start
        self.roll: Roll | None = None
        self._played: list[Played] = []

    def take(self, decision: Decision) -> None:
        """Go on with the next decision.

        Raises:
            UrpiError: when it does not fit those before it.
        """
        match decision:
            case Starts(side=side):
                self.position = replace(self.position, turn=side)
            case Roll():
                if self._played and self._played[0].roll.side is not decision.side:
                    self._played = []
                self.roll = decision
            case Moved(move=move, position=after):
                self._played.append(Played(self._thrown(decision), self.position, move))
                self.position = parse_position(after)
            case Passed():
                roll, rules = self._thrown(decision), self.position.rules
                if self.position.turn is None:
                    message = "The stored decisions go on behind the game's end."
                    raise UrpiError(message)
                self.position = rules.play(self.position, rules.dice.throw(roll.faces), PASS)
                self._played = []
            case TakenBack(move=move):
                self._take_back(move)

    def _thrown(self, decision: Decision) -> Roll:
        if self.roll is None:
            message = f"The stored decisions do not fit each other: {decision} has no throw."
            raise UrpiError(message)
        return self.roll

    def _take_back(self, move: str) -> None:
        if not self._played or self._played[-1].move != move:
            message = f"The stored decisions take back {move}, which was not the last move."
            raise UrpiError(message)
        last = self._played.pop()
        self.position, self.roll = last.position, last.roll
