"""Inference: which legal moves an occupancy of the board may be, and how certain that is.

The final occupancy almost always belongs to a single move (DESIGN.md, How the referee knows a
move). The remaining cases are distinguished by whether every piece was seen to land: on a square
that was empty, by the blink of a square that was not, or through the chute.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from urpi.referee.contacts import Blink, Contacts, blinked_within, blinks, first_off, last_off
from urpi.referee.fields import LAG_MS, Fields, excludes, has_changed, misplaced
from urpi.referee.settings import Timing
from urpi.rules import HAND, OFF, Move, Position, Square, Squares, Throw, each_square, squares_of


@dataclass(frozen=True, slots=True)
class Candidate:
    """A legal move and the board after it.

    Attributes:
        move: The move.
        position: The position after it.
        occupancy: The occupied squares after it.
        lifts: The squares from which it removes a piece.
        lands: The squares on which it puts one down.
        bears_off: Whether it bears a piece off.
        unfinished: Whether it may be the first part of another legal move.
    """

    move: Move
    position: Position
    occupancy: Squares
    lifts: Squares
    lands: Squares
    bears_off: bool
    unfinished: bool

    @property
    def text(self) -> str:
        """The text of the move."""
        return self.move.text

    @property
    def touches(self) -> Squares:
        """Every square that a hand touches for it."""
        return self.lifts | self.lands

    @property
    def wins(self) -> bool:
        """Whether it ends the game."""
        return self.position.turn is None


def candidates_of(position: Position, throw: Throw) -> tuple[Candidate, ...]:
    """Return every legal move as a candidate, sorted by text."""
    rules = position.rules
    legal = rules.legal_moves(position, throw)
    return tuple(_candidate(position, throw, move, legal) for move in legal)


def _candidate(position: Position, throw: Throw, move: Move, legal: tuple[Move, ...]) -> Candidate:
    after = position.rules.play(position, throw, move)
    lifts = lands = 0
    bears_off = False
    for part in move.parts:
        if part.origin != HAND:
            lifts |= 1 << part.origin
        for stop in part.stops:
            # The captured piece is lifted too; the capturing one lands there, which `lands` has
            # below.
            if stop.captures:
                lifts |= 1 << stop.square
        target = part.target
        if target == OFF:
            bears_off = True
        else:
            lands |= 1 << target
    return Candidate(
        move,
        after,
        after.occupancy,
        lifts,
        lands,
        bears_off=bears_off,
        unfinished=position.rules.unfinished(move, legal),
    )


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the switches have shown since the throw.

    Attributes:
        contacts: The switches.
        before: The squares that should have been occupied at the throw.
        mask: The squares whose switch is left out.
        chute: Whether a piece has passed the mover's finish chute.
        thrown_at: The time at which the throw was complete, by the reports of the dice.
        timing: The referee's limits.
        fields: The readings of Hall sensors.
        known: The position that `fields.before` belong to.
    """

    contacts: Contacts
    before: Squares
    mask: Squares
    chute: bool
    thrown_at: int
    timing: Timing
    fields: Fields
    known: Position

    @property
    def occupancy(self) -> Squares:
        """The occupied squares, without those that are left out."""
        return self.contacts.raw & ~self.mask

    @property
    def missing(self) -> Squares:
        """Squares that have emptied."""
        return self.before & ~self.contacts.raw & ~self.mask

    @property
    def extra(self) -> Squares:
        """Squares that have filled."""
        return self.contacts.raw & ~self.before & ~self.mask

    @property
    def changed(self) -> Squares:
        """Squares that have emptied or filled."""
        return (self.contacts.raw ^ self.before) & ~self.mask

    def differs(self, occupancy: Squares) -> Squares:
        """Return the squares on which the switches differ from `occupancy`."""
        return (self.contacts.raw ^ occupancy) & ~self.mask

    def fits(self, occupancy: Squares) -> bool:
        """Return whether the squares that are not left out show `occupancy`."""
        return not (self.contacts.raw ^ occupancy) & ~self.mask

    def without_excluded(self, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
        """Return the candidates that no Hall sensor contradicts.

        All of them if it contradicts each one, and also that nothing was moved; none if a piece
        has the wrong pole then although nothing was moved.
        """
        kept = tuple(each for each in candidates if not self.excludes(each))
        if kept or self.changed:
            return kept or candidates
        if self.misplaced or not excludes(self.fields, self.known, self.known, self.mask):
            return ()
        return candidates

    @property
    def misplaced(self) -> Squares:
        """Squares whose piece has the pole of another one than was known."""
        return misplaced(self.fields, self.known, self.occupancy)

    def excludes(self, candidate: Candidate) -> bool:
        """Return whether a Hall sensor contradicts a candidate."""
        return excludes(self.fields, self.known, candidate.position, self.mask)

    def predates_throw(self, square: Square) -> bool:
        """Return whether a square last changed before the players could see the throw."""
        return self.contacts.since[square] < self.thrown_at - self.timing.foresight_ms


def matching(evidence: Evidence, candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Return the candidates whose final occupancy this is, and that no Hall sensor contradicts.

    If they contradict all, and also that nothing was moved, the sensors decide nothing.
    """
    found = tuple(each for each in candidates if evidence.fits(each.occupancy))
    return evidence.without_excluded(found)


def has_landed(evidence: Evidence, candidate: Candidate) -> bool:
    """Return whether every piece of the candidate was seen to land."""
    if candidate.bears_off and not evidence.chute:
        return False
    return all(
        _was_seen_to_land(evidence, candidate, part.origin, part.target)
        for part in candidate.move.parts
        if part.target != OFF
    )


def may_follow(evidence: Evidence, candidate: Candidate) -> bool:
    """Return whether a hand that is holding its piece over the board may still make this move.

    What was lifted must be a part of the move. If no switch shows a lifted piece, the piece came
    from the player's hand or from a pile.
    """
    if evidence.missing:
        return not evidence.missing & ~candidate.lifts
    return any(_leaves_no_gap(evidence, candidate, part.origin) for part in candidate.move.parts)


def _leaves_no_gap(evidence: Evidence, candidate: Candidate, origin: Square) -> bool:
    """Return whether no switch can show that a piece left its origin.

    It came from the hand, from a pile, or from a square that is left out.
    """
    return origin == HAND or bool((evidence.mask | candidate.occupancy) >> origin & 1)


def _was_seen_to_land(
    evidence: Evidence, candidate: Candidate, origin: Square, target: Square
) -> bool:
    bit = 1 << target
    if evidence.mask & bit:
        return False
    lifted_at = _lifted_at(evidence, candidate, origin)
    if not evidence.before & bit:
        # Where a switch is left out, two pieces that moved can look like one that moved further.
        # And one piece that moved over another, which was adjusted later, can look like two. In
        # both cases the target filled before the piece was lifted that should have gone there.
        filled_at = evidence.contacts.since[target]
        order_matters = evidence.mask or _makes_room(candidate, origin)
        in_order = filled_at >= lifted_at or not order_matters
        # A square that filled before the throw may be a switch that has begun to stick.
        return bool(evidence.extra & bit) and in_order and not evidence.predates_throw(target)
    # A piece that joined a pile, of which a switch shows nothing.
    if has_changed(evidence.fields, target):
        in_order = evidence.fields.since[target] > lifted_at + LAG_MS
        return in_order and not evidence.excludes(candidate)
    # If only a reading showed that the square filled again, it may have done so at any time since
    # it emptied: the time at which it emptied is the latest that is certain.
    return any(
        (blink.on if blink.by_edge else blink.off) > lifted_at
        and not is_knock(evidence, blink, ~candidate.touches)
        for blink in blinks(evidence.contacts, target)
    )


def _lifted_at(evidence: Evidence, candidate: Candidate, origin: Square) -> int:
    """Return when the piece left its square; -1, before everything, if no switch shows it."""
    if _makes_room(candidate, origin):
        # The later changes of the square belong to the piece that landed there.
        return first_off(evidence.contacts, origin) or -1
    if _leaves_no_gap(evidence, candidate, origin):
        return -1
    # Without a logged change the square emptied before the log began: at its start, 0.
    return last_off(evidence.contacts, origin) or 0


def _makes_room(candidate: Candidate, origin: Square) -> bool:
    """Return whether another piece of the move lands on the square that this one leaves."""
    return origin != HAND and bool(candidate.lands >> origin & 1)


def is_knock(evidence: Evidence, blink: Blink, others: Squares) -> bool:
    """Return whether a blink was caused by a knock at the board: another square blinked with it.

    Args:
        evidence: What the switches have shown.
        blink: The blink to judge. One that only a reading ended may have been short.
        others: The squares that a hand does not touch in the move that would explain the blink.
    """
    knock_ms = evidence.timing.knock_ms
    # A hand needs longer to lift and put down a piece than a knock lasts.
    if blink.by_edge and blink.on - blink.off >= knock_ms:
        return False
    # A knock opens several switches at once, but not at the same millisecond.
    begin, end = blink.off - knock_ms, knock_ms + (blink.on if blink.by_edge else blink.off)
    others &= evidence.before & ~evidence.mask
    if blinked_within(evidence.contacts, others, begin, end):
        return True
    # A contact that a knock opened for too short a time to count has edges all the same.
    stable, since = others & evidence.contacts.stable, evidence.contacts.since
    counted = {(each.square, each.t) for each in evidence.contacts.log}
    return any(
        begin <= since[each] <= end and (each, since[each]) not in counted
        for each in each_square(stable)
    )


def shown_changes(evidence: Evidence, candidate: Candidate) -> Squares:
    """Return the squares that the candidate changes, and that have changed since the throw."""
    shown = evidence.changed & ~evidence.differs(candidate.occupancy)
    return squares_of(each for each in each_square(shown) if not evidence.predates_throw(each))


def most_likely(evidence: Evidence, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """Return the candidates that explain most blinks; several if the blinks do not decide."""
    if len(candidates) == 1:
        return candidates
    hands_blinked = blinked(evidence)
    scores = [
        (hands_blinked & candidate.touches & ~_filled_too_early(evidence, candidate)).bit_count()
        for candidate in candidates
    ]
    # All with the highest score: a tie is for the player to decide, not for the order of moves.
    best = max(scores)
    return tuple(
        candidate for candidate, score in zip(candidates, scores, strict=True) if score == best
    )


def _filled_too_early(evidence: Evidence, candidate: Candidate) -> Squares:
    """Return the occupied targets of a candidate that did not blink after its piece was lifted.

    Their blinks, if there were any, belong to something else.
    """
    return squares_of(
        part.target
        for part in candidate.move.parts
        if part.target != OFF
        and evidence.before >> part.target & 1
        and not _was_seen_to_land(evidence, candidate, part.origin, part.target)
    )


def blinked(evidence: Evidence) -> Squares:
    """Return the occupied squares that a hand, not a knock, emptied and filled again."""
    return squares_of(
        square
        for square in each_square(evidence.before)
        if any(
            not is_knock(evidence, blink, ~(1 << square))
            for blink in blinks(evidence.contacts, square)
        )
    )
