"""What the page may do at the table: a new game, answers, giving up, settings; and who may.

Each is handed to the thread that referees, and answered when that has done it.
"""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, Final, TypeVar

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi.orders import SOUNDS, ChangeLanguage, ChangeSound, NewGame
from urpi.referee.decisions import Decision, Refused
from urpi.referee.facts import Abandon, Answer, Button, Draw, Fact, Resign
from urpi.rules import RULE_SETS, RuleSet, Side, rule_set
from urpi.web.access import session_cookie
from urpi.web.answers import json_answer, refused
from urpi.web.guard import SESSION, VISITOR
from urpi.web.operations import Asked, NowNotError, Operation
from urpi.web.page import Page
from urpi.web.rates import Tries
from urpi.web.schema import Schema, an_object, one_of
from urpi.words import languages

PATIENCE_S: Final = 5.0
"""The referee's thread is waited for so long: it works in milliseconds, or it has stopped."""
ASKS: Final = 3
ASKS_S: Final = 120.0
"""The display is lent to the PIN so often in so many seconds: a game is played at it."""

NAME: Final[Schema] = {"type": "string", "maxLength": 40, "pattern": "^[^\\u0000-\\u001f\\u007f]*$"}
SIDE: Final = one_of(*(side.value for side in Side))
AGREED: Final[Schema] = {"type": "boolean"}
FACES: Final[Schema] = {"type": "string", "maxLength": 8}
MOVE: Final[Schema] = {"type": "string", "maxLength": 40}
DONE: Final[Schema] = {"const": True}


def _options(rules: type[RuleSet]) -> Schema:
    properties = {one.name: one_of(*one.values) for one in rules.known_options}
    return {**an_object(), "properties": properties}


NEW_GAME: Final[Schema] = {
    "oneOf": [
        an_object(
            ("rules",),
            rules={"const": kind.id},
            options=_options(kind),
            light=NAME,
            dark=NAME,
            first=SIDE,
        )
        for kind in RULE_SETS.values()
    ]
}
ANSWER: Final[Schema] = {
    "oneOf": [
        an_object(("move",), move=MOVE),
        an_object(("faces",), faces=FACES),
        an_object(("first",), first=SIDE),
        an_object(("takeback",), takeback=DONE, agreed=AGREED),
    ]
}


def settings_schema() -> Schema:
    """What may be changed, with the languages that there are."""
    return {
        **an_object(language=one_of(*languages()), sound=one_of(*SOUNDS)),
        "minProperties": 1,
    }


PIN: Final = an_object(("pin",), pin={"type": "string", "pattern": "^[0-9]{6}$"})

_T = TypeVar("_T")


def acting_operations(page: Page) -> tuple[Operation, ...]:
    """Everything that acts on the game."""

    async def press(asked: Asked) -> ASGIApp:
        # What it means is the menu's to say, or the referee's.
        page.desk.heard(_button(page.desk.clock(), asked.body))
        return json_answer({"done": True})

    return (
        _post("/api/new-game", "Begin a game; one that is on is broken off.", NEW_GAME, _new(page)),
        _post(
            "/api/answer",
            "Answer a question, or enter a throw, who begins, or a take-back.",
            ANSWER,
            _deciding(page, _answer),
        ),
        _post("/api/resign", "Give up.", an_object(("side",), side=SIDE), _deciding(page, _resign)),
        _post(
            "/api/draw",
            "Claim a draw where the rules give one, or say that both agreed on it.",
            an_object(("side",), side=SIDE, agreed=AGREED),
            _deciding(page, _draw),
        ),
        _post(
            "/api/abandon",
            "Break the game off.",
            an_object(side=SIDE, agreed=AGREED),
            _deciding(page, _abandon),
        ),
        _post(
            "/api/button",
            "Press a side's button; both: the two together.",
            an_object(("side", "press"), side=SIDE, press=one_of("short", "long", "both")),
            press,
        ),
        _post(
            "/api/settings", "Change the language or the sound.", settings_schema(), _settle(page)
        ),
    )


