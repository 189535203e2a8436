"""What every rule set offers: the one door for the referee, the page, records and the table.

Nobody behind this door asks which set it is. A set is data first (`urpi.rules.race`); the
games that really are other ones bring code of their own.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import ClassVar, TypeAlias

from urpi.errors import UrpiError
from urpi.rules.board import EMPTY_SIDES, SQUARE_NAMES, Side, Square, owner
from urpi.rules.dice import DiceSet, Throw
from urpi.rules.moves import Move
from urpi.rules.options import Option, changed_options, check_options, rules_word
from urpi.rules.position import EMPTY_BOARD, Position
from urpi.rules.refusals import Refusal, details_of, first_refusal

Past: TypeAlias = tuple[tuple[Position, Side, str], ...]
"""A game's moves, passes too: the position before each, who moved, the move's text."""


class Starter(Enum):
    """How it is decided who begins (RULES.md, each set)."""

    MORE = "more"
    """Both throw, the higher throw begins, a tie is thrown again."""
    ONE_MARK = "one-mark"
    """Both throw until exactly one of the two has thrown a 1; that one begins."""
    DRAWN = "drawn"
    """Drawn by lot when the game is made, and stored with it."""
    CHOICE = "choice"
    """The players say; in a next game the loser of the last one."""


class RuleSet(ABC):
    """One rule set with its options. Values are shared, so two equal ones are one object."""

    id: ClassVar[str]
    known_options: ClassVar[tuple[Option, ...]]
    starter: ClassVar[Starter]
    piles: ClassVar[bool] = False
    """Whether more than one piece may stand on a square."""
    draws: ClassVar[bool] = False
    """Whether there are draws: claimed as `draw_to_claim` says, or agreed on."""
    win_code: ClassVar[str] = "off"
    """How this game is won: ``off``, ``captured`` or ``forts`` (FORMATS.md, `won`)."""

    dice: DiceSet
    pieces: int

    def __init__(self, chosen: Mapping[str, str]) -> None:
        self.options = check_options(self.id, self.known_options, chosen)
        self.changed = changed_options(self.known_options, self.options)
        self.text = rules_word(self.id, self.changed)

    def __repr__(self) -> str:
        return f"<RuleSet {self.text}>"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        from urpi.rules.notation import parse_rules  # noqa: PLC0415 - the registry knows us

        return parse_rules, (self.text,)

    @property
    def bears_off(self) -> bool:
        """Whether pieces leave the board at the end of their path."""
        return self.win_code == "off"

    def start(self, first: Side) -> Position:
        """The position before the first throw of the side that begins."""
        return Position(self, EMPTY_BOARD, (self.pieces, self.pieces), EMPTY_SIDES, first)

    def starts(self, light: Throw, dark: Throw) -> Side | None:
        """Who begins after both have thrown for it; None when both throw again."""
        if self.starter is Starter.ONE_MARK:
            one, other = light.value == 1, dark.value == 1
        else:
            one = self.start_rank(light) > self.start_rank(dark)
            other = self.start_rank(dark) > self.start_rank(light)
        if one == other:
            return None
        return Side.LIGHT if one else Side.DARK

    def next_chooser(self, winner: Side) -> Side | None:
        """Who says who begins the next game; None when that is decided as it was before."""
        return winner.other if self.starter is Starter.CHOICE else None

    def start_rank(self, throw: Throw) -> int:
        """How high a throw for the start ranks."""
        return throw.value

    @abstractmethod
    def path(self, side: Side) -> tuple[Square, ...]:
        """The squares of a side's way, first to last; a square visited twice stands twice."""

    @abstractmethod
    def legal_moves(self, position: Position, throw: Throw) -> tuple[Move, ...]:
        """Every legal move, sorted by text; none when the turn passes or the game is over."""

    @abstractmethod
    def play(self, position: Position, throw: Throw, move: Move) -> Position:
        """The position after a legal move, or after `PASS` when there is none.

        It trusts the move; `refusal` says whether it is legal.
        """

    def meant(self, position: Position, throw: Throw, move: Move) -> Move | None:
        """The legal move that an attempt stands for, None when it is none.

        Capture marks are not looked at, nor the order of two parts: a hand does the one and
        the other, and the rules say what it came to.
        """
        wanted = _squares_moved(move)
        for legal in self.legal_moves(position, throw):
            if _squares_moved(legal) == wanted:
                return legal
        return None

    def refusal(self, position: Position, throw: Throw, move: Move) -> Refusal | None:
        """Why a move is not legal now, None when it is; what it looks at is as in `meant`.

        The details name `threw`, `origin` and `target`, and `went` where a distance was wrong.
        """
        side = position.turn
        if side is None:
            return Refusal("not-your-turn", {"threw": throw.value})
        if not move.parts:
            return self._refuse_pass(position, side, throw)
        if self.meant(position, throw, move) is not None:
            return None
        told = first_refusal(self._reasons(position, side, throw, move))
        return told or Refusal("wrong-distance", details_of(throw, move.parts[0]))

    def _refuse_pass(self, position: Position, side: Side, throw: Throw) -> Refusal | None:
        if not self.legal_moves(position, throw):
            return None
        on_board = any(owner(pile) is side for pile in position.board)
        return Refusal("must-move" if on_board else "must-enter", {"threw": throw.value})

    @abstractmethod
    def _reasons(
        self, position: Position, side: Side, throw: Throw, move: Move
    ) -> Iterable[Refusal]:
        """Every refusal that fits a move that is no pass and not legal."""

    @abstractmethod
    def winner(self, position: Position) -> Side | None:
        """Who has won on this board, None while nobody has."""

    def unfinished(self, move: Move, legal: tuple[Move, ...]) -> bool:  # noqa: ARG002
        """Whether another legal move begins with this one, so that a hand may go on from it."""
        return False

    def draw_to_claim(
        self,
        position: Position,  # noqa: ARG002
        side: Side,  # noqa: ARG002
        past: Past,  # noqa: ARG002
    ) -> str | None:
        """The code of the draw that a side may claim now, None when it may not.

        `past` are the game's moves so far: the position before, who moved, the move's text.
        """
        return None

    @abstractmethod
    def check(self, position: Position) -> None:
        """Say whether the position can be one of this set.

        Raises:
            UrpiError: when it holds too many pieces, one off its path, a pile where none may
                be, or a turn that does not fit the board; the message names it.
        """

    def _check_turn(self, position: Position) -> None:
        """Refuse a turn that does not fit the board."""
        if (self.winner(position) is None) == (position.turn is None):
            message = (
                f"In {self.id} a position's turn is = when a side has won on the board, and only "
                f"then; found {position}."
            )
            raise UrpiError(message)

    def _check_no_extra_throw(self, position: Position) -> None:
        if position.extra_used:
            message = f"In {self.id} no extra throw is used up; a position's turn is L, D or =."
            raise UrpiError(message)

    def _check_count(self, position: Position, side: Side) -> None:
        """Refuse another number of a side's pieces than the set has."""
        on_board = "".join(position.board).upper().count(side.letter)
        hand, off = position.hand[side.number], position.off[side.number]
        if on_board + hand + off != self.pieces:
            message = (
                f"In {self.text} {side.value} has {self.pieces} pieces; found {on_board} on the "
                f"board, {hand} in hand and {off} off."
            )
            raise UrpiError(message)


def check_single(rules: RuleSet, square: Square, pile: str) -> None:
    """Refuse a pile on a square that holds one piece.

    Raises:
        UrpiError: when there is more than one piece.
    """
    if len(pile) > 1:
        name = SQUARE_NAMES[square]
        message = f"In {rules.id} one piece stands on {name}; found {len(pile)}."
        raise UrpiError(message)


def _squares_moved(move: Move) -> list[tuple[Square, tuple[Square, ...], bool]]:
    return sorted(
        (part.origin, tuple(stop.square for stop in part.stops), part.prisoners)
        for part in move.parts
    )
