"""Explanations: what most likely happened on a wrong board, by which rule, and how to correct it.

Every attempted move that fits the squares that emptied and filled is checked against the rules;
of the codes that they return, the first one in the order of `RefusalCode` is reported.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from urpi.referee.contacts import blinks, last_off
from urpi.referee.inference import Candidate, Evidence, is_knock, matching
from urpi.referee.stages import LegalMoves
from urpi.rules import (
    HAND,
    OFF,
    SQUARE_NAMES,
    Move,
    Part,
    Position,
    Refusal,
    Side,
    Square,
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

NOTHING: Final = "\N{EN DASH}"
"""What stands for an empty list of squares in a sentence that lists several."""
TOGETHER_MS: Final = 400
"""Time within which one piece closes two switches, when it is put down between their squares."""
FEW: Final = 2
"""Maximum number of pieces that a player lifts at a time; if more are missing, they fell over."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The rule that a wrong occupancy breaks, its squares, and how to correct it."""

    refusal: Refusal
    squares: Squares
    fill: Squares
    clear: Squares


@dataclass(frozen=True, slots=True)
class Comparison:
    """A position that a wrong occupancy is compared with, and what may be played there.

    Attributes:
        evidence: What the switches have shown since the throw.
        position: The position.
        throw: The throw to be played, None before the throw.
        moves: Its legal moves.
        begun: The first part of a move of two pieces, if a second piece was lifted after it.
    """

    evidence: Evidence
    position: Position
    throw: Throw | None = None
    moves: LegalMoves | None = None
    begun: Candidate | None = None

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The legal moves that may be played."""
        return self.moves.accepted if self.moves is not None else ()

    @property
    def legal(self) -> tuple[Candidate, ...]:
        """All legal moves."""
        return self.moves.all if self.moves is not None else ()


def explain(compared: Comparison) -> Explanation:
    """Return what is wrong with the occupancy of a position, before or after the throw."""
    evidence, position, candidates = compared.evidence, compared.position, compared.candidates
    left = _captured_piece_left(evidence, compared.legal)
    if left is not None:
        return left
    if compared.throw is None:
        if evidence.changed.bit_count() > FEW:
            return _disturbed(evidence, position)
        refusal = _before_the_throw(evidence, position)
        return _explanation(evidence, refusal, evidence.missing, evidence.extra)
    # From the most specific explanation to the most general one.
    return (
        _between_squares(evidence, candidates)
        or (_disturbed(evidence, position) if evidence.missing.bit_count() > FEW else None)
        or _other_side_too(evidence, position, candidates)
        or _second_move(evidence, position, candidates)
        or _one_square_off(evidence, candidates)
        or _not_planned(compared)
        or _by_the_rules(compared, compared.throw)
    )


def _by_the_rules(compared: Comparison, throw: Throw) -> Explanation:
    """Explain an attempted move by the rule that it breaks; what is no move, as disturbed."""
    evidence, position = compared.evidence, compared.position
    refusal = _after_the_throw(evidence, position, throw, _all_attempts(compared))
    is_no_move = refusal.code in {"piece-missing", "extra-piece"}
    if is_no_move and evidence.changed.bit_count() > FEW:
        return _disturbed(evidence, position)
    return _explanation(evidence, refusal, evidence.missing, evidence.extra)


def _explanation(
    evidence: Evidence, refusal: Refusal, fill: Squares, clear: Squares
) -> Explanation:
    details = {
        **refusal.details,
        "fill": ", ".join(names_of(fill)),
        "clear": ", ".join(names_of(clear)),
    }
    return Explanation(Refusal(refusal.code, details), evidence.changed, fill, clear)


def _disturbed(evidence: Evidence, position: Position) -> Explanation:
    """Explain a board on which more has changed than a move changes: it is set up again."""
    details: dict[str, str | int] = {}
    for side in Side:
        own = squares_of(
            each for each in each_square(evidence.missing) if owner(position.board[each]) is side
        )
        details[side.value] = ", ".join(names_of(own)) or NOTHING
    details["surplus"] = ", ".join(names_of(evidence.extra)) or NOTHING
    refusal = Refusal("disturbed", details)
    return _explanation(evidence, refusal, evidence.missing, evidence.extra)


def _between_squares(evidence: Evidence, candidates: tuple[Candidate, ...]) -> Explanation | None:
    """Explain one piece that closes the switches of two neighbouring squares."""
    extra = list(each_square(evidence.extra))
    if len(extra) != 2 or evidence.missing.bit_count() > 1:
        return None
    one, other = extra
    since = evidence.contacts.since
    if not _are_neighbours(one, other) or abs(since[one] - since[other]) > TOGETHER_MS:
        return None
    meant = [each for each in candidates if evidence.differs(each.occupancy).bit_count() == 1]
    if not meant and not evidence.missing:
        return None
    refusal = Refusal("between-squares", {"one": SQUARE_NAMES[one], "other": SQUARE_NAMES[other]})
    if len(meant) == 1:
        return _explanation(evidence, refusal, 0, evidence.differs(meant[0].occupancy))
    return _explanation(evidence, refusal, evidence.missing, evidence.extra)


def _are_neighbours(one: Square, other: Square) -> bool:
    (row, column), (other_row, other_column) = SQUARE_NAMES[one], SQUARE_NAMES[other]
    return abs(ord(row) - ord(other_row)) + abs(int(column) - int(other_column)) == 1


def _other_side_too(
    evidence: Evidence, position: Position, candidates: tuple[Candidate, ...]
) -> Explanation | None:
    """Explain a legal move together with which one piece of the other side was moved."""
    found = []
    for candidate in candidates:
        after = replace(evidence, before=candidate.occupancy)
        if after.missing.bit_count() == after.extra.bit_count() == 1 and not candidate.unfinished:
            moved = owner(candidate.position.board[after.missing.bit_length() - 1])
            if moved is not position.turn and evidence.changed.bit_count() > FEW:
                found.append(after)
    if len(found) != 1:
        return None
    after = found[0]
    origin, target = names_of(after.missing)[0], names_of(after.extra)[0]
    refusal = Refusal("not-your-piece", {"origin": origin, "target": target})
    return _explanation(after, refusal, after.missing, after.extra)


def _captured_piece_left(
    evidence: Evidence, candidates: tuple[Candidate, ...]
) -> Explanation | None:
    """Explain a capture after which the captured piece stands on another square."""
    for candidate in candidates:
        # What stands there in addition to the occupancy of the finished capture.
        surplus = evidence.occupancy & ~candidate.occupancy
        if not evidence.fits(candidate.occupancy | surplus) or surplus.bit_count() != 1:
            continue
        captured = candidate.lifts & candidate.lands
        blinked = any(_blinked_after_lift(evidence, square) for square in each_square(captured))
        if captured and blinked and surplus & ~evidence.before:
            refusal = Refusal("captured-piece-left", {"target": names_of(captured)[0]})
            return _explanation(evidence, refusal, 0, surplus)
    return None


def _not_planned(compared: Comparison) -> Explanation | None:
    """Explain a legal move that is not the engine's."""
    evidence, moves = compared.evidence, compared.moves
    if moves is None or moves.planned is None or not matching(evidence, moves.all):
        return None
    refusal = Refusal("not-planned", {"move": moves.planned.text})
    if has_begun_plan(compared):
        # The first part of the engine's move is correct: only what is missing of its occupancy is
        # asked for.
        evidence = replace(evidence, before=moves.planned.occupancy)
    return _explanation(evidence, refusal, evidence.missing, evidence.extra)