def session_operations(page: Page) -> tuple[Operation, ...]:
    """The PIN and the session."""
    asks = Tries(ASKS, ASKS_S)

    async def enter(asked: Asked) -> ASGIApp:
        address = asked.request.scope["state"][VISITOR].address
        entered = page.access.enter(asked.body["pin"], address, page.clock())
        if entered.token:
            answer = json_answer({"may_act": True})
            secure = page.is_secure(asked.request.headers)
            answer.headers["set-cookie"] = session_cookie(entered.token, secure=secure)
            return answer
        if entered.wait_s:
            return _wait("Too many wrong PINs; wait a minute.", entered.wait_s)
        return refused(403, "wrong-pin", "That is not the PIN; the table's display shows it.")

    async def leave(asked: Asked) -> ASGIApp:
        page.access.leave(asked.request.scope["state"][SESSION])
        answer = json_answer({"may_act": False})
        secure = page.is_secure(asked.request.headers)
        answer.headers["set-cookie"] = session_cookie("", secure=secure)
        return answer

    async def ask(_asked: Asked) -> ASGIApp:
        wait_s = asks.wait_s(page.clock())
        if wait_s:
            return _wait("The display has just shown the PIN; wait a little.", wait_s)
        asks.count(page.clock())
        page.desk.show_pin(page.access.pin, page.address)
        return json_answer({"done": True})

    return (
        _post("/api/session", "Enter the PIN; the answer sets a cookie.", PIN, enter, 403, 429),
        _post(
            "/api/session/ask", "Let the display show the PIN for a while.", an_object(), ask, 429
        ),
        Operation("DELETE", "/api/session", "End the session.", leave),
    )


def _post(path: str, summary: str, body: Schema, answer: Any, *refusals: int) -> Operation:
    return Operation("POST", path, summary, answer, body=body, refusals=(400, 409, 503, *refusals))


def _wait(error: str, wait_s: float) -> Response:
    answer = refused(429, "too-often", error)
    answer.headers["retry-after"] = str(int(wait_s) + 1)
    return answer


async def _done(future: Future[_T]) -> _T:
    """What the referee's thread makes of something.

    Raises:
        UrpiError: when it says why not, or does not answer.
    """
    waited = asyncio.wrap_future(future)
    await asyncio.wait({waited}, timeout=PATIENCE_S)
    if not waited.done() or waited.cancelled():
        message = "The table does not answer; it may just be stopping."
        raise NowNotError("stopping", message)
    return waited.result()


def _new(page: Page) -> Callable[[Asked], Any]:
    async def answer(asked: Asked) -> ASGIApp:
        body = asked.body
        rules = rule_set(body["rules"], body.get("options", {}))
        first = Side(body["first"]) if "first" in body else None
        order = NewGame(rules, body.get("light", ""), body.get("dark", ""), first)
        return json_answer({"game": await _done(page.desk.order(order))})

    return answer


def _settle(page: Page) -> Callable[[Asked], Any]:
    async def answer(asked: Asked) -> ASGIApp:
        language, sound = asked.body.get("language"), asked.body.get("sound")
        if language is not None:
            await _done(page.desk.order(ChangeLanguage(language)))
        if sound is not None:
            await _done(page.desk.order(ChangeSound(sound)))
        return json_answer(settings_document(page))

    return answer


def settings_document(page: Page) -> dict[str, Any]:
    """What holds at the table, and what may be chosen."""
    chosen = page.desk.preferences
    return {
        "language": chosen.language,
        "languages": list(languages()),
        "sound": chosen.sound,
        "sounds": list(page.desk.sounds),
        "rules": chosen.rules,
        "players": {"light": chosen.light, "dark": chosen.dark},
    }


Make = Callable[[int, Mapping[str, Any]], Fact]


def _deciding(page: Page, make: Make) -> Callable[[Asked], Any]:
    async def answer(asked: Asked) -> ASGIApp:
        fact = make(page.desk.clock(), asked.body)
        decisions = await _done(page.desk.decide(fact))
        _raise_refusal(page, decisions)
        return json_answer({"done": True})

    return answer


def _raise_refusal(page: Page, decisions: tuple[Decision, ...]) -> None:
    for decision in decisions:
        if isinstance(decision, Refused):
            raise NowNotError(decision.code, decision.text)
    change = page.desk.now()
    if not decisions and (change.game is None or change.snapshot.outcome is not None):
        code = "no-game" if change.game is None else "game-over"
        raise NowNotError(code, page.desk.words.sentence(code))


def _answer(t: int, body: Mapping[str, Any]) -> Fact:
    first = Side(body["first"]) if "first" in body else None
    takeback, agreed = "takeback" in body, body.get("agreed", False)
    return Answer(t, body.get("move"), body.get("faces"), first, takeback=takeback, agreed=agreed)


def _resign(t: int, body: Mapping[str, Any]) -> Fact:
    return Resign(t, Side(body["side"]))


def _draw(t: int, body: Mapping[str, Any]) -> Fact:
    return Draw(t, Side(body["side"]), body.get("agreed", False))


def _abandon(t: int, body: Mapping[str, Any]) -> Fact:
    return Abandon(t, Side(body.get("side", Side.LIGHT.value)), body.get("agreed", False))


def _button(t: int, body: Mapping[str, Any]) -> Fact:
    return Button(t, Side(body["side"]), body["press"])
