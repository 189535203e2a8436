"""Explanations: what a wrong picture most likely is, by which rule, and how to mend it.

Every attempt that fits what was lifted and filled is put to the rules; of the codes that
they give the first in FORMATS.md's order is told.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from urpi.referee.contacts import blinks, last_off
from urpi.referee.inference import Candidate, Evidence, is_knock
from urpi.rules import (
    HAND,
    OFF,
    Move,
    Part,
    Position,
    Refusal,
    Squares,
    Stop,
    Throw,
    each_square,
    names_of,
    owner,
    squares_of,
)
from urpi.rules.moves import move_of
from urpi.rules.refusals import first_refusal

FEW: Final = 2
"""The most pieces that a player's hands hold; if more are missing, they were swept off."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A wrong picture's code, its sentence's details, its squares, and how to mend it."""

    refusal: Refusal
    squares: Squares
    fill: Squares
    clear: Squares


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a wrong picture is compared with: a position, and what may be played there.

    `evidence` is what the switches saw since the throw. `throw` is the throw to be played, None
    before the throw, and `candidates` are its legal moves. `begun` is the first part of a turn of
    two pieces, if a second piece was lifted after it.
    """

    evidence: Evidence
    position: Position
    throw: Throw | None
    candidates: tuple[Candidate, ...]
    begun: Candidate | None = None


def explain(compared: Comparison, still_ms: int) -> Explanation:
    """Return what is wrong with the picture of a position, before or after the throw.

    Args:
        compared: The picture, and what it is compared with.
        still_ms: How long a picture stands still before it counts, in milliseconds.
    """
    evidence, position, candidates = compared.evidence, compared.position, compared.candidates
    left = _captured_piece_left(evidence, candidates)
    if left is not None:
        return left
    if compared.throw is None:
        refusal = _before_the_throw(evidence, position)
    else:
        second = _second_move(evidence, position, candidates, still_ms)
        if second is not None:
            return second
        nearly = _one_square_off(evidence, candidates)
        if nearly is not None:
            return nearly
        refusal = _after_the_throw(evidence, position, compared.throw, _all_attempts(compared))
    return _mend(evidence, refusal, evidence.missing, evidence.extra)


def _mend(evidence: Evidence, refusal: Refusal, fill: Squares, clear: Squares) -> Explanation:
    details = {
        **refusal.details,
        "fill": ", ".join(names_of(fill)),
        "clear": ", ".join(names_of(clear)),
    }
    squares = evidence.missing | evidence.extra
    return Explanation(Refusal(refusal.code, details), squares, fill, clear)


def _captured_piece_left(
    evidence: Evidence, candidates: tuple[Candidate, ...]
) -> Explanation | None:
    """A capture is made, but what was captured stands on another square."""
    for candidate in candidates:
        too_many = evidence.contacts.picture() & ~candidate.occupancy & ~evidence.mask
        if not evidence.fits(candidate.occupancy | too_many) or too_many.bit_count() != 1:
            continue
        captured = candidate.lifts & candidate.lands
        blinked = any(_blinked_after_lift(evidence, square) for square in each_square(captured))
        if captured and blinked and too_many & ~evidence.before:
            refusal = Refusal("captured-piece-left", {"target": names_of(captured)[0]})
            return _mend(evidence, refusal, 0, too_many)
    return None


def _second_move(
    evidence: Evidence, position: Position, candidates: tuple[Candidate, ...], still_ms: int
) -> Explanation | None:
    """A legal move was made, and then another own piece moved: that piece is to go back.

    The picture of the first move stood before the second piece was lifted. No switch has to
    show that the first piece came down: it may be on a pile, or off the board.
    """
    for candidate in candidates:
        after = replace(evidence, before=candidate.occupancy)
        lifted_at = _other_lifted_at(after, candidate)
        if lifted_at is None or candidate.unfinished:
            continue
        mover = owner(candidate.position.board[after.missing.bit_length() - 1])
        if mover is position.turn and _stood(evidence, candidate.occupancy, lifted_at, still_ms):
            return _mend(after, Refusal("two-moves"), after.missing, after.extra)
    return None


def _other_lifted_at(after: Evidence, candidate: Candidate) -> int | None:
    """When one piece more was lifted and then put down, None if that is not all that changed.

    `after` is the evidence against the picture of `candidate`.
    """
    if after.missing.bit_count() != 1 or after.missing & candidate.lands:
        return None
    lifted_at = last_off(after.contacts, after.missing.bit_length() - 1)
    if lifted_at is None or after.extra.bit_count() > 1:
        return None
    if after.extra:
        filled_at = after.contacts.since[after.extra.bit_length() - 1]
        return lifted_at if filled_at > lifted_at else None
    return lifted_at if _landed_on(after) else None


def _stood(evidence: Evidence, occupancy: Squares, until: int, still_ms: int) -> bool:
    """Whether a changed picture was `occupancy` for `still_ms`, no later than `until`."""
    seen = ~evidence.mask
    if not (occupancy ^ evidence.before) & seen:
        return False
    picture, ended_at = evidence.contacts.stable, None
    for change in reversed(evidence.contacts.log):
        stood_ms = 0 if ended_at is None or ended_at > until else ended_at - change.t
        if stood_ms >= still_ms and not (picture ^ occupancy) & seen:
            return True
        picture, ended_at = picture ^ 1 << change.square, change.t
    return False


def is_in_hand(evidence: Evidence) -> bool:
    """Whether one or two pieces are gone and may be in a hand: none was seen to come down."""
    if evidence.extra or not 0 < evidence.missing.bit_count() <= FEW:
        return False
    left_the_board = evidence.chute and evidence.missing.bit_count() == 1
    return not (left_the_board or _landed_on(evidence))


def _one_square_off(evidence: Evidence, candidates: tuple[Candidate, ...]) -> Explanation | None:
    """A legal move was made, and one square more has changed: that one is to be mended."""
    if (evidence.missing | evidence.extra).bit_count() < 3:
        return None
    near = [
        difference
        for candidate in candidates
        if (difference := differs(evidence, candidate.occupancy)).bit_count() == 1
    ]
    if len(near) != 1:
        return None
    fill, clear = near[0] & ~evidence.picture, near[0] & evidence.picture
    return _mend(evidence, Refusal("piece-missing" if fill else "extra-piece"), fill, clear)


def stood_before(
    evidence: Evidence, candidates: tuple[Candidate, ...], still_ms: int
) -> Candidate | None:
    """Return the move whose picture stood still before another piece was lifted, None if none did.

    The hand that made it may still have gone on to another square: it is not committed yet.
    """
    for candidate in candidates:
        changed = evidence.before ^ candidate.occupancy
        after = replace(evidence, before=candidate.occupancy)
        lifted = [last_off(after.contacts, square) for square in each_square(after.missing)]
        is_undone = differs(evidence, candidate.occupancy) & changed
        if not lifted or is_undone:
            continue
        if _stood(evidence, candidate.occupancy, max(t or 0 for t in lifted), still_ms):
            return candidate
    return None


def differs(evidence: Evidence, occupancy: Squares) -> Squares:
    """The squares on which the picture is not this one."""
    return (evidence.contacts.picture() ^ occupancy) & ~evidence.mask


def other_side_acts(position: Position, after: Evidence, made: Candidate) -> bool:
    """Whether all that was lifted after a move is the other side's, so that the move is over.

    `after` is the evidence against the move's picture.
    """
    lifted = {owner(made.position.board[square]) for square in each_square(after.missing)}
    return bool(lifted) and position.turn not in lifted


def mover_acts(evidence: Evidence, position: Position, after: Evidence, seemed: Candidate) -> bool:
    """Whether a move seems made and the mover went on without a throw.

    Otherwise who made it changed his mind, and the piece came down elsewhere, or goes on with
    a two-piece turn.
    """
    if seemed.unfinished:
        return False
    if after.missing:
        changed, changed_after = (each.missing | each.extra for each in (evidence, after))
        return changed_after.bit_count() < changed.bit_count()
    mover = position.turn
    assert mover is not None
    return not after.extra & squares_of(position.rules.path(mover))


def _before_the_throw(evidence: Evidence, position: Position) -> Refusal:
    missing = evidence.missing
    filled = evidence.extra or _landed_on(evidence)
    if missing and not filled:
        return Refusal("piece-missing")
    details = {
        "origin": ", ".join(names_of(missing)),
        "target": ", ".join(names_of(filled)),
    }
    movers = {owner(position.board[square]) for square in each_square(missing)}
    side = position.turn
    if side is not None and side.other in movers and side not in movers:
        return Refusal("not-your-turn", details)
    return Refusal("no-throw-yet", details)


def _after_the_throw(
    evidence: Evidence, position: Position, throw: Throw, attempts: Iterable[Move]
) -> Refusal:
    refusals = [
        refusal
        for refusal in position.rules.refusals(position, throw, attempts)
        if refusal is not None
    ]
    refusals = [_too_far_to_enter(position, refusal) for refusal in refusals]
    told = first_refusal(refusals)
    if told is not None:
        return told
    return Refusal("piece-missing" if evidence.missing else "extra-piece")


def _too_far_to_enter(position: Position, refusal: Refusal) -> Refusal:
    """An entry further than any throw reaches is a piece too many, no wrong distance."""
    if refusal.code != "wrong-distance" or refusal.details.get("origin"):
        return refusal
    furthest = max(throw.value for throw, _ in position.rules.dice.outcomes)
    went = refusal.details.get("went", 0)
    if isinstance(went, int) and went > furthest:
        return Refusal("extra-piece", refusal.details)
    return refusal


def _all_attempts(compared: Comparison) -> Iterator[Move]:
    """Yield each attempt, with the part of the turn that is made already."""
    begun = compared.begun.move.parts if compared.begun is not None else ()
    for attempt in _attempts(compared.evidence, compared.position, compared.candidates):
        yield move_of(*attempt.parts, *begun)


def _attempts(
    evidence: Evidence, position: Position, candidates: tuple[Candidate, ...]
) -> Iterator[Move]:
    """Every move that the squares lifted and filled can stand for."""
    missing, extra = list(each_square(evidence.missing)), list(each_square(evidence.extra))
    if len(missing) > 1 or len(extra) > 1:
        yield from _attempts_with_many(missing, extra)
        return
    origin = missing[0] if missing else HAND
    if extra:
        yield _attempt(origin, extra[0])
        return
    landed = _landed_on(evidence)
    for square in each_square(landed):
        yield _attempt(origin, square)
    if missing and not landed and (evidence.chute or _left_too_early(origin, position, candidates)):
        yield _attempt(origin, OFF)


def _attempts_with_many(missing: list[int], extra: list[int]) -> Iterator[Move]:
    """Two pieces moved: one move when one of two lifted was captured by the other, else two."""
    if len(extra) == 1 and len(missing) == 2:
        yield move_of(*(_part(origin, extra[0]) for origin in missing))
    elif len(extra) >= len(missing) or len(extra) > 1:
        origins = [*missing, *[HAND] * (len(extra) - len(missing))]
        yield move_of(*(_part(o, t) for o, t in zip(origins, extra, strict=False)))


def _attempt(origin: int, target: int) -> Move:
    return move_of(_part(origin, target))


def _part(origin: int, target: int) -> Part:
    return Part(origin, (Stop(target),))


def _landed_on(evidence: Evidence) -> Squares:
    """The squares on whose piece another was put, or that was taken off for it."""
    standing = each_square(evidence.before & ~evidence.mask)
    return squares_of(square for square in standing if _blinked_after_lift(evidence, square))


def _blinked_after_lift(evidence: Evidence, square: int) -> bool:
    """Whether a hand was seen to empty and fill a square after a piece was lifted."""
    lifted = [last_off(evidence.contacts, other) or 0 for other in each_square(evidence.missing)]
    after = max(lifted, default=0)
    return any(
        blink.on > after and not is_knock(evidence, blink, ~(1 << square))
        for blink in blinks(evidence.contacts, square)
    )


def _left_too_early(origin: int, position: Position, candidates: tuple[Candidate, ...]) -> bool:
    """Whether an own piece that is gone could bear off with another throw, and not move now."""
    side = position.turn
    if side is None or owner(position.board[origin]) is not side or not position.rules.bears_off:
        return False
    if any(candidate.lifts >> origin & 1 for candidate in candidates):
        return False
    furthest = max(throw.value for throw, _ in position.rules.dice.outcomes)
    return origin in position.rules.path(side)[-furthest:]
