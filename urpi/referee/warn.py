"""Warnings: a wrong occupancy that the players are not about to correct without being asked."""

from dataclasses import replace
from typing import Final

from urpi.referee.comparison import FEW, Comparison, compare
from urpi.referee.contacts import forget
from urpi.referee.decisions import Fix, Report, Warned
from urpi.referee.explain import (
    Explanation,
    explain,
    has_begun_plan,
    is_in_hand,
    wrong_pieces,
)
from urpi.referee.inference import Evidence
from urpi.referee.questions import MAX_CHOICES, ask_move, drop_question, one_off
from urpi.referee.settings import Sentence
from urpi.referee.stages import Moving, Throwing
from urpi.referee.state import GameState, State
from urpi.rules import Refusal, Side, Squares, each_square

LONGEST_NAME: Final = 8
"""Maximum number of letters of a player's name in a warning."""


def warn(state: GameState, evidence: Evidence, report: Report) -> None:
    """Warn of a wrong occupancy, unless a hand may still be at work."""
    if isinstance(state.stage, Moving):
        state.stage.seeming = None
    # Play may have gone on after a move that was not committed yet: the warning is then about that.
    compared = compare(state, evidence)
    wait_ms = _wait_ms(state, evidence, compared)
    if state.still_ms < wait_ms:
        state.look_when_still_for(wait_ms)
        return
    found = explain(compared)
    if _is_refused_takeback(state, compared.evidence):
        found = replace(found, refusal=Refusal("takebacks-off", found.refusal.details))
    if not is_being_set_up(state.warning, compared.evidence):
        _issue(state, found, compared.side, report)
    if compared.evidence.missing.bit_count() > FEW:
        # Pieces that are put back from now on lay beside the board: these are no landings.
        state.contacts = forget(state.contacts)
    _doubt(state, evidence, report)


def warn_of_pieces(state: GameState, wrong: Squares, report: Report) -> None:
    """Warn of pieces that stand for others although the occupancy is right."""
    if isinstance(state.stage, Moving):
        state.stage.seeming = None
    warning_ms = state.settings.timing.warning_ms
    if state.still_ms < warning_ms:
        state.look_when_still_for(warning_ms)
    else:
        _issue(state, wrong_pieces(state.position, wrong), state.side, report)


def _issue(state: GameState, found: Explanation, side: Side | None, report: Report) -> None:
    """Report a warning, unless it is the open one."""
    warning = _warning(state, found, side or state.side or Side.LIGHT)
    if _same(state.warning, warning):
        return
    # A question about this very occupancy stays open: its answer ends the warning too.
    if state.question is not None and state.question.question.t < state.contacts.last_edge:
        drop_question(state)
    state.warning = warning
    report(warning)


def _wait_ms(state: GameState, evidence: Evidence, compared: Comparison) -> int:
    """Return how long the occupancy must stand still before the players are warned of it."""
    timing = state.settings.timing
    in_hand = is_in_hand(evidence) or is_in_hand(compared.evidence) or has_begun_plan(compared)
    if not in_hand or state.warning:
        return timing.warning_ms
    # A question is an answer to the throw already, and a hand that lifted a piece after the throw
    # may not have put it down yet.
    missing = evidence.missing | compared.evidence.missing
    if state.asks_for_move or not _threw_after(state, missing):
        return max(timing.warning_ms, timing.lifted_ms)
    # The next dice were thrown, so the players regard the move as made. If a rule forbids it, no
    # hand will finish it either.
    forbidden = explain(compared).refusal.code != "piece-missing"
    return timing.still_ms if forbidden and is_in_hand(evidence) else timing.warning_ms


def _threw_after(state: GameState, lifted: Squares) -> bool:
    """Return whether dice were thrown, while a throw was unplayed, after these squares emptied."""
    lifted_at = max((state.contacts.since[each] for each in each_square(lifted)), default=0)
    return any(t >= lifted_at for t in state.early.values())


def _warning(state: GameState, found: Explanation, side: Side) -> Warned:
    # Kept with the warning, so that its sentence can be made again in another language.
    details = {**found.refusal.details, "side": side.value, "name": _name(state, side)}
    text = state.settings.sentence(found.refusal.code, details)
    state.warning_details = details
    fix = Fix(found.fill, found.clear)
    return Warned(state.t, side, found.refusal.code, found.squares, text, fix)


def _name(state: GameState, side: Side) -> str:
    """Return the name of a side's player, shortened so that it leaves room for the sentence."""
    name = (state.game.light, state.game.dark)[side.number]
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1].rstrip()}\u2026"


def in_language(state: State, sentence: Sentence) -> State:
    """Return a state whose sentences, also the open warning's, are in another language.

    Args:
        state: The state, which is not changed.
        sentence: Returns the sentence for a code and its details in the language.
    """
    state = replace(state, settings=replace(state.settings, sentence=sentence))
    if isinstance(state, GameState) and state.warning is not None:
        text = sentence(state.warning.code, state.warning_details)
        state.warning = replace(state.warning, text=text)
    return state


def _is_refused_takeback(state: GameState, evidence: Evidence) -> bool:
    """Return whether the occupancy is that before the last move, which must not be taken back."""
    if not isinstance(state.stage, Throwing) or not state.played:
        return False
    last = state.played[-1]
    return not state.may_take_back(last) and evidence.fits(last.position.occupancy)


def _same(one: Warned | None, other: Warned) -> bool:
    return one is not None and (one.code, one.squares, one.fix) == (
        other.code,
        other.squares,
        other.fix,
    )


def is_being_set_up(warning: Warned | None, evidence: Evidence) -> bool:
    """Return whether the board is still being set up as the open warning asks."""
    if warning is None or warning.code not in {"disturbed", "too-late", "wrong-piece"}:
        return False
    return not (evidence.missing & ~warning.fix.fill or evidence.extra & ~warning.fix.clear)


def _doubt(state: GameState, evidence: Evidence, report: Report) -> None:
    """Ask for the moves that one wrong switch would hide, if the board stays uncorrected."""
    moving, warning = state.stage, state.warning
    if not isinstance(moving, Moving) or warning is None or state.question is not None:
        return
    due = warning.t + state.settings.timing.stuck_ms
    if state.t < due:
        state.look_at = due
        return
    near = one_off(evidence, moving.candidates)
    if near and len(near) <= MAX_CHOICES:
        ask_move(state, moving, near, report)