def has_begun_plan(compared: Comparison) -> bool:
    """Return whether the occupancy is that of the first part of the engine's move."""
    moves, rules = compared.moves, compared.position.rules
    if moves is None or moves.planned is None:
        return False
    whole = (moves.planned.move,)
    return any(
        rules.unfinished(each.move, whole) for each in matching(compared.evidence, moves.all)
    )


def _second_move(
    evidence: Evidence, position: Position, candidates: tuple[Candidate, ...]
) -> Explanation | None:
    """Explain a legal move after which another own piece moved: that piece must be put back.

    The occupancy of the first move stood still before the second piece was lifted. That is enough
    evidence of it, because no switch shows a piece that landed on a pile or left the board.
    """
    for candidate in candidates:
        after = replace(evidence, before=candidate.occupancy)
        lifted_at = _other_lifted_at(after, candidate)
        if lifted_at is None or candidate.unfinished:
            continue
        mover = owner(candidate.position.board[after.missing.bit_length() - 1])
        if mover is position.turn and _stood(evidence, candidate.occupancy, lifted_at):
            return _explanation(after, Refusal("two-moves"), after.missing, after.extra)
    return None


def _other_lifted_at(after: Evidence, candidate: Candidate) -> int | None:
    """Return when another piece was lifted and then put down, None if more or less has changed.

    `after` is the evidence compared with the occupancy of `candidate`.
    """
    # A piece that has just landed and is lifted again is the same piece going on.
    if after.missing.bit_count() != 1 or after.missing & candidate.lands:
        return None
    lifted_at = last_off(after.contacts, after.missing.bit_length() - 1)
    if lifted_at is None or after.extra.bit_count() > 1:
        return None
    if after.extra:
        filled_at = after.contacts.since[after.extra.bit_length() - 1]
        return lifted_at if filled_at > lifted_at else None
    return lifted_at if _landed_on(after) else None


