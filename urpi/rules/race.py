"""The race: exact throws along a path, capture by landing (RULES.md 0, Race basics).

Most rule sets only provide data for this class; `skiryuk` extends it.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar, Final

from urpi.rules.board import (
    ALL_SQUARES,
    ROSETTES,
    SQUARE_NAMES,
    Pile,
    Side,
    Square,
    each_square,
    mirror,
    owner,
)
from urpi.rules.dice import DiceSet, Throw
from urpi.rules.impossible import ImpossiblePositionError
from urpi.rules.move_cache import looked_up
from urpi.rules.moves import HAND, OFF, Move, Part
from urpi.rules.options import Option
from urpi.rules.position import PLANE_BITS, Position, column, off_board
from urpi.rules.refusals import Refusal, RefusalCode, details_of
from urpi.rules.ruleset import DECLINE, RuleSet, check_single
from urpi.rules.track import Track, TrackRules, Turns, on_second_visit

_new: Final = tuple.__new__

PIECES: Final = Option("pieces", ("7", "5", "3"), "pieces per side, for a shorter game")


class Race(RuleSet):
    """A race along a path. Rule sets differ in the class attributes."""

    known_options: ClassVar[tuple[Option, ...]] = (DECLINE, PIECES)
    throws_again_on_rosettes: ClassVar[bool] = True
    throws_again_with: ClassVar[int | None] = None
    """The value of a throw that grants another throw."""
    throws_again_on_captures: ClassVar[bool] = False
    safe_rosettes: bool = True
    camps: ClassVar[frozenset[Square]] = frozenset()
    """Squares that hold piles and where no piece is captured."""
    steps_together: ClassVar[int] = 5
    """The number of steps whose moves are found together; fewer if squares have more states."""

    def __init__(self, chosen: Mapping[str, str]) -> None:
        super().__init__(chosen)
        self.pieces = int(self.options["pieces"])
        self.dice = self._dice()
        if "safe_rosettes" in self.options:
            self.safe_rosettes = self.options["safe_rosettes"] == "yes"
        light = self._light_path()
        dark = tuple(mirror(square) for square in light)
        rules = TrackRules(
            self._turns(),
            self._blocks,
            self._seen,
            self._grants_throw,
            self.camps,
            self.steps_together,
        )
        self._tracks = Track(Side.LIGHT, light, rules), Track(Side.DARK, dark, rules)

    @abstractmethod
    def _dice(self) -> DiceSet:
        """Return the dice, which may depend on the options."""

    @abstractmethod
    def _light_path(self) -> tuple[Square, ...]:
        """Return light's path, which may depend on the options."""

    def _turns(self) -> Turns:
        """Return the function that decides whether a piece is turned."""
        return on_second_visit

    def path(self, side: Side) -> tuple[Square, ...]:
        return self._tracks[side.number].path

    def legal_moves(self, position: Position, throw: Throw) -> tuple[Move, ...]:
        side = position.turn
        if side is None:
            return ()
        return looked_up(self._tracks[side.number].caches[throw.value], position.state)

    def _seen(self, square: Square) -> int:
        """Return the bits of a state that `_blocks` depends on for a target."""
        return column(square, last=0)

    def _blocks(self, piece: str, square: Square, pile: Pile) -> RefusalCode | None:
        """Return the code that forbids landing on a pile, None if it is allowed."""
        if owner(pile) is Side.of_letter(piece):
            return "own-piece-there"
        return "safe-square" if self.safe_rosettes and square in ROSETTES else None

    def play(self, position: Position, throw: Throw, move: Move) -> Position:  # noqa: ARG002
        side, state = position.turn, position.state
        assert side is not None
        kept, added, turn, bears_off, camps = self._tracks[side.number].effect_of[move.text]
        after = (state & kept) + added
        if camps:
            up, down = camps
            after += ((state & up) >> PLANE_BITS) + ((state & down) << PLANE_BITS)
        # The game ends with the last piece, whatever else would grant a throw.
        if bears_off and after & off_board(side, 255) == off_board(side, self.pieces):
            return Position(self, after, None)
        # Half as long as `Position(...)`.
        return _new(Position, (self, after, turn))

    def _grants_throw(self, value: int, target: Square, captures: bool) -> bool:
        """Return whether a move grants another throw."""
        return (
            value == self.throws_again_with
            or (self.throws_again_on_rosettes and target in ROSETTES)
            or (self.throws_again_on_captures and captures)
        )

    def winner(self, position: Position) -> Side | None:
        """Return the side that has borne off all its pieces, None if neither has."""
        for side in Side:
            if position.off[side.number] == self.pieces:
                return side
        return None

    def _reasons(
        self, position: Position, side: Side, throw: Throw, move: Move
    ) -> Iterable[Refusal]:
        track = self._tracks[side.number]
        for part in move.parts:
            details = details_of(throw, part)
            place = self._place(position, track, part.origin)
            if isinstance(place, str):
                yield Refusal(place, details)
                continue
            if part.prisoners:
                yield Refusal("piece-missing", details)
            blocked = self._refuse_landing(position, track, place, part)
            if blocked is not None:
                yield Refusal(blocked, details)
            yield from _refuse_distance(track, place, part, throw)
        if len(move.parts) > 1 or len(move.parts[0].stops) > 1:
            yield Refusal("two-moves", details_of(throw, move.parts[0]))

    @staticmethod
    def _place(position: Position, track: Track, origin: Square) -> int | RefusalCode:
        """Return the place of the piece to move, or the code of the reason why it cannot move."""
        if origin == HAND:
            # The hand is one place before the first square, so that distances are differences of
            # places.
            return -1 if position.hand[track.side.number] else "extra-piece"
        pile = position.board[origin]
        if not pile:
            return "piece-missing"
        # By the piece as well: on a square that is visited twice its face shows which visit it is.
        return track.place_of.get((origin, pile[-1]), "not-your-piece")

    def _refuse_landing(
        self, position: Position, track: Track, place: int, part: Part
    ) -> RefusalCode | None:
        """Return the code of the pile that blocks the target, None if it is free."""
        # Putting a piece back on its own square is refused for its distance, not for standing
        # there.
        if part.target in {OFF, part.origin} or not position.board[part.target]:
            return None
        visits = track.distances(place, part.target)
        if not visits:
            return None
        piece = track.lands_as(place, place + visits[0])
        return self._blocks(piece, part.target, position.board[part.target])

    def check(self, position: Position) -> None:
        self._check_no_extra_throw(position)
        for square in ALL_SQUARES:
            self._check_pile(square, position.board[square])
            self._check_pieces(square, position.board[square])
        for side in Side:
            self._check_count(position, side)
        if position.off == (self.pieces, self.pieces):
            message = f"In {self.text} only one side can have borne off all its pieces; found both."
            raise ImpossiblePositionError(message, "both-home")
        self._check_turn(position)

    def check_reachable(self, position: Position) -> None:
        side = position.turn
        assert side is not None, "a side is to throw"
        nobody = position.hand[side.other.number] == self.pieces
        has_moved = position.hand[side.number] < self.pieces
        # Where every throw moves, a side that has had its turn has entered a piece.
        if nobody and has_moved and not self._may_throw_again(position, side):
            raise self._not_entered(side.other)

    def _may_throw_again(self, position: Position, side: Side) -> bool:
        """Return whether a side may have had the throw before, too; the other's may be a 0."""
        values = {throw.value for throw in self.dice.each_meaning}
        path, places = self.path(side), self._tracks[side.number].place_of
        tops = [(at, position.board[at][-1]) for at in each_square(position.occupancy)]
        landings = [(places[top], top[0]) for top in tops if top in places]
        if position.off[side.number]:
            landings.append((len(path), OFF))
        return 0 in values or any(
            place - value >= -1 and self._grants_throw(value, square, captures=True)
            for place, square in landings
            for value in values
        )

    def _check_pile(self, square: Square, pile: str) -> None:
        """Raise an error if the pile is not allowed on the square."""
        check_single(self, square, pile)

    def _check_pieces(self, square: Square, pile: str) -> None:
        for piece in pile:
            side = Side.of_letter(piece)
            if (square, piece) not in self._tracks[side.number].place_of:
                name = f"{piece.upper()}'" if piece.islower() else piece
                message = f"In {self.id} a piece {name} cannot be on {SQUARE_NAMES[square]}."
                raise ImpossiblePositionError(message, "not-here", square=SQUARE_NAMES[square])


def _refuse_distance(track: Track, place: int, part: Part, throw: Throw) -> Iterable[Refusal]:
    distances = track.distances(place, part.target)
    if not distances:
        yield Refusal("off-path", details_of(throw, part))
    elif throw.value not in distances or throw.value == 0:
        # A square that is visited twice has two distances: the one nearest to the throw was
        # probably meant.
        went = min(distances, key=lambda ahead: (ahead <= 0, abs(ahead - throw.value)))
        if part.target == OFF:
            code: RefusalCode = "inexact-exit"
        else:
            code = "wrong-distance" if went >= 0 else "backwards"
        yield Refusal(code, details_of(throw, part, abs(went)))
