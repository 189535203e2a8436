"""The race: one piece a square, exact throws, capture by landing (RULES.md 0, Race basics).

Five of the eight sets are this class with other data; `skiryuk` builds on it.
"""

from collections.abc import Mapping
from typing import ClassVar, Final

from urpi.errors import UrpiError
from urpi.rules.board import (
    ALL_SQUARES,
    ROSETTES,
    SQUARE_NAMES,
    Side,
    Square,
    mirror,
    owner,
)
from urpi.rules.dice import DiceSet, Throw
from urpi.rules.moves import HAND, OFF, PASS, Move, simple_move
from urpi.rules.options import Option
from urpi.rules.position import Position
from urpi.rules.refusals import Refusal, first_refusal
from urpi.rules.ruleset import RuleSet

PIECES: Final = Option("pieces", ("7", "5", "3"), "pieces a side, for a shorter game")


class Track:
    """One side's way over the board: where each of its pieces can be, and where it goes.

    A place is an index into the path, from 0; -1 is the hand, the path's length is off.
    """

    def __init__(self, side: Side, path: tuple[Square, ...]) -> None:
        self.side = side
        self.path = path
        self.length = len(path)
        self.letters = tuple(
            side.letter.lower() if square in path[:place] else side.letter
            for place, square in enumerate(path)
        )
        """What a piece is called at each place: lower case on a second visit."""
        self.place_of = {
            (square, letter): place
            for place, (square, letter) in enumerate(zip(path, self.letters, strict=True))
        }
        self.holdings = tuple(zip(path, self.letters, range(self.length), strict=True))
        self._moves: dict[tuple[int, int, bool], Move] = {}

    def move(self, place: int, target: int, *, captures: bool) -> Move:
        """The move from a place to another, made once and kept."""
        key = (place, target, captures)
        if key not in self._moves:
            origin = HAND if place < 0 else self.path[place]
            square = OFF if target == self.length else self.path[target]
            self._moves[key] = simple_move(origin, square, captures=captures)
        return self._moves[key]

    def places(self, square: Square) -> list[int]:
        """Every place of a square, none when it is not on the path."""
        return [place for place in range(self.length) if self.path[place] == square]


