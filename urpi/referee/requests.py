"""Requests of the players by the buttons, the menu or the page, in place of a sensor."""

from dataclasses import replace
from typing import Final, assert_never

from urpi.core.errors import UrpiError
from urpi.referee.decide import commit_answer
from urpi.referee.decisions import (
    NO_MOVE,
    Abandoned,
    Coached,
    Drawn,
    DrawnCode,
    Hinted,
    Planned,
    Refused,
    Report,
    Request,
    RequestRefusal,
    Won,
)
from urpi.referee.facts import (
    Abandon,
    Answer,
    Button,
    Claim,
    Coach,
    Decline,
    Draw,
    Fact,
    Hint,
    Plan,
    ProgramThrow,
    RemoteMove,
    RemoteTakeback,
    RemoteThrow,
    Resign,
)
from urpi.referee.flow import (
    clear_warning,
    commit,
    count_pending,
    count_throw,
    decline,
    end,
    starts,
    take_back,
)
from urpi.referee.stages import (
    AnyThrowing,
    ChoosingFirst,
    Ended,
    Moving,
    Seeming,
    Throwing,
)
from urpi.referee.state import GameState, OpenQuestion, State
from urpi.rules import Side

_HELD: Final = 3
"""Multiple of `unread_ms` for a long press: it has been held for most of a second when it is
reported."""


def on_press(state: GameState, fact: Button, report: Report) -> None:
    """Handle a press: it selects or confirms an answer, or confirms the move that seems made."""
    question, stage = state.question, state.stage
    if _is_for_earlier_question(state, fact):
        return
    if question is not None:
        if not _answers(state, question, fact.button):
            return
        # A short press selects and a long one confirms, so that an accidental touch decides
        # nothing.
        if fact.press == "short":
            state.question = question.next_choice()
        elif fact.press == "long":
            _confirm(state, question.selected, report)
    elif (
        isinstance(stage, Moving)
        and stage.seeming is not None
        and fact.press == "short"
        and _is_button_of(state, stage.side, fact.button)
    ):
        commit(state, stage, stage.seeming.candidate, stage.seeming.confidence, report)
    elif state.may_decline and fact.press == "long" and fact.button is state.side:
        decline(state, fact.button, report)


def _is_for_earlier_question(state: GameState, fact: Button) -> bool:
    """Return whether a press is for a question that is not shown any more, and let it act on that.

    A short press selects what it would have selected there, if that is still a choice. A long press
    confirms it if it is the selected one; otherwise it decides nothing.
    """
    if state.earlier_question is None:
        return False
    earlier, ended = state.earlier_question
    is_long, question = fact.press == "long", state.question
    if state.t >= ended + state.settings.timing.unread_ms * (_HELD if is_long else 1):
        return False
    if not _answers(state, earlier, fact.button):
        return False
    if is_long:
        return question is None or question.selected != earlier.selected
    earlier = earlier.next_choice()
    state.earlier_question = earlier, ended
    if question is not None and earlier.selected in question.choices:
        chosen = question.choices.index(earlier.selected)
        state.question = replace(question, chosen=chosen)
    return True


def _answers(state: GameState, question: OpenQuestion, button: Side) -> bool:
    # Either button answers who begins, unless one player chooses.
    anyone = question.ask == "first" and state.game.chooser is None
    return anyone or _is_button_of(state, question.question.side, button)


def _is_button_of(state: GameState, side: Side, button: Side) -> bool:
    """Return whether a button answers for a side: its own, and either one for a side whose moves
    hands here only make.
    """
    return button is side or state.awaits_plan(side)


def _confirm(state: GameState, choice: str, report: Report) -> None:
    """Confirm the selected answer to the open question."""
    if state.question is None:
        return
    ask = state.question.ask
    match ask:
        case "first":
            starts(state, Side(choice), "chosen", report)
        case "faces":
            _answer_faces(state, choice, report)
        case "move":
            _answer_move(state, choice, report)
        case _:
            assert_never(ask)


def on_answer(state: GameState, fact: Answer, report: Report) -> None:
    """Handle what a player entered in place of a sensor."""
    if fact.takeback:
        _answer_takeback(state, report)
    elif fact.first is not None:
        if isinstance(state.stage, ChoosingFirst):
            starts(state, fact.first, "chosen", report)
        else:
            _refuse(state, "answer", "nothing-to-answer", report)
    elif fact.faces is not None:
        _answer_faces(state, fact.faces, report)
    elif fact.move is not None:
        _answer_move(state, fact.move, report)


def _answer_takeback(state: GameState, report: Report) -> None:
    can = isinstance(state.stage, Throwing) and state.played
    if can and not state.may_take_back(state.played[-1]):
        _refuse(state, "answer", "takebacks-off", report)
    elif can:
        take_back(state, 1, report)
        # The pieces still stand as after the move: that occupancy is no evidence until it changes.
        state.entered = state.contacts.raw
    else:
        _refuse(state, "answer", "no-takeback", report)


