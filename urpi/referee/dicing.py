"""Reports of the dice, and what they mean in each phase."""

from dataclasses import replace
from itertools import product
from types import MappingProxyType

from urpi.referee import takebacks, throws
from urpi.referee.before_next_throw import is_lifting, may_be_half, resolve_before_next_throw
from urpi.referee.contacts import settled
from urpi.referee.decisions import Fault, Report, RollRefused, ThrowRefusal
from urpi.referee.facts import Die
from urpi.referee.flow import ask, commit, count_throw, withdraw_question
from urpi.referee.inference import Candidate
from urpi.referee.pending import (
    add,
    refuse_once,
    reject_at_once,
    reject_early,
    remove_rolling,
)
from urpi.referee.questions import MAX_CHOICES
from urpi.referee.set_up import hold_throw
from urpi.referee.stages import AnyThrowing, ChoosingFirst, Moving, SettingUp
from urpi.referee.state import GameState
from urpi.referee.waiting_throws import end_if_all_lie, end_waiting, waits_for_move
from urpi.rules import DiceSet


def on_report(state: GameState, fact: Die, report: Report) -> None:
    """Handle a die's report."""
    if _is_of_another_set(state, fact):
        # It must not count, but that it was touched must not be forgotten either.
        fact = replace(fact, state="handled", face=None, tumbled=False)
    before = throws.state_of(state.dice, fact.die)
    state.dice = throws.after_report(state.dice, fact)
    # A repeated report, as after a lost acknowledgement, changes nothing.
    if throws.state_of(state.dice, fact.die) == before:
        return
    if fact.state in {"lost", "found"}:
        _update_fault(state, fact, report)
    if fact.state == "settled" and before.state == "unknown":
        # The first report of a die is how it has been lying, not a throw.
        return
    if fact.state == "rolling":
        _end_waiting(state, fact.die, report)
    stage = state.stage
    if isinstance(stage, SettingUp | ChoosingFirst):
        _before_the_game(state, stage, fact, report)
    elif isinstance(stage, Moving):
        began = before.t if before.state == "rolling" else None
        _while_a_throw_is_unplayed(state, stage, fact, began, report)
    elif isinstance(stage, AnyThrowing):
        _while_throwing(state, stage, fact, before, report)


def _end_waiting(state: GameState, die: int, report: Report) -> None:
    """Remove a die that rolls again from the pending throw, unless that throw was played already.

    Quick hands throw before the board has stood still.
    """
    if isinstance(state.stage, Moving) and die in state.pending.faces:
        state.contacts = settled(state.contacts, state.t, state.settings.timing)
        end_waiting(state, state.stage, state.evidence(), report)
    remove_rolling(state, die, report)


def _is_of_another_set(state: GameState, fact: Die) -> bool:
    """Return whether a die shows a face that the game's dice do not have.

    The players have not exchanged the dice of the previous game yet.
    """
    return fact.face is not None and fact.face not in state.position.rules.dice.faces


def _update_fault(state: GameState, fact: Die, report: Report) -> None:
    device = f"die {fact.die}"
    state.faults = tuple(fault for fault in state.faults if fault.device != device)
    if fact.state == "lost":
        fault = Fault(state.t, device, "lost")
        state.faults = (*state.faults, fault)
        report(fault)


def _thrown_face(fact: Die) -> str | None:
    """Return the face of a die that has tumbled and settled, None for any other report."""
    return fact.face if fact.state == "settled" and fact.tumbled else None


def _before_the_game(
    state: GameState, stage: SettingUp | ChoosingFirst, fact: Die, report: Report
) -> None:
    """Handle a throw before the board is set up, or before the players choose who begins."""
    face = _thrown_face(fact)
    if face is None or fact.die not in state.all_dice():
        return
    if isinstance(stage, SettingUp):
        hold_throw(state, stage, fact.die, face, report)
    else:
        refuse_once(state, state.side_of(fact.die), "not-begun", fact.die, report)


def _count(state: GameState, die: int, report: Report) -> None:
    """Count a die that settled as the turn began as a part of its throw, or refuse it."""
    stage = state.stage
    # The rest of its throw may have been refused with the move.
    if not isinstance(stage, AnyThrowing) or throws.state_of(state.dice, die).refused:
        return
    if die in state.throwing():
        state.dice = throws.count(state.dice, die)
        _complete(state, stage, report)
    else:
        refuse_once(state, stage.side.other, "not-your-turn", die, report)


def _while_a_throw_is_unplayed(
    state: GameState, moving: Moving, fact: Die, began: int | None, report: Report
) -> None:
    """Handle a report while a side is to move; `began` is when the die began to roll, if it did."""
    if fact.die not in state.all_dice():
        return
    made = _seemingly_made(state, moving)
    if fact.state == "rolling" and moving.seeming is not None:
        if made is not None and _shows_that_it_is_made(state, made, moving.seeming.shown):
            commit(state, moving, made, moving.seeming.confidence, report)
        return
    if _thrown_face(fact) is not None:
        _thrown_over(state, moving, fact, began, report)
    elif fact.state in {"cocked", "lost"}:
        # Such a die is named once the move is final.
        end_if_all_lie(state, moving, fact.die, began, report)
    elif fact.state != "settled":
        return
    elif made is not None:
        _refuse_laid_down(state, made, fact, report)
    else:
        _moved_by_hand(state, moving, fact, report)


