"""Making the snapshot of a state, which the views draw."""

from urpi.referee import throws
from urpi.referee.decisions import Coached, RollRefused
from urpi.referee.exploring import may_explore
from urpi.referee.requests import may_hint
from urpi.referee.snapshot import Phase, Snapshot
from urpi.referee.stages import AnyThrowing, Ended, Moving, Seeming, SettingUp, Throwing
from urpi.referee.state import GameState, State
from urpi.referee.timekeeping import shown_clock
from urpi.rules import Position, Side, Squares
from urpi.rules.ruleset import DrawCode


def snapshot(state: State) -> Snapshot:
    """Return everything that a view needs to draw the game as it stands."""
    if not isinstance(state, GameState):
        return Snapshot(Phase.NO_GAME)
    rolling, waiting, settled = _dice(state)
    stage, question = state.stage, state.question
    moving = stage if isinstance(stage, Moving) else None
    fill, clear = squares_to_correct(state)
    missing, extra = squares_in_hand(state)
    return Snapshot(
        phase=state.phase,
        position=state.position,
        light=state.game.light,
        dark=state.game.dark,
        side=state.side,
        rolling=rolling,
        waiting=waiting,
        settled=settled,
        refused=_refused(state),
        throw=moving.throw if moving is not None else None,
        legal=tuple(each.text for each in moving.candidates) if moving is not None else (),
        may_decline=state.may_decline,
        has_extra_throw=state.has_extra_throw,
        starter=state.starter,
        start_throws=state.start_throws,
        seems=state.seeming.candidate.text if state.seeming is not None else None,
        seems_due=state.seeming.due if state.seeming is not None else None,
        seems_won=state.seeming is not None and state.seeming.candidate.wins,
        last=state.latest.notice,
        warning=state.warning,
        warning_details=state.warning_details if state.warning is not None else {},
        question=question.question if question is not None else None,
        choices=state.choices,
        chosen=state.chosen,
        faults=state.faults,
        fill=fill,
        clear=clear,
        missing=missing,
        extra=extra,
        outcome=stage.outcome if isinstance(stage, Ended) else None,
        rolled=state.latest.roll,
        acted=state.latest.action,
        takeback=_takeback(state),
        draw=_draw(state),
        chooser=state.game.chooser,
        seats=state.game.seats,
        planned=_planned(moving),
        planned_as=moving.moves.confidence if moving is not None else None,
        thinking=moving is not None and moving.moves.awaits_plan,
        hints=state.game.hints,
        may_hint=may_hint(state),
        hint=moving.hint if moving is not None else None,
        engine_throws=state.game.engine_throws,
        coach=state.game.coach,
        coached=_coached(state),
        before=_before(state),
        shared=state.game.shared,
        explore=state.game.explore,
        may_explore=may_explore(state),
        clock=shown_clock(state),
    )


def _planned(moving: Moving | None) -> str | None:
    if moving is None or moving.moves.planned is None:
        return None
    return moving.moves.planned.text


def _before(state: GameState) -> Position | None:
    """Return the position before the newest move that was made or seems made, if it may go back."""
    if state.seeming is not None:
        return state.position
    return state.played[-1].position if isinstance(state.stage, Throwing) and state.played else None


def _coached(state: GameState) -> Coached | None:
    """Return what the coach says of the last move, None once the next dice were thrown."""
    match state.stage:
        case Throwing(coached=coached) if not state.has_begun_to_throw:
            return coached
        case Moving(coached=Coached() as coached, seeming=Seeming(candidate=made)):
            return coached if coached.move == made.text else None
        case _:
            return None


def squares_to_correct(state: GameState) -> tuple[Squares, Squares]:
    """Return the squares to fill and to clear, as the set-up or the open warning requires."""
    if state.warning is not None:
        # Those that are correct by now are ticked off at once.
        fix, occupancy = state.warning.fix, state.contacts.raw
        pieces = state.warning.code == "wrong-piece"
        wrong = state.evidence().misplaced if pieces else occupancy
        return fix.fill & ~occupancy, fix.clear & wrong
    if isinstance(state.stage, SettingUp):
        evidence = state.evidence()
        return evidence.missing, evidence.extra
    return 0, 0


def squares_in_hand(state: GameState) -> tuple[Squares, Squares]:
    """Return the squares emptied and filled since the throw; none unless its move is awaited."""
    if not isinstance(state.stage, Moving):
        return 0, 0
    evidence = state.evidence()
    return evidence.missing, evidence.extra


def _takeback(state: GameState) -> tuple[Side, str] | None:
    """Return the side and the move that an answer could take back now, None if there is none."""
    if not isinstance(state.stage, Throwing) or not state.played:
        return None
    newest = state.played[-1]
    return (newest.side, newest.candidate.text) if state.may_take_back(newest) else None


def _draw(state: GameState) -> DrawCode | None:
    """Return the code of the draw that may be claimed now, None if there is none."""
    rules = state.position.rules
    if not rules.draws or state.side is None or isinstance(state.stage, Ended):
        return None
    return rules.draw_to_claim(state.position, state.side, state.past)


def _refused(state: GameState) -> tuple[tuple[int, str], ...]:
    """Return the dice of the newest refused throw that lie, with their faces."""
    notice = state.latest.notice
    if not isinstance(notice, RollRefused):
        return ()
    known = {die: throws.state_of(state.dice, die) for die in notice.dice}
    return tuple(
        (die, one.face) for die, one in known.items() if one.state == "settled" and one.face
    )


def _dice(
    state: GameState,
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, str], ...]]:
    """Return the dice of the running throw: rolling, not yet counting, and those that count."""
    if not isinstance(state.stage, AnyThrowing):
        return (), (), ()
    known = {die: throws.state_of(state.dice, die) for die in state.throwing()}
    rolling = tuple(die for die, one in known.items() if one.state == "rolling")
    counting = {die: one.face for die, one in known.items() if one.lies and one.face is not None}
    waiting = tuple(die for die in known if die not in counting)
    return rolling, waiting, tuple(counting.items())
