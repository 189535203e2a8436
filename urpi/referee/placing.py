"""Placing: the position that hands put on the board, found by as few questions as possible.

A switch shows only that something stands on its square. What the rule set leaves open is asked:
whose piece is on top and with which face, which squares hold piles, and how many pieces have left
the game. A piece that is lifted and put back is asked about again, which corrects a wrong answer.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from urpi.referee.deduction import (
    NO_POLES,
    Poles,
    Turn,
    most_below,
    of_pole,
    off_counts,
    placed,
    possible_pieces,
    put_below,
    turns,
    with_pile,
)
from urpi.rules import Position, RuleSet, Side, Square, Squares, each_square, squares_of
from urpi.rules.board import Pile
from urpi.rules.impossible import UnreachableCode, UnreachableError
from urpi.rules.position import EMPTY_BOARD

PlacingProblem: TypeAlias = Literal["too-many", "won", UnreachableCode]
"""Why no game can begin: a side has too many pieces, or has won, or no game leads there."""


class AskPiece(NamedTuple):
    """Which of these pieces is on a square.

    `place` counts from the top of a pile, from 1; `height` is the pile's, 1 until it is known.
    """

    square: Square
    letters: str
    place: int = 1
    height: int = 1

    def answer(self, side: Side, *, long: bool) -> str | None:
        """Return the piece that a press means, None if the press means none of them.

        The button is that of the piece's owner, and a long press means the turned face. What only
        one piece can be is meant by either press, or by either button.
        """
        own = [each for each in self.letters if Side.of_letter(each) is side]
        if not own and len({Side.of_letter(each) for each in self.letters}) == 1:
            own = list(self.letters)
        if len(own) == 1:
            return own[0]
        return next((each for each in own if each.islower() == long), None)


class AskPiles(NamedTuple):
    """Which of these squares holds a pile; `chosen` is one of them, None if no other one does."""

    squares: tuple[Square, ...]
    chosen: Square | None = None

    def next(self, step: int) -> Square | None:
        """Return the choice that is a step ahead, or behind if negative; None is the first."""
        choices = (None, *self.squares)
        return choices[(choices.index(self.chosen) + step) % len(choices)]


class AskHeight(NamedTuple):
    """How many pieces a pile has, at most `most`."""

    square: Square
    height: int
    most: int


class AskTurn(NamedTuple):
    """Which side throws next; the answer also means that all pieces stand."""

    turns: tuple[Turn, ...]


class AskOff(NamedTuple):
    """How many of a side's pieces that do not stand on the board have left the game."""

    side: Side
    counts: tuple[int, ...]
    chosen: int = 0


class AskBegin(NamedTuple):
    """Whether the game begins with this position."""

    position: Position


class Impossible(NamedTuple):
    """No game can begin with what stands on the board; `side` is what the reason is about."""

    code: PlacingProblem
    side: Side


PlacingAsk: TypeAlias = AskPiece | AskPiles | AskHeight | AskTurn | AskOff | AskBegin | Impossible


@dataclass(frozen=True, slots=True)
class _Pile:
    """A pile that is being described from the top down."""

    square: Square
    pieces: Pile
    height: int
    is_counted: bool = False


