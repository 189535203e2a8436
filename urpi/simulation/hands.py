"""Hands: what players physically do, as timed steps. Each act is a script for the schedule.

A hand moves pieces and updates the switches. It derives the steps of a move from the move's parts
and the positions before and after it, so it can play every rule set. It can also do what no rule
allows.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from random import Random
from typing import Final, TypeAlias

from urpi.rules import ALL_SQUARES, HAND, OFF, Move, Part, Position, Side, Square, each_square
from urpi.rules.board import Pile
from urpi.simulation.behaviour import Behaviour, CaptureOrder, Span
from urpi.simulation.layout_access import LayoutAccess
from urpi.simulation.reeds import Reeds
from urpi.simulation.schedule import Script

Location: TypeAlias = Square | Side
"""A square, or a side's reserve beside the board."""

_GRASP_MS: Final[Span] = (200, 600)
_GAP_MS: Final[Span] = (20, 80)
_BOTH_HANDS_MS: Final[Span] = (0, 60)
_ADJUST_MS: Final[Span] = (150, 600)
_OVER_SQUARE_MS: Final[Span] = (40, 120)
"""How long a sliding piece is over a square: too short for a stable set of occupied squares."""
_SQUARE_UP_MS: Final[Span] = (250, 450)
_MAX_HOVERS: Final = 2
_BUMP_MS: Final = 100
_BUMPED: Final = 3
"""The least number of pieces that a bump shakes; a single one would look like a lifted piece."""
_LONGEST_SLIDE: Final = 5


