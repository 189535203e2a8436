"""The interface of all rule sets, used by the referee, the page, records and the simulation.

Code that uses it never checks which rule set it is. Most rule sets only provide data
(`urpi.rules.race`); games that are not races have code of their own.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum
from types import MappingProxyType
from typing import ClassVar, Final, Literal, TypeAlias

from urpi.rules.board import EMPTY_SIDES, SQUARE_NAMES, Side, Square, owner
from urpi.rules.dice import DiceSet, Throw
from urpi.rules.impossible import ImpossiblePositionError, UnreachableError
from urpi.rules.moves import Move
from urpi.rules.options import (
    Option,
    changed_options,
    check_options,
    options_of_play,
    rules_word,
)
from urpi.rules.position import EMPTY_BOARD, EXTRA_USED, Position, position_of
from urpi.rules.refusals import Refusal, details_of, first_refusal

Past: TypeAlias = tuple[tuple[Position, Side, str], ...]
"""The moves and passes of a game: the position before, the side, and the text of the move."""
WinCode: TypeAlias = Literal["off", "captured", "forts"]
"""How a game is won by the rules: by bearing off, capturing everything, or holding the forts."""
DrawCode: TypeAlias = Literal["repeated-action", "repeated-position"]
"""Why a draw may be claimed."""


class Starter(Enum):
    """How the starting side is decided (RULES.md, each rule set)."""

    MORE = "more"
    """Both sides throw; the higher throw begins, and ties are thrown again."""
    ONE_MARK = "one-mark"
    """Both sides throw until exactly one of them has thrown a 1; that side begins."""
    DRAWN = "drawn"
    """Drawn at random when the game is created, and stored with it."""
    CHOICE = "choice"
    """The players choose; after the first game the loser of the previous one."""


START: Final = Option(
    "start",
    ("higher", "one"),
    "who begins: whoever throws more, or the only one who throws a 1",
    of_start=True,
)
StartValue: TypeAlias = Literal["higher", "one"]
"""A value of the option `START`."""
STARTERS: Final[Mapping[StartValue, Starter]] = MappingProxyType(
    {"higher": Starter.MORE, "one": Starter.ONE_MARK}
)
"""The ways of starting by the values of the option `START`."""


DECLINE: Final = Option("decline", ("no", "yes"), "whether a player may decline an extra throw")
MAY_DECLINE: Final = replace(DECLINE, values=("yes", "no"))


class RuleSet(ABC):
    """A rule set with its options. Equal rule sets are the same object."""

    id: ClassVar[str]
    section: ClassVar[int]
    """The number of the rule set's own section in RULES.md."""
    own_codes: ClassVar[frozenset[str] | None] = None
    """Refusal codes whose rules are in that section, None for all.

    The rules of the other codes are in RULES.md 0, Race basics.
    """
    known_options: ClassVar[tuple[Option, ...]]
    starter: Starter
    starter_before: ClassVar[Starter | None] = None
    """The way of starting of games from before the rule set had the option `START`."""
    piles: ClassVar[bool] = False
    """Whether a square may hold more than one piece (RULES.md 6 and 7)."""
    two_faced: ClassVar[bool] = False
    """Whether the pieces have two faces that players see (RULES.md 6 and 7).

    In other rule sets a turned piece (`urpi.rules.board.turned`) only marks its second visit.
    """
    draws: ClassVar[bool] = False
    """Whether there are draws, claimed (see `draw_to_claim`) or agreed on."""
    win_code: ClassVar[WinCode] = "off"
    """The code of a win (FORMATS.md, `won`)."""

    dice: DiceSet
    pieces: int

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self.options = check_options(self.id, self.known_options, chosen)
        self.changed = changed_options(self.known_options, self.options)
        self.text = rules_word(self.id, self.changed)
        self.played_as = rules_word(self.id, options_of_play(self.known_options, self.changed))
        """The text without the options that only decide who begins: equal values of positions."""
        self.may_decline = self.options.get(DECLINE.name) == "yes"
        """Whether a player may decline an extra throw, which ends the turn."""
        self.start_value: StartValue | None = None
        """The value of the option `START`, None without it."""
        for value, starter in STARTERS.items():
            if self.options.get(START.name) == value:
                self.start_value, self.starter = value, starter

    def __repr__(self) -> str:
        return f"<RuleSet {self.text}>"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        from urpi.rules.notation import parse_rules  # noqa: PLC0415 - the registry imports this module

        # Unpickled by its text, so that equal rule sets remain the same object in every process.
        return parse_rules, (self.text,)

    @property
    def bears_off(self) -> bool:
        """Whether pieces leave the board at the end of their path."""
        return self.win_code == "off"

    def start(self, first: Side) -> Position:
        """Return the start position, with the given side to throw."""
        counts = (self.pieces, self.pieces)
        return position_of(self, EMPTY_BOARD, counts, EMPTY_SIDES, first)

    def starts(self, light: Throw, dark: Throw, starter: Starter | None = None) -> Side | None:
        """Return the side that begins after both threw for it, None if both throw again.

        Args:
            light: Light's throw.
            dark: Dark's throw.
            starter: The way of starting, by default that of the rule set.
        """
        if (starter or self.starter) is Starter.ONE_MARK:
            one, other = light.value == 1, dark.value == 1
        else:
            one = self.start_rank(light) > self.start_rank(dark)
            other = self.start_rank(dark) > self.start_rank(light)
        # A tie, or with ONE_MARK two throws of 1 or none.
        if one == other:
            return None
        return Side.LIGHT if one else Side.DARK

    def next_chooser(self, winner: Side) -> Side | None:
        """Return the side that chooses who begins the next game, None if no side chooses."""
        return winner.other if self.starter is Starter.CHOICE else None

    def start_rank(self, throw: Throw) -> int:
        """Return the rank of a throw for the start; the higher one begins."""
        return throw.value

    @abstractmethod
    def path(self, side: Side) -> tuple[Square, ...]:
        """Return the squares of a side's path, first to last; squares may occur twice."""

    @abstractmethod
    def legal_moves(self, position: Position, throw: Throw) -> tuple[Move, ...]:
        """Return all legal moves, sorted by text.

        Empty if the turn passes or the game is over.
        """

    @abstractmethod
    def play(self, position: Position, throw: Throw, move: Move) -> Position:
        """Return the position after a legal move, or after `PASS` if there is none.

        The move is not checked; use `refusal` for that.
        """

    def decline(self, position: Position) -> Position:
        """Return the position after the extra throw of the side to throw was declined."""
        assert position.turn is not None
        return Position(self, position.state & ~EXTRA_USED, position.turn.other)

    def meant(self, position: Position, throw: Throw, move: Move) -> Move | None:
        """Return the legal move that an attempt corresponds to, None if there is none.

        Capture marks and the order of two parts are ignored, because they follow from the rules
        and the position.
        """
        attempted = _squares_moved(move)
        for legal in self.legal_moves(position, throw):
            if _squares_moved(legal) == attempted:
                return legal
        return None

    def refusal(self, position: Position, throw: Throw, move: Move) -> Refusal | None:
        """Return the reason why a move is illegal, None if it is legal.

        The same properties of the move are ignored as in `meant`. The details are `threw`,
        `origin` and `target`, and `went` if the distance is wrong.
        """
        return self.refusals(position, throw, (move,))[0]

    def refusals(
        self, position: Position, throw: Throw, moves: Iterable[Move]
    ) -> tuple[Refusal | None, ...]:
        """Return what `refusal` returns for each of some moves; the legal moves are found once."""
        side = position.turn
        if side is None:
            return tuple(Refusal("not-your-turn", {"threw": throw.value}) for _ in moves)
        legal = [_squares_moved(each) for each in self.legal_moves(position, throw)]
        found: list[Refusal | None] = []
        for move in moves:
            if not move.parts:
                found.append(self._refuse_pass(position, side, throw))
            elif _squares_moved(move) in legal:
                found.append(None)
            else:
                refusal = first_refusal(self._reasons(position, side, throw, move))
                # No rule names the reason: the move cannot be made with this throw.
                details = details_of(throw, move.parts[0])
                found.append(refusal or Refusal("wrong-distance", details))
        return tuple(found)

    def _refuse_pass(self, position: Position, side: Side, throw: Throw) -> Refusal | None:
        if not self.legal_moves(position, throw):
            return None
        on_board = any(owner(pile) is side for pile in position.board)
        return Refusal("must-move" if on_board else "must-enter", {"threw": throw.value})

    @abstractmethod
    def _reasons(
        self, position: Position, side: Side, throw: Throw, move: Move
    ) -> Iterable[Refusal]:
        """Yield every refusal that applies to an illegal move which is not a pass."""

    @abstractmethod
    def winner(self, position: Position) -> Side | None:
        """Return the side that has won on this board, None if neither has."""

    def unfinished(self, move: Move, legal: tuple[Move, ...]) -> bool:  # noqa: ARG002
        """Return whether this move may be the first part of another legal move."""
        return False

    def draw_to_claim(
        self,
        position: Position,  # noqa: ARG002
        side: Side,  # noqa: ARG002
        past: Past,  # noqa: ARG002
    ) -> DrawCode | None:
        """Return the code of the draw that a side may claim now, None if there is none.

        Args:
            position: The current position.
            side: The side that claims the draw.
            past: The moves of the game up to now.
        """
        return None

    @abstractmethod
    def check(self, position: Position) -> None:
        """Check that the position is possible in this rule set.

        Raises:
            ImpossiblePositionError: If there are too many pieces, a piece is off its path, a pile
                is not allowed, or the turn contradicts the board.
        """

    @abstractmethod
    def check_reachable(self, position: Position) -> None:
        """Check what a position in which a side is to throw says about the play before it.

        A position that passes may still be one to which no game leads.

        Raises:
            UnreachableError: If no game leads to it.
        """

    def _check_turn(self, position: Position) -> None:
        """Raise an error if the turn contradicts the board."""
        if (self.winner(position) is None) == (position.turn is None):
            message = (
                f"In {self.id} a position's turn must be = if and only if a side has "
                "won on the board; "
                f"found {position}."
            )
            raise ImpossiblePositionError(message, "turn")

    def _not_entered(self, side: Side) -> UnreachableError:
        """The error for a side without a piece on the board although its turn is over."""
        message = (
            f"In {self.text} {side.value} must have a piece on the board after its turn; found "
            "none."
        )
        return UnreachableError(message, "not-entered", side)

    def _check_no_extra_throw(self, position: Position) -> None:
        if position.extra_used:
            message = (
                f"In {self.id} there is no limit of extra throws; a position's turn must be "
                "L, D or =."
            )
            raise ImpossiblePositionError(message, "extra-throw")

    def _check_count(self, position: Position, side: Side) -> None:
        """Raise an error if a side does not have the right number of pieces."""
        on_board = "".join(position.board).upper().count(side.letter)
        hand, off = position.hand[side.number], position.off[side.number]
        if on_board + hand + off != self.pieces:
            message = (
                f"In {self.text} {side.value} has {self.pieces} pieces; found {on_board} on the "
                f"board, {hand} in hand and {off} off."
            )
            count = on_board + hand + off
            raise ImpossiblePositionError(
                message, "count", side=side.value, pieces=self.pieces, count=count
            )


def check_single(rules: RuleSet, square: Square, pile: str) -> None:
    """Check a square that may hold one piece only.

    Raises:
        ImpossiblePositionError: If there is more than one piece.
    """
    if len(pile) > 1:
        name = SQUARE_NAMES[square]
        message = f"In {rules.id} {name} holds at most one piece; found {len(pile)}."
        raise ImpossiblePositionError(message, "one-piece", square=name)


def _squares_moved(move: Move) -> list[tuple[Square, tuple[Square, ...], bool]]:
    return sorted(
        (part.origin, tuple(stop.square for stop in part.stops), part.prisoners)
        for part in move.parts
    )