def _stood(evidence: Evidence, expected: Squares, until: int) -> bool:
    """Return whether a changed occupancy was `expected` for `still_ms`, and ended by `until`."""
    shown = ~evidence.mask
    if not (expected ^ evidence.before) & shown:
        return False
    # Undo the logged changes one by one, from the newest to the oldest.
    occupancy, ended_at = evidence.contacts.stable, None
    for change in reversed(evidence.contacts.log):
        stood_ms = 0 if ended_at is None or ended_at > until else ended_at - change.t
        if stood_ms >= evidence.timing.still_ms and not (occupancy ^ expected) & shown:
            return True
        occupancy, ended_at = occupancy ^ 1 << change.square, change.t
    return False


def is_in_hand(evidence: Evidence) -> bool:
    """Return whether the missing pieces may be in a hand: few enough, and none seen to land."""
    if evidence.extra or not 0 < evidence.missing.bit_count() <= FEW:
        return False
    # A piece that passed the chute is not in a hand.
    left_the_board = evidence.chute and evidence.missing.bit_count() == 1
    return not (left_the_board or _landed_on(evidence))


def _one_square_off(evidence: Evidence, candidates: tuple[Candidate, ...]) -> Explanation | None:
    """Explain a legal move after which one more square has changed: that one must be corrected."""
    # With fewer changed squares, any of them could be the one too many.
    if evidence.changed.bit_count() < 3:
        return None
    near = [
        difference
        for candidate in candidates
        if (difference := evidence.differs(candidate.occupancy)).bit_count() == 1
    ]
    # Several moves are equally near: none of them explains the occupancy.
    if len(near) != 1:
        return None
    fill, clear = near[0] & ~evidence.occupancy, near[0] & evidence.occupancy
    return _explanation(evidence, Refusal("piece-missing" if fill else "extra-piece"), fill, clear)


def stood_before(evidence: Evidence, candidates: tuple[Candidate, ...]) -> Candidate | None:
    """Return the move that was shown and stood still before another piece was lifted, if any.

    It was not committed yet because the hand could still have gone on to another square.
    """
    for candidate in candidates:
        after = replace(evidence, before=candidate.occupancy)
        lifted = [last_off(after.contacts, square) for square in each_square(after.missing)]
        changed = evidence.before ^ candidate.occupancy
        is_undone = evidence.differs(candidate.occupancy) & changed
        if not lifted or is_undone:
            continue
        if _stood(evidence, candidate.occupancy, max(t or 0 for t in lifted)):
            return candidate
    return None


def other_side_acts(position: Position, after: Evidence, made: Candidate) -> bool:
    """Return whether the opponent has begun its turn: all pieces lifted after a move are its own.

    `after` is the evidence compared with the occupancy of the move `made`.
    """
    lifted = {owner(made.position.board[square]) for square in each_square(after.missing)}
    return bool(lifted) and position.turn not in lifted


def mover_acts(evidence: Evidence, mover: Side, after: Evidence, seemed: Candidate) -> bool:
    """Return whether the mover went on without a throw after a move that seemed made.

    Otherwise the mover decided differently and the piece landed elsewhere, or a move of two
    pieces goes on.
    """
    if seemed.unfinished:
        return False
    if after.missing:
        return after.changed.bit_count() < evidence.changed.bit_count()
    return not after.extra & squares_of(seemed.position.rules.path(mover))


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
    refusals = position.rules.refusals(position, throw, attempts)
    first = first_refusal(_too_far_to_enter(position, each) for each in refusals if each)
    if first is not None:
        return first
    return Refusal("piece-missing" if evidence.missing else "extra-piece")


def _too_far_to_enter(position: Position, refusal: Refusal) -> Refusal:
    """Return an entry beyond the reach of every throw as an extra piece, not a wrong distance."""
    if refusal.code != "wrong-distance" or refusal.details.get("origin"):
        return refusal
    furthest = max(throw.value for throw, _ in position.rules.dice.outcomes)
    went = refusal.details.get("went", 0)
    # No throw reaches that far: the piece was put there, not moved.
    if isinstance(went, int) and went > furthest:
        return Refusal("extra-piece", refusal.details)
    return refusal


def _all_attempts(compared: Comparison) -> Iterator[Move]:
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
    landed = _landed_on(evidence)
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


def _landed_on(evidence: Evidence) -> Squares:
    """Return the occupied squares on which another piece landed, or from which one was captured."""
    standing = each_square(evidence.before & ~evidence.mask)
    return squares_of(square for square in standing if _blinked_after_lift(evidence, square))


def _blinked_after_lift(evidence: Evidence, square: Square) -> bool:
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
