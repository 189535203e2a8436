"""Asking which move was made, where the picture leaves several or one switch may be wrong."""

from urpi.referee.explain import differs
from urpi.referee.flow import Tell, ask
from urpi.referee.inference import Candidate, Evidence
from urpi.referee.state import State
from urpi.rules import each_square

MOST_CHOICES = 6
"""More moves than this are no question that a player can answer with a button."""


def ask_move(state: State, candidates: tuple[Candidate, ...], tell: Tell) -> None:
    """Ask the side on turn which of these it made; nothing seems made until it says so."""
    side = state.now.turn
    assert side is not None
    state.seems = None
    ask(state, side, "move", tuple(each.move.text for each in candidates), tell)


def drop_question(state: State) -> None:
    """The board has changed: what was asked of it before is asked no longer."""
    if state.question is not None and state.question.ask == "move":
        state.question, state.choices = None, ()


def or_one_off(
    state: State, evidence: Evidence, near: tuple[Candidate, ...]
) -> tuple[Candidate, ...]:
    """These and all that `one_off` gives, in the candidates' order; these alone if too many."""
    texts = {each.move.text for each in (*near, *one_off(evidence, state.candidates))}
    if len(texts) > MOST_CHOICES:
        return near
    return tuple(candidate for candidate in state.candidates if candidate.move.text in texts)


def or_one_switch(
    state: State, evidence: Evidence, best: tuple[Candidate, ...]
) -> tuple[Candidate, ...]:
    """With what else it may be, when a switch may be dead: all of it, or these alone if too many.

    A square emptied before the throw; or a piece that left its square may have come down where
    no switch has ever closed.
    """
    if any(evidence.was_before(square) for square in each_square(evidence.missing)):
        return or_one_off(state, evidence, best)
    unseen = tuple(
        each for each in one_off(evidence, state.candidates) if _is_unseen(evidence, each)
    )
    texts = {each.move.text for each in (*best, *unseen)}
    if len(texts) > MOST_CHOICES:
        return best
    return tuple(candidate for candidate in state.candidates if candidate.move.text in texts)


def _is_unseen(evidence: Evidence, candidate: Candidate) -> bool:
    """Whether the picture is this one's but for a switch that never closed and should now."""
    return bool(
        differs(evidence, candidate.occupancy) & candidate.lands & ~evidence.contacts.closed
    )


def one_off(evidence: Evidence, candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """The candidates whose picture this would be if one switch were wrong."""
    return tuple(each for each in candidates if differs(evidence, each.occupancy).bit_count() == 1)
