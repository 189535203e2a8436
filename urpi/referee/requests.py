"""What people ask for by the buttons, the menu or the page, in place of a sensor."""

from urpi.errors import UrpiError
from urpi.referee.decisions import (
    Abandoned,
    Drawn,
    DrawnCode,
    Refused,
    Request,
    RequestRefusal,
    Won,
)
from urpi.referee.facts import Abandon, Answer, Button, Draw, Resign
from urpi.referee.flow import Tell, commit, count_pending, count_throw, end, starts, take_back
from urpi.referee.look import answered
from urpi.referee.pending import reject
from urpi.referee.snapshot import Phase
from urpi.referee.state import State
from urpi.rules import Side


def pressed(state: State, fact: Button, tell: Tell) -> None:
    """A player's button: it steps and takes in a question, and says that a move is done."""
    if state.question is not None:
        if fact.button is not state.question.side and not _is_everybodys(state):
            return
        if fact.press == "short":
            state.chosen = (state.chosen + 1) % len(state.choices)
        elif fact.press == "long":
            _take(state, state.choices[state.chosen], tell)
    elif state.seems is not None and fact.press == "short" and fact.button is state.side:
        commit(state, state.seems, "inferred", tell)


def _is_everybodys(state: State) -> bool:
    """Whether either button answers: who begins, where no one player says it."""
    assert state.question is not None
    assert state.game is not None
    return state.question.ask == "first" and state.game.chooser is None


def _take(state: State, choice: str, tell: Tell) -> None:
    assert state.question is not None
    what = state.question.ask
    if what == "first":
        starts(state, Side(choice), "chosen", tell)
    elif what == "faces":
        _answer_faces(state, choice, tell)
    else:
        _answer_move(state, choice, tell)


def answer(state: State, fact: Answer, tell: Tell) -> None:
    """A person entered something in place of a sensor."""
    if fact.takeback:
        _answer_takeback(state, tell)
    elif fact.first is not None:
        if state.phase is Phase.CHOOSE_FIRST:
            starts(state, fact.first, "chosen", tell)
        else:
            _refuse(state, "answer", "nothing-to-answer", tell)
    elif fact.faces is not None:
        _answer_faces(state, fact.faces, tell)
    elif fact.move is not None:
        _answer_move(state, fact.move, tell)


def _answer_takeback(state: State, tell: Tell) -> None:
    if state.phase is Phase.THROW and state.played:
        take_back(state, 1, tell)
        state.entered = state.contacts.picture()
    else:
        _refuse(state, "answer", "no-takeback", tell)


def _answer_faces(state: State, faces: str, tell: Tell) -> None:
    if state.phase not in {Phase.THROW, Phase.START_THROW} or state.rules is None:
        _refuse(state, "answer", "nothing-to-answer", tell)
        return
    try:
        throw = state.rules.dice.throw(faces)
    except UrpiError:
        _refuse(state, "answer", "wrong-faces", tell)
        return
    state.question, state.choices = None, ()
    count_throw(state, throw, tell)


def _answer_move(state: State, text: str, tell: Tell) -> None:
    if state.phase is not Phase.MOVE:
        _refuse(state, "answer", "nothing-to-answer", tell)
        return
    for candidate in state.candidates:
        if candidate.move.text == text:
            answered(state, candidate, tell)
            if state.t - state.pending_at > state.settings.timing.pending_ms:
                reject(state, "unplayed-throw", tell)
            count_pending(state, tell)
            return
    _refuse(state, "answer", "not-legal", tell)


def resign(state: State, fact: Resign, tell: Tell) -> None:
    """A side gives up."""
    if _is_playing(state, "resign", tell):
        end(state, Won(state.t, fact.side.other, "resigned"), tell)


def claim_draw(state: State, fact: Draw, tell: Tell) -> None:
    """A side claims a draw, or both have agreed on one; only some rules give one."""
    if not _is_playing(state, "draw", tell):
        return
    rules = state.now.rules
    code: DrawnCode | None
    if fact.agreed:
        code = "agreed" if rules.draws else None
    else:
        code = rules.draw_to_claim(state.now, fact.side, state.past)
    if code is None:
        _refuse(state, "draw", "no-draw", tell)
    else:
        end(state, Drawn(state.t, code), tell)


def abandon(state: State, _fact: Abandon, tell: Tell) -> None:
    """The game is broken off."""
    if _is_playing(state, "abandon", tell):
        end(state, Abandoned(state.t, "abandoned"), tell)


def _is_playing(state: State, what: Request, tell: Tell) -> bool:
    if state.phase not in {Phase.NO_GAME, Phase.OVER}:
        return True
    _refuse(state, what, "game-over" if state.phase is Phase.OVER else "no-game", tell)
    return False


def _refuse(state: State, what: Request, code: RequestRefusal, tell: Tell) -> None:
    tell(Refused(state.t, what, code, state.settings.say(code, {})))