def _answer_faces(state: GameState, faces: str, report: Report) -> None:
    # Faces can also be entered without a question, when a die has no signal.
    if not isinstance(state.stage, AnyThrowing) or state.is_remote(state.stage.side):
        _refuse(state, "answer", "nothing-to-answer", report)
        return
    try:
        throw = state.position.rules.dice.throw(faces)
    except UrpiError:
        _refuse(state, "answer", "wrong-faces", report)
        return
    state.question = None
    count_throw(state, state.stage, throw, report)


def _answer_move(state: GameState, text: str, report: Report) -> None:
    moving = state.stage
    if not isinstance(moving, Moving):
        _refuse(state, "answer", "nothing-to-answer", report)
        return
    if text == NO_MOVE and text in state.choices:
        # A pending throw is refused with it.
        state.question = None
        return
    for candidate in moving.candidates:
        if candidate.text == text:
            commit_answer(state, moving, candidate, report)
            # It was answered, not withdrawn: the next press is not for it.
            state.earlier_question = None
            count_pending(state, report)
            return
    _refuse(state, "answer", _why_not(state, moving, text), report)


def _why_not(state: GameState, moving: Moving, text: str) -> RequestRefusal:
    """Return why a move that was entered is not accepted."""
    if not any(each.text == text for each in moving.moves.all):
        return "not-legal"
    if moving.moves.awaits_plan and state.is_remote(moving.side):
        return "nothing-to-answer"
    return "thinking" if moving.moves.awaits_plan else "not-planned"


def on_plan(state: GameState, fact: Plan, report: Report) -> None:
    """Note the engine's move, unless it is not awaited, and look at the board again."""
    moving = state.stage
    if isinstance(moving, Moving) and moving.side is fact.side and moving.moves.awaits_plan:
        moving.moves = moving.moves.after_plan(fact.move)
        planned = moving.moves.planned
        report(Planned(state.t, fact.side, None if planned is None else planned.text))
        # Hands may have made the move already: nothing was looked at while it was awaited.
        state.look_when_still_for(state.settings.timing.still_ms)


def on_program_throw(state: GameState, fact: ProgramThrow, report: Report) -> None:
    """Count the program's throw, unless it is not awaited. Dice that were moved do not matter."""
    stage = state.stage
    if not isinstance(stage, AnyThrowing) or stage.side is not fact.side:
        return
    if state.program_throws(stage.side):
        try:
            throw = state.position.rules.dice.throw(fact.faces)
        except UrpiError:
            return
        count_throw(state, stage, throw, report, by="program")


def on_remote_throw(state: GameState, fact: RemoteThrow, report: Report) -> None:
    """Count a throw that the other table has, unless that side is not to throw."""
    stage, is_shared = state.stage, state.game.shared is not None
    if is_shared and isinstance(stage, Throwing) and stage.side is fact.side:
        try:
            throw = state.position.rules.dice.throw(fact.faces)
        except UrpiError:
            return
        count_throw(state, stage, throw, report, by="remote")


def on_remote_move(state: GameState, fact: RemoteMove, report: Report) -> None:
    """Note a legal move of the other table, if it is awaited, and look at the board again.

    A move of the side that plays here was made before the journal was restored from a backup.
    """
    moving = state.stage
    if not isinstance(moving, Moving) or moving.side is not fact.side or state.game.shared is None:
        return
    legal = next((each for each in moving.moves.all if each.text == fact.move), None)
    if legal is not None and not state.is_remote(fact.side):
        commit(state, moving, legal, fact.confidence, report)
    elif legal is not None and moving.moves.awaits_plan:
        moving.moves = moving.moves.after_plan(fact.move, fact.confidence)
        report(Planned(state.t, fact.side, fact.move, remote=True))
        state.look_when_still_for(state.settings.timing.still_ms)


def on_remote_takeback(state: GameState, fact: RemoteTakeback, report: Report) -> None:
    """Take back the newest move, which was taken back at the other table.

    Hands here may not have made it yet; it is then made and taken back without them.
    """
    if state.game.shared is None:
        return
    _finish_remote_move(state, report)
    newest = state.played[-1] if state.played else None
    if newest is None or not isinstance(state.stage, Throwing | Moving):
        return
    if (newest.side, newest.candidate.text) == (fact.side, fact.move):
        clear_warning(state, report)
        take_back(state, 1, report)
        if not state.is_remote(fact.side):
            # As after an answer: the pieces still stand as after the move.
            state.entered = state.contacts.raw


def _finish_remote_move(state: GameState, report: Report) -> None:
    """Commit a move of the other table that hands here have not made, before what followed it."""
    stage = state.stage
    if isinstance(stage, Moving) and stage.moves.confidence and stage.moves.planned is not None:
        commit(state, stage, stage.moves.planned, stage.moves.confidence, report)


