"""Throws that wait, without a question, for the move that the board shows to be final."""

from dataclasses import replace

from urpi.referee import throws
from urpi.referee.before_next_throw import may_be_half, may_move_on, resolve_before_next_throw
from urpi.referee.comparison import other_side_acts
from urpi.referee.decisions import Report
from urpi.referee.flow import commit
from urpi.referee.inference import Candidate, Evidence, candidates_of, matching
from urpi.referee.pending import reject_early
from urpi.referee.stages import Moving
from urpi.referee.state import GameState


def waits_for_move(state: GameState, moving: Moving, die: int, began: int | None) -> bool:
    """Return whether a die waits for the move to be final, as others of its set perhaps do.

    While the rest of its set rolls, the second piece of a move may still be lifted. And a landing
    that came after the dice had begun to roll may be a hand that taps on its way.
    """
    if throws.state_of(state.dice, die).refused:
        return False
    if state.pending.waits:
        return die not in state.pending.faces
    timing = state.settings.timing
    if (
        state.asks_for_move
        or state.game.early_throws
        or not (timing.final_ms and timing.pending_ms)
    ):
        return False
    if _others_roll(state, die) and may_be_half(state, moving):
        return True
    if began is None or not may_move_on(state, moving):
        return False
    # A hand that throws as soon as its piece stands is faster than the contact's bounce.
    return began < state.contacts.last_edge - timing.contact_stable_ms


def _others_roll(state: GameState, die: int) -> bool:
    """Return whether another die of a die's set rolls."""
    known = (throws.state_of(state.dice, each) for each in state.set_of(die) if each != die)
    return any(one.state == "rolling" and not one.lost for one in known)


def end_if_all_lie(
    state: GameState, moving: Moving, die: int, began: int | None, report: Report
) -> None:
    """Commit the move that a throw waits for, once no die rolls; refuse the throw if there is none.

    A move that may go on is committed later, when it is final.
    """
    if not state.pending.waits or _others_roll(state, die):
        return
    if may_move_on(state, moving) and not may_be_half(state, moving):
        final_ms, seeming = state.settings.timing.final_ms, moving.seeming
        if state.still_ms < final_ms:
            if seeming is not None and seeming.due is not None:
                # Of a landing that only a reading found, the dice show that it was a move.
                due = min(seeming.due, state.contacts.last_edge + final_ms)
                moving.seeming, state.look_at = replace(seeming, due=due), due
            return
    made = resolve_before_next_throw(
        state,
        moving,
        report,
        again=False,
        all_moved=False,
        by_mover=die in state.dice_of(moving.side),
        began=began,
    )
    if not (made or state.asks_for_move):
        reject_early(state, "too-soon", moving.thrown_at, report)


def end_waiting(state: GameState, moving: Moving, evidence: Evidence, report: Report) -> bool:
    """Refuse a throw that waits for the move to be final, if the board has changed since.

    Returns:
        Whether the move was committed instead: the other side has begun its turn.
    """
    pending, made = state.pending, moving.seemed
    if not pending.waits or not (pending.contacts.raw ^ state.contacts.raw) & ~state.mask:
        return False
    if made is not None:
        after = replace(evidence, before=made.occupancy, chute=False)
        begins = not after.extra and other_side_acts(state.position, after, made)
        if begins or _is_played(state, moving, evidence, made):
            commit(state, moving, made, "sensed", report)
            return True
    reject_early(state, "too-soon", moving.thrown_at, report)
    return False


def _is_played(state: GameState, moving: Moving, evidence: Evidence, made: Candidate) -> bool:
    """Return whether the board shows a move of the throw that waits, made after `made`.

    Not one with the same piece, which the hand of the last move may have moved on, nor one that
    the throw before allows, too.
    """
    faces, side = state.pending.faces, made.position.turn
    if not faces.keys() >= set(state.dice_of(side)) or matching(evidence, moving.candidates):
        return False
    shown = "".join(faces[die] for die in state.dice_of(side))
    throw = state.position.rules.dice.throw(shown)
    after = matching(evidence, candidates_of(made.position, throw)) if shown else ()
    return any(not each.lifts & made.lands for each in after)