@dataclass(frozen=True)
class Placing:
    """What the switches and the players have told about a position so far.

    Attributes:
        rules: The rule set.
        order: The occupied squares, in the order in which they were filled.
        told: The piles of the squares that were asked about.
        turn: The side to throw; None until all pieces stand.
        piles_told: Whether the players were asked about piles.
        off: The numbers of pieces that have left the game, as far as they are known.
        poles: What Hall sensors have shown of the squares: the pole of each lowest piece.
    """

    rules: RuleSet
    order: tuple[Square, ...] = ()
    told: Mapping[Square, Pile] = field(default_factory=dict)
    turn: Turn | None = None
    piles_told: bool = False
    off: tuple[int | None, int | None] = (None, None)
    poles: Poles = NO_POLES
    _gone: int = 0
    _square: Square | None = None
    _pile: _Pile | None = None

    @cached_property
    def _possible(self) -> Mapping[Square, str]:
        """The pieces that may be on top of each occupied square."""
        return possible_pieces(self.rules, self.order, self.told, self.poles)

    @cached_property
    def board(self) -> tuple[Pile, ...]:
        """The piles of the squares that are known; the others are empty."""
        board = list(EMPTY_BOARD)
        for square, letters in self._possible.items():
            if square in self.told:
                board[square] = self.told[square]
            elif len(letters) == 1:
                board[square] = letters
        return tuple(board)

    @property
    def occupied(self) -> Squares:
        """The occupied squares."""
        return squares_of(self.order)

    @cached_property
    def asks(self) -> PlacingAsk:
        """What the players are asked now."""
        return next(self._questions())

    def _questions(self) -> Iterator[PlacingAsk]:
        """Yield what is not known yet, in the order in which it is asked."""
        for square in self.order:
            letters = self._possible[square]
            if not letters:
                yield Impossible("too-many", self._crowded)
            elif square not in self.told and len(letters) > 1:
                yield AskPiece(square, letters)
        if self._pile is not None:
            yield self._about_pile(self._pile)
        if self.turn is None:
            yield AskTurn(turns(self.rules))
            return
        if not self.piles_told and (may_be := self._may_be_piles):
            yield AskPiles(may_be, self._square if self._square in may_be else None)
        yield from self._about_off()
        yield self._at_end(self.turn)

    @property
    def _crowded(self) -> Side:
        """A side that has no piece left for a square that only it could have."""
        known = "".join(self.board).upper()
        crowded = (side for side in Side if known.count(side.letter) >= self.rules.pieces)
        return next(crowded, Side.LIGHT)

    @property
    def _may_be_piles(self) -> tuple[Square, ...]:
        """The squares that hold a pile, or may hold one."""
        if not self.rules.piles:
            return ()
        return tuple(
            square
            for square in sorted(self.order)
            if len(self.board[square]) > 1 or put_below(self.rules, self.board, square)
        )

    def _about_pile(self, pile: _Pile) -> PlacingAsk:
        if not pile.is_counted:
            alone = with_pile(self.board, pile.square, pile.pieces)
            most = 1 + most_below(self.rules, alone, pile.square)
            return AskHeight(pile.square, pile.height, most)
        letters = self._below(pile)
        return AskPiece(pile.square, letters, len(pile.pieces) + 1, pile.height)

    def _below(self, pile: _Pile) -> str:
        """Return the pieces that may be the next one of a pile."""
        board = with_pile(self.board, pile.square, pile.pieces)
        letters = put_below(self.rules, board, pile.square)
        is_lowest = len(pile.pieces) + 1 == pile.height
        return of_pole(self.rules, letters, self.poles[pile.square]) if is_lowest else letters

    def _about_off(self) -> Iterator[AskOff]:
        for side in Side:
            if self.off[side.number] is None and len(counts := self._off_counts(side)) > 1:
                yield AskOff(side, counts, self._gone)

    def _off_counts(self, side: Side) -> tuple[int, ...]:
        return off_counts(self.rules, self.board, side)

    def _at_end(self, turn: Turn) -> PlacingAsk:
        """Ask whether the game begins, unless a side has won already, or no game leads there."""
        light, dark = (
            (self._off_counts(side) or (0,))[0] if known is None else known
            for side, known in zip(Side, self.off, strict=True)
        )
        position = placed(self.rules, self.board, (light, dark), turn)
        assert position is not None
        winner = self.rules.winner(position)
        if winner is not None:
            return Impossible("won", winner)
        try:
            self.rules.check_reachable(position)
        except UnreachableError as error:
            return Impossible(error.problem, error.side)
        return AskBegin(position)

    def seen(self, occupied: Squares, poles: Poles = NO_POLES) -> "Placing":
        """Return the placing after the occupied squares have stood still, with their poles.

        A change ends the questions that follow when all pieces stand. A pole that was certain
        stays so until its piece is lifted.
        """
        stayed = occupied & self.occupied
        poles = tuple(
            pole or (self.poles[square] if stayed >> square & 1 else None)
            for square, pole in enumerate(poles)
        )
        if occupied == self.occupied:
            return self if poles == self.poles else replace(self, poles=poles)
        kept = tuple(square for square in self.order if occupied >> square & 1)
        new = tuple(each_square(occupied & ~self.occupied))
        told = {square: pile for square, pile in self.told.items() if square in kept}
        return Placing(self.rules, (*kept, *new), told, poles=poles)

    def pressed(self, side: Side, *, long: bool) -> "Placing":
        """Return the placing after a button was pressed, the same if that answers nothing."""
        # As in the menu, one button goes to the next choice, and the other one back.
        step = 1 if side is Side.LIGHT else -1
        match self.asks:
            case AskPiece(square=square) as ask if piece := ask.answer(side, long=long):
                return self._with_piece(square, piece)
            case AskTurn(turns=possible) if turn := _turn(possible, side, long=long):
                return replace(self, turn=turn)
            case AskPiles() as ask:
                return self._in_piles(ask, step, long=long)
            case AskHeight() as ask:
                return self._in_height(ask, step, long=long)
            case AskOff() as ask:
                return self._in_off(ask, step, long=long)
            case AskBegin() if not long:
                return Placing(self.rules, self.order, self.told, poles=self.poles)
            case _:
                return self

    def _with_piece(self, square: Square, piece: str) -> "Placing":
        pile = self._pile
        if pile is None:
            return replace(self, told={**self.told, square: piece})
        return self._with_pile(replace(pile, pieces=piece + pile.pieces))

    def _with_pile(self, pile: _Pile) -> "Placing":
        """Return the placing with as much of a pile as is known without a question."""
        while len(pile.pieces) < pile.height:
            letters = self._below(pile)
            if len(letters) > 1:
                return replace(self, _pile=pile)
            pile = replace(pile, pieces=letters + pile.pieces)
        told = {**self.told, pile.square: pile.pieces}
        later = (square for square in sorted(self.order) if square > pile.square)
        return replace(self, told=told, _pile=None, _square=next(later, None))

    def _in_piles(self, ask: AskPiles, step: int, *, long: bool) -> "Placing":
        square = ask.chosen
        if not long:
            return replace(self, _square=ask.next(step))
        if square is None:
            return replace(self, piles_told=True)
        pile = self.board[square]
        return replace(self, _pile=_Pile(square, pile[-1], max(2, len(pile))))

    def _in_height(self, ask: AskHeight, step: int, *, long: bool) -> "Placing":
        assert self._pile is not None
        if long:
            return self._with_pile(replace(self._pile, is_counted=True))
        height = (ask.height - 1 + step) % ask.most + 1
        return replace(self, _pile=replace(self._pile, height=height))

    def _in_off(self, ask: AskOff, step: int, *, long: bool) -> "Placing":
        if not long:
            return replace(self, _gone=(ask.chosen + step) % len(ask.counts))
        off = list(self.off)
        off[ask.side.number] = ask.counts[ask.chosen]
        light, dark = off
        return replace(self, off=(light, dark), _gone=0)


def _turn(possible: tuple[Turn, ...], side: Side, *, long: bool) -> Turn | None:
    turn = Turn(side, long)
    return turn if turn in possible else Turn(side)
