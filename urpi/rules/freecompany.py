"""The modern "UR: Royal Game" (RULES.md 8): a side wins by holding the four forts."""

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, Final, NamedTuple

from urpi.rules.board import ALL_SQUARES, P14, SQUARE_NAMES, Side, Square, mirror, turned
from urpi.rules.company_moves import CompanyMoves, Field, Graph
from urpi.rules.dice import TWO_COLOURED, Throw
from urpi.rules.impossible import ImpossiblePositionError, UnreachableError
from urpi.rules.layout import ENTRANCE, FORTS, PATHS
from urpi.rules.moves import HAND, OFF, Move, Part
from urpi.rules.options import Option
from urpi.rules.position import EXTRA_USED, Position, column, in_hand, on_top
from urpi.rules.refusals import Refusal, RefusalCode, details_of
from urpi.rules.ruleset import MAY_DECLINE, DrawCode, Past, RuleSet, Starter, check_single

REPEATS: Final = 5
"""Number of occurrences of an action or a position after which a draw may be claimed."""


_new: Final = tuple.__new__
_ALL_FORTS: Final = tuple(sum(on_top(fort, side.letter) for fort in FORTS) for side in Side)


class Effect(NamedTuple):
    """What a move does to a state (`urpi.rules.position.Position`).

    Attributes:
        kept: The bits that stay.
        added: What is added to them: the pieces where they land, and the changed counts.
        on_fort: Whether a piece lands on a fort.
        again: Whether it grants another throw: the piece was not placed there.
    """

    kept: int
    added: int
    on_fort: bool
    again: bool


def _effect(side: Side, move: Move) -> Effect:
    gone = added = 0
    for part in move.parts:
        gone |= column(part.origin) if part.origin != HAND else 0
        added += on_top(part.target, side.letter) - (in_hand(side) if part.origin == HAND else 0)
        for stop in part.stops:
            # A stop is on an empty square or captures; own pieces are never landed on.
            gone |= column(stop.square)
            added += in_hand(side.other) if stop.captures else 0
    on_forts = [part for part in move.parts if part.target in FORTS]
    again = any(part.origin != HAND for part in on_forts)
    return Effect(~(gone | EXTRA_USED), added, bool(on_forts), again)


