"""Inference: which legal move a picture of the board is, and how sure that is.

The final picture almost always names one move (DESIGN.md). What is left is told apart by
whether every piece was seen to come down: on a square that was empty, by the blink of one
that was not, or through the chute.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from urpi.referee.contacts import Blink, Contacts, blinked_within, blinks, first_off, last_off
from urpi.rules import HAND, OFF, Move, Position, Square, Squares, Throw, each_square, squares_of

EAGER_MS: Final = 600
"""Players may see what was thrown so long before the dice say it: they wait, and the radio does."""
KNOCK_MS: Final = 150
"""A blink shorter than this may be a knock at the board, when other squares blink with it."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A legal move and what the board looks like when it is made.

    `lifts` are the squares it takes a piece from, `lands` those it puts one down on;
    `unfinished`: another legal move begins with it.
    """

    move: Move
    position: Position
    occupancy: Squares
    lifts: Squares
    lands: Squares
    bears_off: bool
    unfinished: bool

    @property
    def captured(self) -> Squares:
        """The squares on which it captures."""
        stops = (stop for part in self.move.parts for stop in part.stops)
        return squares_of(stop.square for stop in stops if stop.captures)

    @property
    def touches(self) -> Squares:
        """Every square that the hand has to do with."""
        return self.lifts | self.lands

    @property
    def wins(self) -> bool:
        """Whether the game is over with it."""
        return self.position.turn is None


def candidates_of(position: Position, throw: Throw) -> tuple[Candidate, ...]:
    """Every legal move as a candidate, in the order of their texts."""
    rules = position.rules
    legal = rules.legal_moves(position, throw)
    return tuple(_candidate(position, throw, move, legal) for move in legal)


def _candidate(position: Position, throw: Throw, move: Move, legal: tuple[Move, ...]) -> Candidate:
    after = position.rules.play(position, throw, move)
    lifts = lands = 0
    for part in move.parts:
        if part.origin != HAND:
            lifts |= 1 << part.origin
        for stop in part.stops:
            if stop.captures:
                lifts |= 1 << stop.square
        if part.target != OFF:
            lands |= 1 << part.target
    return Candidate(
        move,
        after,
        after.occupancy,
        lifts,
        lands,
        bears_off=any(part.target == OFF for part in move.parts),
        unfinished=position.rules.unfinished(move, legal),
    )


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was seen since the throw.

    `before` is what should have stood there at the throw, `mask` the squares whose switch is
    left out, `chute` whether a piece passed the mover's finish chute, `thrown_at` when the
    throw was complete as far as the dice have said.
    """

    contacts: Contacts
    before: Squares
    mask: Squares
    chute: bool
    thrown_at: int = 0

    @property
    def picture(self) -> Squares:
        """What stands where, squares that are left out empty."""
        return self.contacts.picture() & ~self.mask

    @property
    def missing(self) -> Squares:
        """Squares that have emptied."""
        return self.before & ~self.contacts.picture() & ~self.mask

    @property
    def extra(self) -> Squares:
        """Squares that have filled."""
        return self.contacts.picture() & ~self.before & ~self.mask

    def was_before(self, square: Square) -> bool:
        """Whether a square was as it is before anybody could see what was thrown."""
        return self.contacts.since[square] < self.thrown_at - EAGER_MS

    def fits(self, occupancy: Squares) -> bool:
        """Whether the picture is this one, squares that are left out aside."""
        return not (self.contacts.picture() ^ occupancy) & ~self.mask


