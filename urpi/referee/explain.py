"""Explanations: what most likely happened on a wrong board, by which rule, and how to correct it.

Every attempted move that fits the squares that emptied and filled is checked against the rules;
of the codes that they return, the first one in the order of `RefusalCode` is reported.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from urpi.referee.attempts import all_attempts, blinked_after_lift, landed_on
from urpi.referee.comparison import FEW, Comparison, stood, undone
from urpi.referee.contacts import last_off
from urpi.referee.inference import Candidate, Evidence, matching
from urpi.referee.state import Played
from urpi.rules import (
    HAND,
    SQUARE_NAMES,
    Move,
    Position,
    Refusal,
    Side,
    Square,
    Squares,
    Throw,
    each_square,
    names_of,
    owner,
    squares_of,
)
from urpi.rules.layout import PATHS
from urpi.rules.refusals import first_refusal

NOTHING: Final = "\N{EN DASH}"
"""What stands for an empty list of squares in a sentence that lists several."""
TOGETHER_MS: Final = 400
"""Time within which one piece closes two switches, when it is put down between their squares."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The rule that a wrong occupancy breaks, its squares, and how to correct it."""

    refusal: Refusal
    squares: Squares
    fill: Squares
    clear: Squares


def explain(compared: Comparison) -> Explanation:
    """Return what is wrong with the occupancy of a position, before or after the throw."""
    evidence, position, candidates = compared.evidence, compared.position, compared.candidates
    # The move of a piece between two squares may look like the return of one that left the board.
    found = (
        _captured_piece_left(evidence, compared.legal)
        or _between_squares(evidence, candidates)
        or _taken_back_late(compared)
    )
    if found is None and compared.slid is not None:
        found = _slid_too_far(evidence, compared.slid)
    if found is not None:
        return found
    if compared.throw is None:
        if evidence.changed.bit_count() > FEW:
            return _disturbed(evidence, position)
        refusal = _before_the_throw(evidence, position)
        return _explanation(evidence, refusal, evidence.missing, evidence.extra)
    # From the most specific explanation to the most general one.
    return (
        (_disturbed(evidence, position) if evidence.missing.bit_count() > FEW else None)
        or _other_side_too(evidence, position, candidates)
        or _second_move(evidence, position, candidates)
        or _piece_lost(evidence, candidates)
        or _one_square_off(evidence, candidates)
        or _not_planned(compared)
        or _by_the_rules(compared, compared.throw)
    )


def _by_the_rules(compared: Comparison, throw: Throw) -> Explanation:
    """Explain an attempted move by the rule that it breaks; what is no move, as disturbed."""
    evidence, position = compared.evidence, compared.position
    refusal = _after_the_throw(evidence, position, throw, all_attempts(compared))
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
    surplus = ", ".join(names_of(evidence.extra)) or NOTHING
    refusal = Refusal("disturbed", {**_by_side(position, evidence.missing), "surplus": surplus})
    return _explanation(evidence, refusal, evidence.missing, evidence.extra)


def _by_side(position: Position, squares: Squares) -> dict[str, str]:
    """Return the names of the squares where each side's pieces belong."""
    names: dict[str, list[str]] = {side.value: [] for side in Side}
    for square in each_square(squares):
        if (side := owner(position.board[square])) is not None:
            names[side.value].append(SQUARE_NAMES[square])
    return {side: ", ".join(own) or NOTHING for side, own in names.items()}


def _taken_back_late(compared: Comparison) -> Explanation | None:
    """Explain moves that were undone although dice were thrown since."""
    evidence, move = compared.evidence, undone(compared)
    # Pieces that are merely missing may be in a hand.
    if move is None or not evidence.extra:
        return None
    # No switch shows whose piece stands on the square of a capture.
    details = {"move": move} if "x" in move else {}
    refusal = Refusal("too-late", details)
    return _explanation(evidence, refusal, evidence.missing, evidence.extra)


def _slid_too_far(evidence: Evidence, last: Played) -> Explanation | None:
    """Explain a move whose piece went on from where it had landed, as one move with its throw."""
    part = last.candidate.move.parts[-1]
    origin = 0 if part.origin == HAND else 1 << part.origin
    whole = replace(evidence, before=evidence.before & ~(1 << part.target) | origin)
    compared = Comparison(whole, last.position, last.throw, last.moves)
    refusal = _after_the_throw(whole, last.position, last.throw, all_attempts(compared))
    if refusal.code in {"piece-missing", "extra-piece"}:
        return None
    details = {**refusal.details, "origin": SQUARE_NAMES[part.target]}
    return _explanation(evidence, Refusal(refusal.code, details), evidence.missing, evidence.extra)


def _between_squares(evidence: Evidence, candidates: tuple[Candidate, ...]) -> Explanation | None:
    """Explain one piece that closes the switches of two neighbouring squares.

    It was put down for a legal or an illegal move, or for the last one, which is committed already.
    """
    moves = [(each.occupancy, each.lands) for each in candidates]
    meant = {pair for each in moves if (pair := _lies_on_two(evidence, *each))}
    landed = evidence.before & ~evidence.contacts.read
    if not meant and (pair := _lies_on_two(evidence, evidence.before, landed)):
        meant = {pair}
    if len(meant) == 1:
        [(one, other)] = meant
        return _lies_between(evidence, one, other, 0, 1 << other)
    if not candidates or evidence.missing.bit_count() > 1:
        return None
    extra = tuple(each_square(evidence.extra))
    if evidence.missing and len(extra) == 2 and _closed_together(evidence, extra[0], extra[1]):
        meant.add((extra[0], extra[1]))
    if len({frozenset(pair) for pair in meant}) != 1:
        return None
    # It may lie on either of them, or have been moved against the rules: back to where it was.
    one, other = next(iter(meant))
    return _lies_between(evidence, one, other, evidence.missing, evidence.extra)