class FreeCompany(RuleSet):
    """Two coloured tetrahedra; pieces are placed, move in both directions and never bear off."""

    id = "freecompany"
    section = 8
    known_options: ClassVar[tuple[Option, ...]] = (
        MAY_DECLINE,
        Option("path", tuple(PATHS), "which squares are neighbours"),
    )
    starter = Starter.CHOICE
    draws = True
    win_code = "forts"
    dice = TWO_COLOURED
    pieces = 7

    def __init__(self, chosen: Mapping[str, str]) -> None:
        super().__init__(chosen)
        self._graph = Graph(PATHS[self.options["path"]])
        self._moves = tuple(CompanyMoves(self._graph, side) for side in Side)
        self._effects: tuple[dict[str, Effect], ...] = ({}, {})

    def path(self, side: Side) -> tuple[Square, ...]:
        """Return the squares of a side's own track; both sides use both tracks, both ways."""
        return P14 if side is Side.LIGHT else tuple(mirror(square) for square in P14)

    def legal_moves(self, position: Position, throw: Throw) -> tuple[Move, ...]:
        side = position.turn
        if side is None:
            return ()
        return self._moves[side.number].legal(position.state, throw)

    def play(self, position: Position, throw: Throw, move: Move) -> Position:  # noqa: ARG002
        side, state = position.turn, position.state
        assert side is not None
        effects = self._effects[side.number]
        try:
            kept, added, on_fort, again = effects[move.text]
        except KeyError:
            kept, added, on_fort, again = effects[move.text] = _effect(side, move)
        after = (state & kept) + added
        if on_fort:
            # After the whole action: two pieces may complete the four forts together.
            if _holds_forts(after, side):
                return Position(self, after, None)
            # One extra throw a turn, even if a move ends on two forts.
            if again and not state & EXTRA_USED:
                return Position(self, after | EXTRA_USED, side)
        return _new(Position, (self, after, side.other))

    def winner(self, position: Position) -> Side | None:
        """Return the side that holds all four forts, None if neither does."""
        return next((side for side in Side if _holds_forts(position.state, side)), None)

    def unfinished(self, move: Move, legal: tuple[Move, ...]) -> bool:
        if len(move.parts) != 1 or move.parts[0].origin == HAND:
            return False
        part = move.parts[0]
        return any(
            part in other.parts if len(other.parts) > 1 else self._goes_on(part, other.parts[0])
            for other in legal
        )

    def _goes_on(self, part: Part, other: Part) -> bool:
        if part.origin != other.origin or part.target == other.target:
            return False
        distance = self._graph.distance
        direct = distance[part.origin][other.target]
        through = distance[part.origin][part.target] + distance[part.target][other.target]
        # The step is on a shortest way to the other target, so the hand may only be passing.
        return through == direct

    def draw_to_claim(self, position: Position, side: Side, past: Past) -> DrawCode | None:  # noqa: ARG002
        """Return the code of the draw that either side may claim now, None if there is none.

        A turn with two throws is one action; passes do not count.
        """
        if any(_repeats_itself(past, actor) for actor in Side):
            return "repeated-action"
        # `past` has the positions before each move; the current one is not among them yet.
        met = 1 + sum(before == position for before, _side, _move in past)
        return "repeated-position" if met >= REPEATS else None

    def _reasons(
        self, position: Position, side: Side, throw: Throw, move: Move
    ) -> Iterable[Refusal]:
        field = Field(self._graph, position.state, side)
        for part in move.parts:
            code = _refuse_piece(position, side, part)
            if code is not None:
                yield Refusal(code, details_of(throw, part))
            elif part.origin == HAND:
                yield Refusal(_refuse_place(field, part), details_of(throw, part))
            else:
                yield from self._refuse_walk(field, throw, part, move)
        if len(move.parts) > 1 and not _may_share(throw, move):
            yield Refusal("two-moves", details_of(throw, move.parts[0]))

    def _refuse_walk(self, field: Field, throw: Throw, part: Part, move: Move) -> Iterator[Refusal]:
        """Yield the reasons why the move of an own piece on the board is illegal."""
        if part.target == OFF:
            yield Refusal("off-path", details_of(throw, part))
            return
        # Several stops are legal only with Earth mastered (RULES.md 8).
        if len(part.stops) > 1:
            yield Refusal("two-moves", details_of(throw, part))
        there = field.board[part.target]
        # The other piece of the turn may make room, whichever of the two moves first.
        leaves = any(other.origin == part.target for other in move.parts)
        if there == field.own and not leaves:
            yield Refusal("own-piece-there", details_of(throw, part))
        if there == field.enemy and field.shielded(part.target):
            yield Refusal("safe-square", details_of(throw, part))
        went = self._graph.distance[part.origin][part.target]
        # Two pieces share the throw, one step each.
        reach = field.reach(throw) if len(move.parts) == 1 else 1
        if went == 0 or went > reach:
            yield Refusal("wrong-distance", details_of(throw, part, went))
        elif went > 1:
            # The target is within reach, so another piece blocks the way.
            yield Refusal("barred", details_of(throw, part))

    def check(self, position: Position) -> None:
        for square in ALL_SQUARES:
            pile = position.board[square]
            check_single(self, square, pile)
            if turned(pile):
                message = (
                    f"In {self.id} pieces do not turn; found one on {SQUARE_NAMES[square]} with '."
                )
                raise ImpossiblePositionError(message, "not-here", square=SQUARE_NAMES[square])
        if position.off != (0, 0):
            message = f"In {self.id} pieces do not leave the game; a position's OFF must be L0D0."
            raise ImpossiblePositionError(message, "stay")
        for side in Side:
            self._check_count(position, side)
        self._check_turn(position)

    def check_reachable(self, position: Position) -> None:
        side = position.turn
        assert side is not None, "a side is to throw"
        own = [at for at in ALL_SQUARES if position.board[at] == side.letter]
        if position.extra_used:
            if not set(FORTS) & set(own):
                message = (
                    f"In {self.id} {side.value} must have a piece on a fort, where it won the "
                    "extra throw; found none."
                )
                raise UnreachableError(message, "no-fort", side)
            return
        # Any throw places a piece on the Entrance, unless the other side's only one is there.
        nobody = position.hand[side.other.number] == self.pieces
        if nobody and own and own != [ENTRANCE]:
            raise self._not_entered(side.other)


def _holds_forts(state: int, side: Side) -> bool:
    forts = _ALL_FORTS[side.number]
    return state & forts == forts


def _repeats_itself(past: Past, side: Side) -> bool:
    """Return whether the last five actions of a side were the same."""
    turns: list[list[str]] = []
    for before, actor, text in past:
        if actor is side and text != "pass":
            # The throw that a fort granted continues the action of the throw before it.
            if before.extra_used and turns:
                turns[-1].append(text)
            else:
                turns.append([text])
    last = turns[-REPEATS:]
    return len(last) == REPEATS and all(turn == last[0] for turn in last)


def _may_share(throw: Throw, move: Move) -> bool:
    """Return whether the throw may be shared by the two pieces, both on the board."""
    origins = {part.origin for part in move.parts}
    return throw.value == 2 and len(move.parts) == len(origins) == 2 and HAND not in origins


def _refuse_piece(position: Position, side: Side, part: Part) -> RefusalCode | None:
    if part.origin == HAND:
        return None if position.hand[side.number] else "extra-piece"
    pile = position.board[part.origin]
    if not pile:
        return "piece-missing"
    if pile != side.letter:
        return "not-your-piece"
    # There are no piles, so nothing can move along with a piece.
    return "piece-missing" if part.prisoners else None


def _refuse_place(field: Field, part: Part) -> RefusalCode:
    if part.target == OFF:
        return "off-path"
    if field.board[part.target] == field.own:
        return "own-piece-there"
    # A piece may always be placed on the Entrance unless this captures the opponent's last piece.
    return "safe-square" if part.target == ENTRANCE else "barred"
