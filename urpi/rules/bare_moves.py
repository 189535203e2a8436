"""Moves that are given by their squares alone, as in RGN: which throw and which move they are.

The text of a move is ``A@A4``, ``A4A2``, ``A2B2x`` or ``A7A+`` (FORMATS.md, RoyalUr).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from urpi.core.errors import UrpiError
from urpi.rules.board import ROSETTES, SQUARE_NAMES, Side, Square, parse_square
from urpi.rules.dice import Throw
from urpi.rules.moves import HAND, OFF, PASS, Move, simple_move
from urpi.rules.position import Position
from urpi.rules.record import IllegalMoveError, Play, Thrown, Turn

_MOST_LISTED: Final = 6


class Action(NamedTuple):
    """A throw of one side: its move by its squares, or what the dice counted if there was none."""

    side: Side
    text: str
    turn: int

    @property
    def written(self) -> str:
        """The action as RGN has it."""
        return f"{self.text} --" if self.text.isdigit() else self.text

    @property
    def place(self) -> str:
        """Where it is: the number of the turn, and that which RGN has for it."""
        return f"Turn {self.turn}, {(self.turn + 1) // 2}. of {self.side.value}"


@dataclass(slots=True)
class BareGame:
    """A game of which the actions are played one by one."""

    position: Position
    throws: list[tuple[Side, Thrown]] = field(default_factory=list)

    def add(self, action: Action, *, last: bool) -> None:
        """Play an action.

        Raises:
            UrpiError: If it is not legal; the message names the turn.
        """
        position, place = self._of_turn(action), action.place
        if action.text.isdigit():
            thrown, after = self._play_throw(position, action, place, last=last)
        else:
            throw, move = resolve(position, action.text, place)
            thrown = Thrown(throw.faces, (Play(move.text),))
            after = position.rules.play(position, throw, move)
        self.throws.append((action.side, thrown))
        self.position = after

    def _of_turn(self, action: Action) -> Position:
        """The position with the action's side to throw; an extra throw may have been declined."""
        position, place = self.position, action.place
        if position.turn is None:
            message = f"{place}: {action.written}, but the game is over."
            raise UrpiError(message)
        if position.turn is action.side:
            return position
        if self.throws and self.throws[-1][0] is position.turn and position.rules.may_decline:
            side, thrown = self.throws[-1]
            self.throws[-1] = side, replace(thrown, declined=True)
            return position.rules.decline(position)
        message = f"{place}: {action.written}, but it is {position.turn.value}'s turn."
        raise UrpiError(message)

    @staticmethod
    def _play_throw(
        position: Position, action: Action, place: str, *, last: bool
    ) -> tuple[Thrown, Position]:
        rules = position.rules
        throws = [each for each in rules.dice.each_meaning if str(each.value) == action.text]
        if len(throws) != 1:
            values = ", ".join(sorted({str(each.value) for each in rules.dice.each_meaning}))
            why = "the faces matter here" if throws else f"these dice count {values}"
            message = f"{place}: {action.text} -- does not say what was thrown; {why}."
            raise UrpiError(message)
        (throw,) = throws
        refusal = rules.refusal(position, throw, PASS)
        if refusal is None:
            after = rules.play(position, throw, PASS)
            return Thrown(throw.faces, (Play(PASS.text),)), after
        if last:
            # The game stops between a throw and its move.
            return Thrown(throw.faces), position
        moves = rules.legal_moves(position, throw)
        legal = f"Legal: {_listed(in_squares(move, position) or move.text for move in moves)}."
        raise IllegalMoveError(f"{place}: {action.text} -- is not legal", refusal, legal)

    def turns(self) -> tuple[Turn, ...]:
        turns: list[Turn] = []
        for side, thrown in self.throws:
            if turns and turns[-1].side is side:
                turns[-1] = Turn(side, (*turns[-1].throws, thrown))
            else:
                turns.append(Turn(side, (thrown,)))
        return tuple(turns)


def resolve(position: Position, text: str, place: str) -> tuple[Throw, Move]:
    """The only throw and move that RGN's text can mean.

    Raises:
        UrpiError: If there is none, or there are several.
    """
    rules, plain = position.rules, "".join(text.split())
    squares = plain.rstrip("x*")
    found, legal = [], []
    for throw in rules.dice.each_meaning:
        for move in rules.legal_moves(position, throw):
            written = in_squares(move, position)
            if written is not None:
                legal.append(written)
                if "".join(written.split()).rstrip("x*") == squares:
                    found.append((throw, move, written))
    if len(found) > 1:
        throws = " or ".join(throw.faces for throw, _, _ in found)
        message = f"{place}: {text} can be a throw of {throws}, and RGN does not say which."
        raise UrpiError(message)
    if not found:
        raise _illegal(position, text, place, f"Legal: {_listed(dict.fromkeys(legal))}.")
    throw, move, written = found[0]
    # The marks are redundant: they may be missing, but not contradict the board.
    if any(plain.count(mark) > written.count(mark) for mark in "x*"):
        message = f"{place}: {text} must be {written} on this board."
        raise UrpiError(message)
    return throw, move


def _illegal(position: Position, text: str, place: str, legal: str) -> UrpiError:
    """The error for a move that no throw allows."""
    side = position.turn
    assert side is not None
    origin = HAND if text[1] == "@" else _square(text[:2])
    target = OFF if text[3] == "+" else _square(text[2:4])
    if origin is None or target is None:
        message = f"{place}: the board has no such square as in {text}. {legal}"
        return UrpiError(message)
    if origin == HAND and target == OFF:
        message = f"{place}: {text} would take a piece from the hand off the board. {legal}"
        return UrpiError(message)
    move = simple_move(origin, target, captures="x" in text)
    for throw in position.rules.dice.each_meaning:
        refusal = position.rules.refusal(position, throw, move)
        if refusal is not None and refusal.code != "wrong-distance":
            return IllegalMoveError(f"{place}: {text} is not legal with any throw", refusal, legal)
    message = f"{place}: {text} is not as far as any throw. {legal}"
    return UrpiError(message)


def _square(name: str) -> Square | None:
    return parse_square(name) if name in SQUARE_NAMES else None


def in_squares(move: Move, position: Position) -> str | None:
    """A move as RGN has it, None if RGN cannot express it."""
    if len(move.parts) != 1 or len(move.parts[0].stops) != 1 or move.parts[0].prisoners:
        return None
    (part,) = move.parts
    row = "A" if position.turn is Side.LIGHT else "C"
    origin = f"{row}@" if part.origin == HAND else SQUARE_NAMES[part.origin]
    target = f"{row}+" if part.target == OFF else SQUARE_NAMES[part.target]
    capture = "x" if part.stops[0].captures else ""
    rosette = " *" if part.target in ROSETTES else ""
    return f"{origin}{target}{capture}{rosette}"


def _listed(texts: Iterable[str]) -> str:
    every = list(texts)
    more = f", and {len(every) - _MOST_LISTED} more" if len(every) > _MOST_LISTED else ""
    return f"{', '.join(every[:_MOST_LISTED]) or 'none'}{more}"
