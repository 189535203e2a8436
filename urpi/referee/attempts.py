"""Attempts: the moves, also illegal ones, that a wrong occupancy may stand for."""

from collections.abc import Iterator

from urpi.referee.comparison import Comparison
from urpi.referee.contacts import blinks, last_off
from urpi.referee.inference import Candidate, Evidence, is_knock
from urpi.rules import (
    HAND,
    OFF,
    Move,
    Part,
    Position,
    Square,
    Squares,
    Stop,
    each_square,
    owner,
    squares_of,
)
from urpi.rules.moves import move_of


def all_attempts(compared: Comparison) -> Iterator[Move]:
    """Yield each attempt, together with the part of the move that was made already."""
    begun = compared.begun.move.parts if compared.begun is not None else ()
    for attempt in _attempts(compared.evidence, compared.position, compared.legal):
        yield move_of(*attempt.parts, *begun)


def _attempts(
    evidence: Evidence, position: Position, candidates: tuple[Candidate, ...]
) -> Iterator[Move]:
    """Yield every move that the squares that emptied and filled may stand for."""
    missing, extra = list(each_square(evidence.missing)), list(each_square(evidence.extra))
    if len(missing) > 1 or len(extra) > 1:
        yield from _attempts_with_many(missing, extra)
        return
    # A square that filled although none emptied: the piece came from the hand.
    origin = missing[0] if missing else HAND
    if extra:
        yield _attempt(origin, extra[0])
        return
    landed = landed_on(evidence)
    for square in each_square(landed):
        yield _attempt(origin, square)
    if missing and not landed and (evidence.chute or _left_too_early(origin, position, candidates)):
        yield _attempt(origin, OFF)


def _attempts_with_many(missing: list[Square], extra: list[Square]) -> Iterator[Move]:
    """Yield one move of two pieces, where one of two lifted may have been captured."""
    if len(extra) == 1 and len(missing) == 2:
        yield move_of(*(_part(origin, extra[0]) for origin in missing))
    elif len(extra) >= len(missing) or len(extra) > 1:
        origins = [*missing, *[HAND] * (len(extra) - len(missing))]
        yield move_of(*(_part(o, t) for o, t in zip(origins, extra, strict=False)))


def _attempt(origin: Square, target: Square) -> Move:
    return move_of(_part(origin, target))


def _part(origin: Square, target: Square) -> Part:
    return Part(origin, (Stop(target),))


def landed_on(evidence: Evidence) -> Squares:
    """Return the occupied squares on which another piece landed, or from which one was captured."""
    standing = each_square(evidence.before & ~evidence.mask)
    return squares_of(square for square in standing if blinked_after_lift(evidence, square))


def blinked_after_lift(evidence: Evidence, square: Square) -> bool:
    """Return whether a hand emptied and filled a square after the missing pieces were lifted."""
    lifted = [last_off(evidence.contacts, other) or 0 for other in each_square(evidence.missing)]
    # A blink before the piece was lifted cannot be its landing.
    after = max(lifted, default=0)
    return any(
        blink.on > after and not is_knock(evidence, blink, ~(1 << square))
        for blink in blinks(evidence.contacts, square)
    )


def _left_too_early(origin: Square, position: Position, candidates: tuple[Candidate, ...]) -> bool:
    """Return whether a missing own piece could bear off with another throw, but not move now."""
    side = position.turn
    if side is None or owner(position.board[origin]) is not side or not position.rules.bears_off:
        return False
    if any(candidate.lifts >> origin & 1 for candidate in candidates):
        return False
    furthest = max(throw.value for throw, _ in position.rules.dice.outcomes)
    return origin in position.rules.path(side)[-furthest:]