def _thrown_over(
    state: GameState, moving: Moving, fact: Die, began: int | None, report: Report
) -> None:
    """Handle a die thrown while another throw is unplayed: refuse it, keep it, or let it count."""
    if _disturbs_a_move(state, moving, fact.die, began):
        if state.pending.waits:
            reject_early(state, "too-soon", moving.thrown_at, report)
        else:
            refuse_once(state, moving.side.other, "too-soon", fact.die, report)
        state.look_again()
    elif waits_for_move(state, moving, fact.die, began):
        add(state, fact.die, fact.face or "", waits=True)
        end_if_all_lie(state, moving, fact.die, began, report)
    else:
        _thrown_early(state, moving, fact, began, report)


def _shows_that_it_is_made(state: GameState, made: Candidate, shown: int) -> bool:
    """Return whether a die that begins to roll is a sign that a move is made.

    Not one that rolls before anyone can have seen the move on the display, and not while another
    piece may follow: then the dice must settle first.
    """
    timing = state.settings.timing
    if timing.final_ms and (made.unfinished or state.t - shown < takebacks.REACTION_MS):
        return False
    if state.seeming is not None and state.seeming.due is None:
        # Without a trace of the move it must be thrown once more, not only touched.
        return False
    # No dice follow a winning move.
    return not (made.wins and timing.win_ms)


def _disturbs_a_move(state: GameState, moving: Moving, die: int, began: int | None) -> bool:
    """Return whether the other side threw while the mover may still have a piece to move.

    Dice that began to roll before the mover lifted its piece are no sign that it was put down, and
    those that began before the display showed the move are no sign that it was complete.
    """
    if state.pending.waits and state.contacts.last_edge >= state.pending.t:
        return True
    if began is None or not state.settings.timing.final_ms or state.game.early_throws:
        return False
    shown = moving.seeming.shown if moving.seeming else state.t
    if began >= shown + takebacks.REACTION_MS and began >= state.contacts.last_edge:
        return False
    if die not in state.dice_of(moving.side.other):
        return False
    return may_be_half(state, moving) or is_lifting(state, moving, began)


def _seemingly_made(state: GameState, moving: Moving) -> Candidate | None:
    """Return the move that seems made, None unless the occupancy still shows it."""
    if moving.seeming is None:
        return None
    candidate = moving.seeming.candidate
    return candidate if state.evidence().fits(candidate.occupancy) else None


def _not_thrown(fact: Die) -> ThrowRefusal:
    """Return why a die that settled does not count: as the die itself reports, if it knows."""
    return fact.why or "not-tumbled"


def _refuse_laid_down(state: GameState, made: Candidate, fact: Die, report: Report) -> None:
    """Refuse a die laid down by hand for the throw that may follow a move that seems made."""
    side = made.position.turn
    if side is not None and fact.die in state.dice_of(side) and not state.program_throws(side):
        report(RollRefused(state.t, side, _not_thrown(fact), (fact.die,)))


def _moved_by_hand(state: GameState, moving: Moving, fact: Die, report: Report) -> None:
    """Refuse a die that was moved by hand after the throw, once; it changes nothing."""
    pending = state.pending.faces
    if pending and fact.die not in pending:
        report(RollRefused(state.t, moving.side.other, _not_thrown(fact), (fact.die,)))
    elif not pending and not state.bump_refused:
        report(RollRefused(state.t, moving.side, "unplayed-throw", (fact.die,)))
        state.bump_refused = True


def _thrown_early(
    state: GameState, moving: Moving, fact: Die, began: int | None, report: Report
) -> None:
    """Handle a throw while another one is unplayed: its move may have been made unseen.

    While a player is asked which move was made, the throw is pending.
    """
    die = fact.die
    # The rest of its throw was perhaps refused while it rolled. The next turn forgets that.
    refused = throws.state_of(state.dice, die).refused
    again = die in state.early
    if resolve_before_next_throw(
        state,
        moving,
        report,
        again=again,
        all_moved=_have_all_moved(state, moving, die),
        by_mover=die in state.dice_of(moving.side),
        began=began,
    ):
        if not refused:
            _count(state, die, report)
        return
    known = {} if again else state.early
    state.early = MappingProxyType({**known, die: state.t})
    if refused:
        return
    # With 0, pending throws are switched off in the configuration.
    waits = state.asks_for_move and state.settings.timing.pending_ms
    if waits and add(state, die, fact.face or ""):
        reject_at_once(state, report)
        return
    state.bump_refused = True
    is_shown = moving.seeming is not None and moving.seeming.due is None
    refuse_once(state, moving.side, "unseen-move" if is_shown else "unplayed-throw", die, report)
    # What is wrong with the board must not be held back any longer.
    state.look_again()