def matching(evidence: Evidence, candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The candidates whose final picture this is."""
    return tuple(each for each in candidates if evidence.fits(each.occupancy))


def has_landed(evidence: Evidence, candidate: Candidate) -> bool:
    """Whether every piece of the candidate was seen to come down."""
    if candidate.bears_off and not evidence.chute:
        return False
    return all(
        _came_down(evidence, candidate, part.origin, part.target)
        for part in candidate.move.parts
        if part.target != OFF
    )


def may_follow(evidence: Evidence, candidate: Candidate) -> bool:
    """Whether a hand that now holds its piece over the board may still make this move.

    What was lifted is a part of the move. Where nothing was seen to be lifted, the piece came
    from the hand or from a pile.
    """
    if evidence.missing:
        return not evidence.missing & ~candidate.lifts
    return any(_leaves_no_gap(evidence, candidate, part.origin) for part in candidate.move.parts)


def _leaves_no_gap(evidence: Evidence, candidate: Candidate, origin: Square) -> bool:
    """Whether no switch shows that a piece left its origin.

    It came from the hand, from a pile, or from a square that is left out.
    """
    return origin == HAND or bool((evidence.mask | candidate.occupancy) >> origin & 1)


def _came_down(evidence: Evidence, candidate: Candidate, origin: Square, target: Square) -> bool:
    bit = 1 << target
    if evidence.mask & bit:
        return False
    lifted = _lifted_at(evidence, candidate, origin)
    if not evidence.before & bit:
        # With a switch left out, two pieces may look like one that went further; so may one that
        # went further, and then another that was adjusted, look like two.
        filled = evidence.contacts.since[target]
        in_order = filled >= lifted or not (evidence.mask or _makes_room(candidate, origin))
        # What stood there before the throw may be a switch that has begun to stick.
        return bool(evidence.extra & bit) and in_order and not evidence.was_before(target)
    # What was only read may have filled as soon as it was empty.
    return any(
        (blink.on if blink.heard else blink.off) > lifted
        and not is_knock(evidence, blink, ~candidate.touches)
        for blink in blinks(evidence.contacts, target)
    )


def _lifted_at(evidence: Evidence, candidate: Candidate, origin: Square) -> int:
    """When the piece was seen to leave its square; before everything if none can see it."""
    if _makes_room(candidate, origin):
        return first_off(evidence.contacts, origin) or -1
    if _leaves_no_gap(evidence, candidate, origin):
        return -1
    return last_off(evidence.contacts, origin) or 0


def _makes_room(candidate: Candidate, origin: Square) -> bool:
    """Return whether another piece of the move comes down on the square that this one leaves."""
    return origin != HAND and bool(candidate.lands >> origin & 1)


def is_knock(evidence: Evidence, blink: Blink, others: Squares) -> bool:
    """Whether a short blink came together with one of `others`: the board was bumped.

    One whose end was only read may have been short.
    """
    if blink.heard and blink.on - blink.off >= KNOCK_MS:
        return False
    begin, end = blink.off - KNOCK_MS, KNOCK_MS + (blink.on if blink.heard else blink.off)
    others &= evidence.before & ~evidence.mask
    return blinked_within(evidence.contacts, others, begin, end)


def most_likely(evidence: Evidence, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """The candidates that explain most blinks; several when the blinks do not decide."""
    if len(candidates) == 1:
        return candidates
    blinked = _blinked(evidence)
    scores = [
        (blinked & candidate.touches & ~_too_early(evidence, candidate)).bit_count()
        for candidate in candidates
    ]
    best = max(scores)
    return tuple(
        candidate for candidate, score in zip(candidates, scores, strict=True) if score == best
    )


def _too_early(evidence: Evidence, candidate: Candidate) -> Squares:
    """The squares that it lands on and that stood, if they blinked, before its piece was lifted."""
    return squares_of(
        part.target
        for part in candidate.move.parts
        if part.target != OFF
        and evidence.before >> part.target & 1
        and not _came_down(evidence, candidate, part.origin, part.target)
    )


def _blinked(evidence: Evidence) -> Squares:
    """The squares that stood before and were emptied and filled by a hand, not by a bump."""
    return squares_of(
        square
        for square in each_square(evidence.before)
        if any(
            not is_knock(evidence, blink, ~(1 << square))
            for blink in blinks(evidence.contacts, square)
        )
    )