def _lies_on_two(
    evidence: Evidence, occupancy: Squares, lands: Squares
) -> tuple[Square, Square] | None:
    """Return where a piece landed, and the square that is occupied besides `occupancy` by it."""
    surplus = evidence.differs(occupancy)
    if surplus.bit_count() != 1 or surplus & ~evidence.occupancy:
        return None
    other = surplus.bit_length() - 1
    landed = (each for each in each_square(lands) if _closed_together(evidence, each, other))
    return next(((each, other) for each in landed), None)


def _closed_together(evidence: Evidence, one: Square, other: Square) -> bool:
    """Return whether one piece may have closed the switches of two squares."""
    since = evidence.contacts.since
    return other in PATHS["orthogonal"][one] and abs(since[one] - since[other]) <= TOGETHER_MS


def _lies_between(
    evidence: Evidence, one: Square, other: Square, fill: Squares, clear: Squares
) -> Explanation:
    first, second = sorted((one, other))
    details = {"one": SQUARE_NAMES[first], "other": SQUARE_NAMES[second]}
    return _explanation(evidence, Refusal("between-squares", details), fill, clear)


def _other_side_too(
    evidence: Evidence, position: Position, candidates: tuple[Candidate, ...]
) -> Explanation | None:
    """Explain a legal move together with which the other side moved or entered a piece."""
    found = []
    for candidate in candidates:
        after = replace(evidence, before=candidate.occupancy)
        filled = after.extra & evidence.extra
        if after.extra.bit_count() == filled.bit_count() == 1 and not candidate.unfinished:
            if after.missing.bit_count() == 1 and evidence.changed.bit_count() > FEW:
                moved = owner(candidate.position.board[after.missing.bit_length() - 1])
                found += [after] * (moved is not position.turn)
            elif not after.missing and evidence.extra & candidate.lands:
                found += [after] * _may_only_be_entered(position, filled)
    if len(found) != 1:
        return None
    after = found[0]
    origin, target = ", ".join(names_of(after.missing)), names_of(after.extra)[0]
    refusal = Refusal("not-your-piece", {"origin": origin, "target": target})
    return _explanation(after, refusal, after.missing, after.extra)


def _may_only_be_entered(position: Position, extra: Squares) -> bool:
    """Return whether only the side that is not to move can enter a piece on these squares."""
    side = position.turn
    assert side is not None
    own, others = (squares_of(position.rules.path(each)) for each in (side, side.other))
    return bool(extra & others & ~own and position.hand[side.other.number])


def _piece_lost(evidence: Evidence, candidates: tuple[Candidate, ...]) -> Explanation | None:
    """Explain a legal move after which another piece left its square, as one swept off does."""
    since = evidence.contacts.since
    for candidate in candidates:
        after = replace(evidence, before=candidate.occupancy)
        landed = candidate.lands & evidence.extra
        if not landed or after.extra or after.missing.bit_count() != 1:
            continue
        lost_at = since[after.missing.bit_length() - 1]
        if lost_at > max(since[each] for each in each_square(landed)):
            return _explanation(after, Refusal("piece-missing"), after.missing, 0)
    return None


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
        blinked = any(blinked_after_lift(evidence, square) for square in each_square(captured))
        if captured and blinked and surplus & ~evidence.before:
            if _tipped_over(evidence, surplus, candidate):
                continue
            refusal = Refusal("captured-piece-left", {"target": names_of(captured)[0]})
            return _explanation(evidence, refusal, 0, surplus)
    return None


def _tipped_over(evidence: Evidence, target: Squares, capture: Candidate) -> bool:
    """Return whether an own piece, moved after a capture, closes the switch that it left, too."""
    square, beside = target.bit_length() - 1, evidence.before & ~capture.touches
    return any(
        blinked_after_lift(evidence, each) and _closed_together(evidence, square, each)
        for each in each_square(beside & evidence.occupancy)
    )


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
        if mover is position.turn and stood(evidence, candidate.occupancy, lifted_at):
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
    return lifted_at if landed_on(after) else None


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


def _before_the_throw(evidence: Evidence, position: Position) -> Refusal:
    missing = evidence.missing
    filled = evidence.extra or landed_on(evidence)
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


def wrong_pieces(position: Position, squares: Squares) -> Explanation:
    """Explain pieces that stand for others, of which Hall sensors show the poles."""
    refusal = Refusal("wrong-piece", _by_side(position, squares))
    return Explanation(refusal, squares, squares, squares)


def is_in_hand(evidence: Evidence) -> bool:
    """Return whether the missing pieces may be in a hand: few enough, and none seen to land."""
    if evidence.extra or not 0 < evidence.missing.bit_count() <= FEW:
        return False
    # A piece that passed the chute is not in a hand.
    left_the_board = evidence.chute and evidence.missing.bit_count() == 1
    return not (left_the_board or landed_on(evidence))
