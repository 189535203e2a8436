"""Comparisons: the position that a wrong occupancy is compared with.

It is that of the turn, or another one if play seems to have gone on from it.
"""

from dataclasses import dataclass, replace
from typing import Final

from urpi.referee.contacts import last_off
from urpi.referee.decisions import Moved
from urpi.referee.inference import Candidate, Evidence
from urpi.referee.stages import LegalMoves, Moving
from urpi.referee.state import GameState, Played
from urpi.rules import PASS, Position, Side, Squares, Throw, each_square, owner, squares_of
from urpi.rules.ruleset import Past

FEW: Final = 2
"""Maximum number of pieces that a player lifts at a time; if more are missing, they fell over."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A position that a wrong occupancy is compared with, and what may be played there.

    Attributes:
        evidence: What the switches have shown since the throw.
        position: The position.
        throw: The throw to be played, None before the throw.
        moves: Its legal moves.
        begun: The first part of a move of two pieces, if a second piece was lifted after it.
        past: All moves and passes of the game before the position.
        slid: The move whose piece was moved on after it had been committed.
    """

    evidence: Evidence
    position: Position
    throw: Throw | None = None
    moves: LegalMoves | None = None
    begun: Candidate | None = None
    past: Past = ()
    slid: Played | None = None

    @property
    def side(self) -> Side | None:
        """The side that did it: the one to act, or the one whose piece was moved on."""
        return self.position.turn if self.slid is None else self.slid.side

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The legal moves that may be played."""
        return self.moves.accepted if self.moves is not None else ()

    @property
    def legal(self) -> tuple[Candidate, ...]:
        """All legal moves."""
        return self.moves.all if self.moves is not None else ()


def compare(state: GameState, evidence: Evidence) -> Comparison:
    """Return the position of the turn, or if play went on, the one after an uncommitted move."""
    position, moving, past = state.position, state.stage, state.past
    if not isinstance(moving, Moving):
        return Comparison(evidence, position, past=past, slid=_slid_on(state, evidence))
    possible = moving.candidates
    made = moving.seemed or _only_lifted(evidence, possible) or _stood_before(evidence, possible)
    if made is not None:
        after = replace(evidence, before=made.occupancy, chute=False)
        seemed = made is moving.seemed
        if other_side_acts(position, after, made) or (
            seemed and _mover_acts(evidence, moving.side, after, made)
        ):
            past = (*past, (position, moving.side, made.text))
            return Comparison(after, made.position, past=past)
        if seemed and made.unfinished and after.missing and not after.missing & made.lands:
            return Comparison(after, position, moving.throw, moving.moves, made)
    return Comparison(evidence, position, moving.throw, moving.moves, past=past)


def _slid_on(state: GameState, evidence: Evidence) -> Played | None:
    """Return the last move if its piece was moved on as soon as it had landed."""
    moved = state.latest.action
    if not state.played or not isinstance(moved, Moved):
        return None
    last = state.played[-1]
    missing = evidence.missing
    if len(last.candidate.move.parts) > 1 or not missing or missing != last.candidate.lands:
        return None
    lifted_at = evidence.contacts.since[missing.bit_length() - 1]
    return last if lifted_at - moved.t <= state.settings.timing.final_ms else None


def _only_lifted(evidence: Evidence, candidates: tuple[Candidate, ...]) -> Candidate | None:
    """Return the only move that a lift alone shows, and whose pieces have left their squares."""
    found = [
        each
        for each in candidates
        if (left := evidence.before & ~each.occupancy)
        and not left & ~evidence.missing
        and not each.occupancy & ~evidence.before
    ]
    return found[0] if len(found) == 1 else None


def stood(evidence: Evidence, expected: Squares, until: int) -> bool:
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


def _stood_before(evidence: Evidence, candidates: tuple[Candidate, ...]) -> Candidate | None:
    """Return the move that was shown and stood still before another piece was lifted, if any.

    It was not committed yet because the hand could still have gone on to another square.
    """
    for candidate in candidates:
        changed = evidence.before ^ candidate.occupancy
        # First what is cheap: most candidates were never shown.
        if evidence.differs(candidate.occupancy) & changed:
            continue
        after = replace(evidence, before=candidate.occupancy)
        lifted = [last_off(after.contacts, square) for square in each_square(after.missing)]
        if lifted and stood(evidence, candidate.occupancy, max(t or 0 for t in lifted)):
            return candidate
    return None


def other_side_acts(position: Position, after: Evidence, made: Candidate) -> bool:
    """Return whether the opponent has begun its turn: all pieces lifted after a move are its own.

    `after` is the evidence compared with the occupancy of the move `made`.
    """
    lifted = {owner(made.position.board[square]) for square in each_square(after.missing)}
    return bool(lifted) and position.turn not in lifted


def _mover_acts(evidence: Evidence, mover: Side, after: Evidence, seemed: Candidate) -> bool:
    """Return whether the mover went on without a throw after a move that seemed made.

    Otherwise the mover decided differently and the piece landed elsewhere, or a move of two
    pieces goes on.
    """
    if seemed.unfinished:
        return False
    if after.missing:
        fewer = after.changed.bit_count() < evidence.changed.bit_count()
        return fewer or _stood_behind(evidence, seemed, after.missing)
    return not after.extra & squares_of(seemed.position.rules.path(mover))


def _stood_behind(evidence: Evidence, seemed: Candidate, lifted: Squares) -> bool:
    """Return whether all these pieces of a move were lifted after another one landed for it.

    The hand of the move has left them, and does not go on with them.
    """
    rest = seemed.lands & evidence.occupancy & ~lifted
    landed_at = max((evidence.contacts.since[each] for each in each_square(rest)), default=None)
    times = [last_off(evidence.contacts, each) or 0 for each in each_square(lifted)]
    return landed_at is not None and not lifted & ~seemed.lands and min(times) > landed_at


def undone(compared: Comparison) -> str | None:
    """Return the move of a side's newest turn that hands have undone alone.

    Returns:
        Its text; empty if the occupancy is that before several moves, None if nothing was undone. A
        move that was only entered, and never made on the board, is not undone.
    """
    evidence, now = compared.evidence, compared.position
    if not _have_changed(evidence, evidence.extra):
        return None
    after, turns = now, list[Side]()
    for before, side, move in reversed(compared.past):
        if move != PASS.text and turns[-1:] != [side]:
            turns.append(side)
        if len(turns) <= len(Side) and _is_undone(evidence, now, before, after):
            return move
        # One piece that went back further is rather a move in the wrong direction.
        if evidence.changed.bit_count() > FEW and evidence.fits(before.occupancy):
            return "" if _were_exchanged(evidence, before, now) else None
        after = before
    return None


def _is_undone(evidence: Evidence, now: Position, before: Position, after: Position) -> bool:
    """Return whether the occupancy is that of now, but for a move that was undone."""
    landed = after.occupancy & ~before.occupancy & ~evidence.mask
    if evidence.missing != landed or not evidence.fits(
        now.occupancy ^ before.occupancy ^ after.occupancy
    ):
        return False
    own = all(owner(now.board[each]) is owner(after.board[each]) for each in each_square(landed))
    return own and _were_exchanged(evidence, before, after)


def _were_exchanged(evidence: Evidence, before: Position, after: Position) -> bool:
    """Return whether a hand emptied each square that changed its owner but stayed occupied."""
    exchanged = squares_of(
        square
        for square in each_square(before.occupancy & after.occupancy & ~evidence.mask)
        if owner(before.board[square]) is not owner(after.board[square])
    )
    return _have_changed(evidence, exchanged)


def _have_changed(evidence: Evidence, squares: Squares) -> bool:
    """Return whether the switch of each of these squares has changed since the throw."""
    return not squares & ~squares_of(change.square for change in evidence.contacts.log)