def may_hint(state: GameState) -> bool:
    """Return whether the side to move may ask for a hint."""
    moving = state.stage
    return state.game.hints and isinstance(moving, Moving) and not state.awaits_plan(moving.side)


def on_hint(state: GameState, fact: Hint, report: Report) -> None:
    """Note a hint, unless it is not for the throw to be played."""
    moving = state.stage
    if not isinstance(moving, Moving) or not may_hint(state) or moving.side is not fact.side:
        return
    if any(each.text == fact.move for each in moving.moves.all):
        moving.hint = Hinted(state.t, fact.side, fact.move, fact.margin)
        report(moving.hint)


def on_coach(state: GameState, fact: Coach, report: Report) -> None:
    """Note a better move than the one that was just made or seems made.

    It is ignored once a die was thrown since, because it is too late to take the move back.
    """
    side, stage = fact.side, state.stage
    legal = _legal_instead_of(state, side, fact.move)
    has_coach = state.game.coach[side.number] != "off" and not state.awaits_plan(side)
    if not has_coach or fact.better not in legal:
        return
    coached = Coached(state.t, side, fact.move, fact.better, fact.loss)
    if isinstance(stage, Moving):
        stage.coached = coached
    elif isinstance(stage, Throwing):
        state.stage = replace(stage, coached=coached)
    report(coached)


def _legal_instead_of(state: GameState, side: Side, move: str) -> frozenset[str]:
    """Return the legal moves besides a move that a side has just made or that seems made.

    Empty if it is not the newest move, if the next throw has begun, or if it was coached already.
    """
    match state.stage:
        case Moving(side=mover, moves=moves, seeming=Seeming(candidate=made), coached=coached):
            pass
        case Throwing(coached=coached) if state.played and not state.has_begun_to_throw:
            newest = state.played[-1]
            mover, moves, made = newest.side, newest.moves, newest.candidate
        case _:
            return frozenset()
    is_new = coached is None or coached.move != move
    if (mover, made.text) != (side, move) or not is_new:
        return frozenset()
    return frozenset(each.text for each in moves.all) - {move}


def on_resign(state: GameState, fact: Resign, report: Report) -> None:
    """End the game: a side resigns."""
    _finish_remote_move(state, report)
    if _is_playing(state, "resign", report):
        end(state, Won(state.t, fact.side.other, "resigned"), report)


def on_claim(state: GameState, fact: Claim, report: Report) -> None:
    """End a game of two tables: the other side is silent, as the tables have found."""
    _finish_remote_move(state, report)
    if not _is_playing(state, "claim", report):
        return
    if state.game.shared is None:
        _refuse(state, "claim", "not-silent", report)
    else:
        end(state, Won(state.t, fact.side, "silent"), report)


def on_decline(state: GameState, fact: Decline, report: Report) -> None:
    """Pass the turn if the side has an extra throw that it may decline; else refuse."""
    if not _is_playing(state, "decline", report):
        return
    if state.has_extra_throw and fact.side is state.side:
        decline(state, fact.side, report)
    else:
        _refuse(state, "decline", "no-extra-throw", report)


def on_draw(state: GameState, fact: Draw, report: Report) -> None:
    """End the game by a draw that was agreed or may be claimed; refuse any other one."""
    _finish_remote_move(state, report)
    if not _is_playing(state, "draw", report):
        return
    rules = state.position.rules
    code: DrawnCode | None
    if fact.agreed:
        code = "agreed" if rules.draws else None
    else:
        code = rules.draw_to_claim(state.position, fact.side, state.past)
    if code is None:
        _refuse(state, "draw", "no-draw", report)
    else:
        end(state, Drawn(state.t, code), report)


def on_abandon(state: GameState, report: Report) -> None:
    """End the game without a result."""
    _finish_remote_move(state, report)
    if _is_playing(state, "abandon", report):
        end(state, Abandoned(state.t, "abandoned"), report)


def _is_playing(state: GameState, what: Request, report: Report) -> bool:
    if isinstance(state.stage, Ended):
        _refuse(state, what, "game-over", report)
        return False
    return True


def refuse_without_game(state: State, fact: Fact, report: Report) -> None:
    """Refuse a request, because there is no game."""
    match fact:
        case Answer(takeback=True):
            _refuse(state, "answer", "no-takeback", report)
        case Answer():
            _refuse(state, "answer", "nothing-to-answer", report)
        case Resign():
            _refuse(state, "resign", "no-game", report)
        case Claim():
            _refuse(state, "claim", "no-game", report)
        case Decline():
            _refuse(state, "decline", "no-game", report)
        case Draw():
            _refuse(state, "draw", "no-game", report)
        case Abandon():
            _refuse(state, "abandon", "no-game", report)
        case _:
            pass


def _refuse(state: State, what: Request, code: RequestRefusal, report: Report) -> None:
    report(Refused(state.t, what, code, state.settings.sentence(code, {})))