class Hands:
    """The players' hands. `chute` is called when a piece passes a side's finish chute."""

    def __init__(
        self,
        rng: Random,
        pieces: LayoutAccess,
        reeds: Reeds,
        behaviour: Behaviour,
        chute: Callable[[Side], None] | None = None,
    ) -> None:
        self._rng = rng
        self._pieces = pieces
        self._reeds = reeds
        self._behaviour = behaviour
        self._chute = chute

    def make(
        self, before: Position, after: Position, move: Move, hovers_over: Sequence[Square] = ()
    ) -> Script:
        """Play a legal move.

        Args:
            before: The position in which it is played.
            after: The position after it.
            move: The move.
            hovers_over: Squares that a hesitating hand may hold the piece over, by default none.
                One that is listed twice is chosen twice as often.
        """
        for number, part in enumerate(move.parts):
            if number:
                yield self._in(self._behaviour.travel_ms)
            yield from self._play(before, after, part, hovers_over)

    def shift(self, origin: Location, target: Location) -> Generator[int, None, Pile]:
        """Move the top piece of a place to another, legally or not, and return it as it was."""
        piece = self._pieces.pick_up(origin) if isinstance(origin, Side) else self._lift(origin)
        yield self._in(self._behaviour.travel_ms)
        self._lay(target, piece)
        return piece

    def undo(self, origin: Location, target: Location, piece: Pile) -> Script:
        """Undo a `shift`, with the piece as it was."""
        held = self._pieces.pick_up(target) if isinstance(target, Side) else self._lift(target)
        yield self._in(self._behaviour.travel_ms)
        self._lay(origin, self._pieces.turn(held, piece))

    def adjust(self, square: Square, held_ms: Span = _ADJUST_MS) -> Script:
        """Lift the top piece of a square and put it back."""
        group = self._lift(square)
        yield self._in(held_ms)
        self._put(square, group)
        yield self._in(_GRASP_MS)

    def bump(self) -> None:
        """Bump the board: several pieces jump, and stay where they are."""
        standing = list(each_square(self._pieces.occupancy))
        if len(standing) < _BUMPED:
            return
        for square in self._rng.sample(standing, self._rng.randint(_BUMPED, len(standing))):
            open_ms = self._rng.randint(6, _BUMP_MS // 2)
            self._reeds.knock(square, self._rng.randint(0, _BUMP_MS - open_ms), open_ms)

    def straddle(self, square: Square) -> None:
        """Close the switch of a square with a piece that lies on it in part."""
        self._reeds.follow(self._pieces.occupancy | 1 << square)

    def brush_off(self, square: Square) -> None:
        """Let the pieces on a square fall beside the board."""
        self._pieces.lay_beside(self._lift(square, len(self._pieces.pile(square))))

    def restore_board(self, position: Position, squares: Iterable[Square] = ALL_SQUARES) -> Script:
        """Put the pieces of these squares, by default of all, where a position has them."""
        squares = tuple(squares)
        for square in squares:
            surplus = self._surplus(square, position.board[square])
            if surplus:
                self._lift(square, surplus)
                yield self._in(_GRASP_MS)
        for square in squares:
            for piece in position.board[square][len(self._pieces.pile(square)) :]:
                self._put(square, self._fetch(piece, position))
                yield self._in(_GRASP_MS)
        for piece in sorted(self._pieces.held.elements()):
            self._clear_away(piece, position)

    def _play(
        self, before: Position, after: Position, part: Part, hovers_over: Sequence[Square]
    ) -> Script:
        taken = captured_squares(before, after, part)
        order = self._rng.choice(self._behaviour.captures)
        if len(part.stops) > 1:
            # A hand that holds a piece captures on its way, and puts it down only at the end.
            order = CaptureOrder.OWN_FIRST
        if taken and order is CaptureOrder.ENEMY_FIRST:
            yield from self._take_off(taken.pop())
        enemy = ""
        if taken and order is CaptureOrder.BOTH_HANDS:
            group, enemy = yield from self._pick_up_both(before, part, taken.pop())
        else:
            group = self._pick_up(before, part)
        yield from self._carry(before, part, group)
        if hovers_over and self._rng.random() < self._behaviour.hovers:
            yield from self._hover(group, hovers_over)
        self._pieces.lay_beside(enemy)
        for square in taken:
            yield from self._capture(square, order)
        yield from self._finish(before, after, part, group)

    def _pick_up(self, before: Position, part: Part) -> Pile:
        assert before.turn is not None
        if part.origin == HAND:
            return self._pieces.pick_up(before.turn)
        prisoners = _prisoners(self._pieces.pile(part.origin)) if part.prisoners else 0
        return self._lift(part.origin, 1 + prisoners)

    def _pick_up_both(
        self, before: Position, part: Part, target: Square
    ) -> Generator[int, None, tuple[Pile, Pile]]:
        """Lift the own piece and the enemy's, one with each hand and either of them first."""
        if self._rng.random() < 0.5:
            enemy = self._lift(target)
            yield self._in(_BOTH_HANDS_MS)
            return self._pick_up(before, part), enemy
        group = self._pick_up(before, part)
        yield self._in(_BOTH_HANDS_MS)
        return group, self._lift(target)

    def _carry(self, before: Position, part: Part, group: Pile) -> Script:
        if self._rng.random() < self._behaviour.slides:
            for square in _way(before, part):
                if not self._pieces.pile(square):
                    yield self._in(_GAP_MS)
                    self._put(square, group)
                    yield self._in(_OVER_SQUARE_MS)
                    self._lift(square, len(group))
            yield self._in(_GAP_MS)
        else:
            yield self._in(self._behaviour.travel_ms)

    def _hover(self, group: Pile, over: Sequence[Square]) -> Script:
        """Hold pieces low over one or two empty squares, one after the other."""
        for _ in range(self._rng.randint(1, _MAX_HOVERS)):
            empty = [square for square in over if not self._pieces.pile(square)]
            if empty:
                square = self._rng.choice(empty)
                self._put(square, group)
                yield self._in(self._behaviour.hover_ms)
                self._lift(square, len(group))
                yield self._in(self._behaviour.travel_ms)

    def _capture(self, square: Square, order: CaptureOrder) -> Script:
        if order is CaptureOrder.OWN_FIRST:
            yield from self._take_off(square)
            return
        enemy = self._pieces.lift(square)
        self._pieces.lay_beside(enemy)
        if order is CaptureOrder.KNOCKED:
            self.update_switches()
            yield self._in(_GAP_MS)

    def _take_off(self, square: Square) -> Script:
        enemy = self._lift(square)
        yield self._in(self._behaviour.travel_ms)
        self._pieces.lay_beside(enemy)

    def _finish(self, before: Position, after: Position, part: Part, group: Pile) -> Script:
        assert before.turn is not None
        side = before.turn
        if part.target == OFF:
            self._pieces.bring_home(group)
            if self._chute:
                self._chute(side)
            return
        # Prisoners that reach the goal leave the game; the own piece on top of them stays.
        if after.off[side.other.number] > before.off[side.other.number]:
            prisoners, group = group[:-1], group[-1:]
            self._pieces.bring_home(prisoners)
        # A piece may turn as it lands; the position after the move shows to which face.
        faces = after.board[part.target][-len(group) :]
        yield from self._set_down(part.target, self._pieces.turn(group, faces))

    def _set_down(self, square: Square, group: Pile) -> Script:
        """Put pieces down; on a pile, perhaps so that its switch opens and closes."""
        pile = self._pieces.pile(square)
        if pile and self._rng.random() < self._behaviour.squares_up:
            self._lift(square, len(pile))
            yield self._in(_SQUARE_UP_MS)
            self._pieces.put(square, pile)
        self._put(square, group)

    def _lay(self, target: Location, piece: Pile) -> None:
        if isinstance(target, Side):
            self._pieces.lay_beside(piece)
        else:
            self._put(target, piece)

    def _lift(self, square: Square, count: int = 1) -> Pile:
        group = self._pieces.lift(square, count)
        self.update_switches()
        return group

    def _put(self, square: Square, group: Pile) -> None:
        self._pieces.put(square, group)
        self.update_switches()

    def update_switches(self) -> None:
        """Set the switches to the occupied squares."""
        self._reeds.follow(self._pieces.occupancy)

    def _surplus(self, square: Square, expected: Pile) -> int:
        pile = self._pieces.pile(square)
        keep = 0
        # From the bottom: a wrong piece can only be reached by lifting all above it.
        while keep < min(len(pile), len(expected)) and pile[keep] == expected[keep]:
            keep += 1
        return len(pile) - keep

    def _fetch(self, piece: str, position: Position) -> Pile:
        side = Side.of_letter(piece)
        # What lies beside the board and was not sorted yet is used before the reserve.
        for held in self._pieces.held:
            if held.upper() == piece.upper():
                return self._pieces.turn(held, piece)
        spare = self._pieces.reserve[side.number] > position.hand[side.number]
        return self._pieces.turn(self._pieces.pick_up(side, from_home=not spare), piece)

    def _clear_away(self, piece: str, position: Position) -> None:
        side = Side.of_letter(piece)
        if self._pieces.reserve[side.number] < position.hand[side.number]:
            self._pieces.lay_beside(piece)
        else:
            self._pieces.bring_home(piece)

    def _in(self, span: Span) -> int:
        return self._rng.randint(*span)


def captured_squares(before: Position, after: Position, part: Part) -> list[Square]:
    """Return the squares whose piece is captured; a piece that is only buried stays."""
    assert before.turn is not None
    enemy = before.turn.other.number
    if after.hand[enemy] == before.hand[enemy]:
        return []
    return [stop.square for stop in part.stops if stop.captures]


def _prisoners(pile: Pile) -> int:
    """Return the number of enemy pieces in one run directly under the top piece."""
    if not pile:
        return 0
    own = Side.of_letter(pile[-1])
    count = 0
    while count + 1 < len(pile) and Side.of_letter(pile[-2 - count]) is not own:
        count += 1
    return count


def _way(before: Position, part: Part) -> tuple[Square, ...]:
    """Return the squares between, on the mover's path; empty if it does not lead there directly."""
    assert before.turn is not None
    path = before.rules.path(before.turn)
    starts = [-1] if part.origin == HAND else _places(path, part.origin)
    ends = _places(path, part.target)
    ways = [path[start + 1 : end] for start in starts for end in ends if end > start]
    way = min(ways, key=len, default=())
    return way if len(way) < _LONGEST_SLIDE and len(part.stops) == 1 else ()


def _places(path: tuple[Square, ...], square: Square) -> list[int]:
    return [place for place, each in enumerate(path) if each == square]
