"""The record of a running game: a line for every throw that was played."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from urpi.referee.decisions import Decision, Moved, Passed, Roll, TakenBack
from urpi.referee.facts import Confidence
from urpi.rules import PASS, Side, parse_move
from urpi.show.words import Words
from urpi.show.words.move_texts import move_text


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A throw and the move that was played with it.

    Attributes:
        n: The number of the line, from 1.
        turn: The number of the turn, from 1. Consecutive throws of one side are one turn.
        side: The side that threw.
        throw: The faces.
        value: The value of the throw.
        move: The move.
        confidence: ``sensed``, ``inferred`` or ``answered``, empty for a pass.
        taken_back: Whether the move was taken back.
    """

    n: int
    turn: int
    side: Side
    throw: str
    value: int
    move: str
    confidence: Confidence | Literal[""] = ""
    taken_back: bool = False

    def document(self, words: Words) -> dict[str, Any]:
        return {
            "n": self.n,
            "turn": self.turn,
            "side": self.side.value,
            "throw": self.throw,
            "value": self.value,
            "move": self.move,
            "text": move_text(parse_move(self.move), words),
            "confidence": self.confidence,
            "taken_back": self.taken_back,
        }


class Record:
    """The lines of one game, oldest first."""

    def __init__(self) -> None:
        self.lines: list[RecordLine] = []
        self._roll: Roll | None = None

    def add(self, decision: Decision) -> None:
        """Add the next decision; a move without a throw before it is ignored."""
        match decision:
            case Roll():
                self._roll = decision
            case Moved(move=move, confidence=confidence):
                self._add_line(move, confidence)
            case Passed(code="declined"):
                pass
            case Passed():
                self._add_line(PASS.text, "")
            case TakenBack(move=move):
                self._take_back(move)

    def _add_line(self, move: str, confidence: Confidence | Literal[""]) -> None:
        roll = self._roll
        if roll is None:
            return
        turn = self._turn(roll.side)
        n = len(self.lines) + 1
        line = RecordLine(n, turn, roll.side, roll.faces, roll.value, move, confidence)
        self.lines.append(line)

    def _turn(self, side: Side) -> int:
        if not self.lines:
            return 1
        last = self.lines[-1]
        return last.turn if last.side is side else last.turn + 1

    def _take_back(self, move: str) -> None:
        for place in range(len(self.lines) - 1, -1, -1):
            line = self.lines[place]
            if line.move == move and not line.taken_back:
                self.lines[place] = replace(line, taken_back=True)
                # The throw is played again, by another move.
                self._roll = Roll(0, line.side, line.throw, line.value, ())
                return


def lines_document(lines: Sequence[RecordLine], words: Words, count: int) -> dict[str, Any]:
    """Return the last `count` lines, the number of the first of them, and the totals of all."""
    first = max(len(lines) - count, 0)
    return {
        "record_from": first + 1,
        "record": [one.document(words) for one in lines[first:]],
        "totals": {side.value: _totals(lines, side) for side in Side},
    }


def _totals(lines: Sequence[RecordLine], side: Side) -> dict[str, int]:
    """The numbers of a side's throws and captures, without moves that were taken back."""
    played = [line for line in lines if line.side is side and not line.taken_back]
    return {"throws": len(played), "captures": sum(line.move.count("x") for line in played)}