class Race(RuleSet):
    """A race on a path. The class attributes are what the sets differ in."""

    known_options: ClassVar[tuple[Option, ...]] = (PIECES,)
    rosettes_throw_again: ClassVar[bool] = True
    throws_again_on: ClassVar[int | None] = None
    """A throw that throws again when it has been played."""

    def __init__(self, chosen: Mapping[str, str]) -> None:
        super().__init__(chosen)
        self.dice = self._dice()
        self.pieces = int(self.options["pieces"])
        self.safe_rosettes = self._safe_rosettes()
        light = self._light_path()
        dark = tuple(mirror(square) for square in light)
        self._tracks = Track(Side.LIGHT, light), Track(Side.DARK, dark)

    def _dice(self) -> DiceSet:
        raise NotImplementedError

    def _light_path(self) -> tuple[Square, ...]:
        raise NotImplementedError

    def _safe_rosettes(self) -> bool:
        return self.options.get("safe_rosettes", "yes") == "yes"

    def path(self, side: Side) -> tuple[Square, ...]:
        """The side's squares, first to last."""
        return self._tracks[side.number].path

    def legal_moves(self, position: Position, throw: Throw) -> tuple[Move, ...]:
        """Every legal move, sorted by text."""
        if position.turn is None or throw.value == 0:
            return ()
        track = self._tracks[position.turn.number]
        board = position.board
        moves: list[Move] = []
        if position.hand[position.turn.number]:
            self._add(moves, board, track, -1, throw.value)
        for square, letter, place in track.holdings:
            if board[square] == letter:
                self._add(moves, board, track, place, throw.value)
        moves.sort()
        return tuple(moves)

    def _add(
        self, moves: list[Move], board: tuple[str, ...], track: Track, place: int, distance: int
    ) -> None:
        target = place + distance
        if target >= track.length:
            if target == track.length:
                moves.append(track.move(place, target, captures=False))
            return
        square = track.path[target]
        if not board[square]:
            moves.append(track.move(place, target, captures=False))
        elif owner(board[square]) is not track.side and not self._protected(square):
            moves.append(track.move(place, target, captures=True))

    def _protected(self, square: Square) -> bool:
        return self.safe_rosettes and square in ROSETTES

    def play(self, position: Position, throw: Throw, move: Move) -> Position:
        """The position after a legal move, or after a pass."""
        side = position.turn
        assert side is not None
        if move is PASS or not move.parts:
            return Position(self, position.board, position.hand, position.off, side.other)
        part = move.parts[0]
        board, hand, off = list(position.board), list(position.hand), list(position.off)
        track = self._tracks[side.number]
        place = self._lift(board, hand, track, part.origin) + throw.value
        target = part.target
        if target == OFF:
            off[side.number] += 1
        else:
            if board[target]:
                hand[side.other.number] += 1
            board[target] = track.letters[place]
        turn = None if off[side.number] == self.pieces else self._next(side, throw, target)
        return Position(self, tuple(board), (hand[0], hand[1]), (off[0], off[1]), turn)

    @staticmethod
    def _lift(board: list[str], hand: list[int], track: Track, origin: Square) -> int:
        if origin == HAND:
            hand[track.side.number] -= 1
            return -1
        place = track.place_of[origin, board[origin]]
        board[origin] = ""
        return place

    def _next(self, side: Side, throw: Throw, target: Square) -> Side:
        again = self.rosettes_throw_again and target in ROSETTES
        return side if again or throw.value == self.throws_again_on else side.other

    def winner(self, position: Position) -> Side | None:
        """The side that has borne off every piece."""
        for side in Side:
            if position.off[side.number] == self.pieces:
                return side
        return None

    def refusal(self, position: Position, throw: Throw, move: Move) -> Refusal | None:
        """Why a move is not legal now, None when it is."""
        side = position.turn
        if side is None:
            return Refusal("not-your-turn")
        legal = self.legal_moves(position, throw)
        if not move.parts:
            return self._refuse_pass(position, side, throw) if legal else None
        if len(move.parts) > 1 or len(move.parts[0].stops) > 1:
            return Refusal("two-moves")
        part = move.parts[0]
        if any(
            other.parts[0][:1] == part[:1] and other.parts[0].target == part.target
            for other in legal
        ):
            return None
        return first_refusal(self._refusals(position, side, throw, part.origin, part.target))

    def _refuse_pass(self, position: Position, side: Side, throw: Throw) -> Refusal:
        on_board = any(owner(pile) is side for pile in position.board)
        return Refusal("must-move" if on_board else "must-enter", {"threw": throw.value})

    def _refusals(
        self, position: Position, side: Side, throw: Throw, origin: Square, target: Square
    ) -> list[Refusal]:
        details: dict[str, str | int] = {"threw": throw.value, "origin": "", "target": ""}
        if origin != HAND:
            details["origin"] = SQUARE_NAMES[origin]
        if target != OFF:
            details["target"] = SQUARE_NAMES[target]
        track = self._tracks[side.number]
        place = self._place(position, track, origin)
        if isinstance(place, str):
            return [Refusal(place, details)]
        return [
            *self._refuse_target(position, side, origin, target, details),
            *_refuse_distance(track, place, target, throw, details),
        ]

    @staticmethod
    def _place(position: Position, track: Track, origin: Square) -> int | str:
        """The place of the piece that is to move, or the code that says why it cannot."""
        if origin == HAND:
            return -1 if position.hand[track.side.number] else "extra-piece"
        pile = position.board[origin]
        if not pile:
            return "piece-missing"
        return track.place_of.get((origin, pile), "not-your-piece")

    def _refuse_target(
        self,
        position: Position,
        side: Side,
        origin: Square,
        target: Square,
        details: Mapping[str, str | int],
    ) -> list[Refusal]:
        if target in {OFF, origin} or not position.board[target]:
            return []
        if owner(position.board[target]) is side:
            return [Refusal("own-piece-there", details)]
        return [Refusal("safe-square", details)] if self._protected(target) else []

    def check(self, position: Position) -> None:
        """Say whether the position can be one of this set.

        Raises:
            UrpiError: when it cannot; the message names what is wrong.
        """
        for square in ALL_SQUARES:
            self._check_pile(square, position.board[square])
        for side in Side:
            self._check_count(position, side)
        won = self.winner(position)
        if (won is None) == (position.turn is None):
            message = "A position's turn is = when a side has borne off every piece, and only then."
            raise UrpiError(message)
        if position.extra_used:
            message = f"In {self.id} no extra throw is used up; a position's turn is L, D or =."
            raise UrpiError(message)

    def _check_pile(self, square: Square, pile: str) -> None:
        name = SQUARE_NAMES[square]
        if len(pile) > 1:
            message = f"In {self.id} one piece stands on a square; {name} holds {len(pile)}."
            raise UrpiError(message)
        side = owner(pile)
        if side is not None and (square, pile) not in self._tracks[side.number].place_of:
            message = f"In {self.id} no such piece of {side.value}'s comes to {name}."
            raise UrpiError(message)

    def _check_count(self, position: Position, side: Side) -> None:
        number = side.number
        on_board = "".join(position.board).upper().count(side.letter)
        total = on_board + position.hand[number] + position.off[number]
        if total != self.pieces:
            message = (
                f"In {self.text} {side.value} has {self.pieces} pieces; found {on_board} on the "
                f"board, {position.hand[number]} in hand and {position.off[number]} off."
            )
            raise UrpiError(message)


def _refuse_distance(
    track: Track, place: int, target: Square, throw: Throw, details: Mapping[str, str | int]
) -> list[Refusal]:
    if target == OFF:
        went = track.length - place
        wrong = went != throw.value
        return [Refusal("inexact-exit", {**details, "went": went})] if wrong else []
    distances = [other - place for other in track.places(target)]
    if not distances:
        return [Refusal("off-path", details)]
    went = min(distances, key=lambda distance: (distance <= 0, abs(distance - throw.value)))
    if went == throw.value:
        return []
    code = "wrong-distance" if went > 0 else "backwards"
    return [Refusal(code, {**details, "went": abs(went)})]