def _have_all_moved(state: GameState, moving: Moving, die: int) -> bool:
    """Return whether every die of a die's set has moved since the throw.

    Otherwise a single die was bumped, and the set was not thrown again.
    """
    moved_at = (throws.state_of(state.dice, each).t for each in state.set_of(die))
    return all(t > moving.thrown_at for t in moved_at)


def _while_throwing(
    state: GameState, stage: AnyThrowing, fact: Die, before: throws.DieState, report: Report
) -> None:
    if fact.die not in state.throwing():
        if _thrown_face(fact) is not None and fact.die in state.all_dice():
            refuse_once(state, stage.side.other, "not-your-turn", fact.die, report)
        return
    if fact.state == "rolling":
        # A take-back must be recognised before these dice settle and count.
        state.look_again()
    die = throws.state_of(state.dice, fact.die)
    began = before.t if before.state == "rolling" else state.t
    if _thrown_face(fact) is not None and die.counts and takebacks.has_begun(state, began):
        # The whole set is thrown again, once the other move is made.
        state.dice = throws.new_turn(state.dice)
        refuse_once(state, stage.side, "too-soon", fact.die, report)
        return
    # A throw that was refused while the die rolled is not refused again.
    if fact.state == "settled" and not (die.counts or die.refused):
        state.dice = throws.refuse(state.dice, (fact.die,))
        report(RollRefused(state.t, stage.side, _not_thrown(fact), (fact.die,)))
    _complete(state, stage, report)


def _complete(state: GameState, stage: AnyThrowing, report: Report) -> None:
    """Count the throw if every die of the set has tumbled and settled."""
    faces = throws.faces(state.dice, state.throwing())
    if faces is not None:
        count_throw(state, stage, state.position.rules.dice.throw(faces), report)


def next_due(state: GameState) -> int | None:
    """Return when a die that keeps the players waiting must be named, None if none does."""
    if not isinstance(state.stage, AnyThrowing):
        return None
    timing, dice = state.settings.timing, state.throwing()
    times = [
        throws.cocked_due(state.dice, dice, timing.cocked_ms),
        throws.missing_due(state.dice, dice, timing.missing_die_ms),
        _dead_due(state) if state.question is None else None,
    ]
    return min((t for t in times if t is not None), default=None)


def _dead_due(state: GameState) -> int | None:
    """Return when to ask for the faces of dead dice; a restarted hub is back long before."""
    return throws.dead_due(state.dice, state.throwing(), state.settings.timing.missing_die_ms)


def remind(state: GameState, stage: AnyThrowing, report: Report) -> None:
    """Refuse the leaning and missing dice that are due."""
    timing, dice = state.settings.timing, state.throwing()
    cocked = tuple(
        die
        for die in dice
        if (one := throws.state_of(state.dice, die)).state == "cocked"
        and not one.refused
        and one.t + timing.cocked_ms <= state.t
    )
    missing_due = throws.missing_due(state.dice, dice, timing.missing_die_ms)
    if cocked:
        state.dice = throws.refuse(state.dice, cocked)
        report(RollRefused(state.t, stage.side, "cocked", cocked))
    if missing_due is not None and missing_due <= state.t:
        missing = throws.missing(state.dice, dice)
        # Remembered as refused, so that a die that stays where it is is named once only.
        state.dice = throws.refuse(state.dice, missing)
        report(RollRefused(state.t, stage.side, "missing-die", missing))


def ask_for_dead_dice(state: GameState, report: Report) -> None:
    """Ask for the faces if only dead dice are missing; withdraw the question if one is back.

    Of a throw by hand they are always asked for.
    """
    stage = state.stage
    if not isinstance(stage, AnyThrowing):
        return
    if state.game.by_hand:
        if not (state.program_throws(stage.side) or state.is_remote(stage.side)):
            ask(state, stage.side, "faces", _throws_by_marks(state.position.rules.dice), report)
        return
    due = _dead_due(state)
    if due is None:
        if state.question is not None and state.question.ask == "faces":
            withdraw_question(state)
    elif due <= state.t:
        ask(state, stage.side, "faces", _possible_faces(state), report)


def _throws_by_marks(dice: DiceSet) -> tuple[str, ...]:
    """Return a throw of each meaning, those with few marks first: a press is one mark more."""

    def marks(faces: str) -> tuple[int, str]:
        return sum(int(face) if face.isdigit() else face != "-" for face in faces), faces

    return tuple(sorted((throw.faces for throw, _ in dice.outcomes), key=marks))


def _possible_faces(state: GameState) -> tuple[str, ...]:
    """Return a throw of each meaning that the available dice allow, as many as a button allows."""
    dice = state.position.rules.dice
    options = [
        (one.face,) if (one := throws.state_of(state.dice, die)).lies and one.face else dice.faces
        for die in state.throwing()
    ]
    found: dict[str, str] = {}
    for faces in product(*options):
        throw = dice.throw("".join(faces))
        # Faces that mean the same are one answer: a player need not say which die shows what.
        found.setdefault(throw.meaning, throw.faces)
    return tuple(found.values())[: MAX_CHOICES + 1]
