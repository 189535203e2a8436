"""Questions for the move: where the occupancy leaves several, or a switch may be broken."""

from typing import Final

from urpi.referee.decisions import NO_MOVE, Report
from urpi.referee.flow import ask, withdraw_question
from urpi.referee.inference import Candidate, Evidence, has_landed
from urpi.referee.snapshot import MAX_BROKEN
from urpi.referee.stages import Moving
from urpi.referee.state import GameState
from urpi.rules import Squares, each_square

MAX_CHOICES: Final = 6
"""Maximum number of moves that a player can reasonably step through with a button."""


def ask_move(
    state: GameState, moving: Moving, candidates: tuple[Candidate, ...], report: Report
) -> None:
    """Ask the side to move which of these moves it made. Until then, no move seems made.

    If there is only one, the other answer is that no move was made yet. Those that a Hall sensor
    contradicts are left out, unless none remains.
    """
    moving.seeming = None
    candidates = state.evidence().without_excluded(candidates) or candidates
    texts = tuple(each.text for each in candidates)
    ask(state, moving.side, "move", texts if len(texts) > 1 else (*texts, NO_MOVE), report)


def drop_question(state: GameState) -> None:
    """Withdraw the question for the move: the board has changed since."""
    if state.asks_for_move:
        withdraw_question(state)


def or_one_off(
    moving: Moving, evidence: Evidence, near: tuple[Candidate, ...]
) -> tuple[Candidate, ...]:
    """Return these candidates and all of `one_off`, sorted; these alone if that is too many."""
    return _joined(moving, near, one_off(evidence, moving.candidates))


def or_one_switch(
    moving: Moving, evidence: Evidence, best: tuple[Candidate, ...]
) -> tuple[Candidate, ...]:
    """Return these candidates and those that a dead switch would hide, sorted.

    A switch is doubted if its square emptied before the throw, or if it has never closed and a
    piece that left its square may have landed there. These candidates alone are returned if
    there would be too many to ask for.
    """
    if any(evidence.predates_throw(square) for square in each_square(evidence.missing)):
        return or_one_off(moving, evidence, best)
    near = one_off(evidence, moving.candidates)
    return _joined(moving, best, tuple(each for each in near if _is_hidden(evidence, each)))


def or_whole(
    moving: Moving, evidence: Evidence, best: tuple[Candidate, ...]
) -> tuple[Candidate, ...]:
    """Return these candidates and the moves of two pieces that they may be a part of, sorted.

    Both pieces were seen to land, one of them as a capture, but the switch that it left stays
    closed.
    """
    closed = evidence.occupancy
    whole = (
        each
        for each in one_off(evidence, moving.candidates)
        if evidence.differs(each.occupancy) & each.lifts & closed and has_landed(evidence, each)
        if any(set(part.move.parts) < set(each.move.parts) for part in best)
    )
    return _joined(moving, best, tuple(whole))


def _joined(
    moving: Moving, candidates: tuple[Candidate, ...], others: tuple[Candidate, ...]
) -> tuple[Candidate, ...]:
    texts = {each.text for each in (*candidates, *others)}
    # More would take too long to step through; the most likely ones remain.
    if len(texts) > MAX_CHOICES:
        return candidates
    return tuple(each for each in moving.candidates if each.text in texts)


def _is_hidden(evidence: Evidence, candidate: Candidate) -> bool:
    """Return whether a switch that has never closed would explain the missing landing."""
    return bool(evidence.differs(candidate.occupancy) & candidate.lands & ~evidence.contacts.closed)


def one_off(evidence: Evidence, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """Return the candidates that the occupancy would show if exactly one switch were wrong."""
    return tuple(each for each in candidates if evidence.differs(each.occupancy).bit_count() == 1)


def may_be_broken(evidence: Evidence, wrong: Squares) -> bool:
    """Return whether switches that contradict a move may be broken, and the move was made.

    One may. Two may only if both still show what they showed before the move. A square that has
    changed against the move was changed by a hand, which did something else, perhaps forbidden.
    """
    count = wrong.bit_count()
    return count <= 1 or (count <= MAX_BROKEN and not wrong & evidence.changed)
