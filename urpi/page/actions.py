"""Operations that act on the game or the table: new games, answers, ends of a game, settings.

Each is passed to the thread that referees, and the response waits for the result.
"""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, Final, TypeVar

from starlette.types import ASGIApp

from urpi.core.errors import UrpiError
from urpi.core.json_schema import Schema, object_of, one_of
from urpi.core.names import MAX_NAME, InvalidNameError, normalised_name
from urpi.http.operations import (
    SIDE,
    ConflictError,
    Handler,
    Operation,
    ValidRequest,
)
from urpi.http.responses import json_response
from urpi.journal.consents import parse_consents, read_consents
from urpi.page.site import Site
from urpi.referee.clock import TimeControl, parse_time_control
from urpi.referee.decisions import Decision, Refused
from urpi.referee.facts import Abandon, Answer, Button, Claim, Decline, Draw, Fact, Resign
from urpi.referee.orders import (
    SOUNDS,
    AskHint,
    ChangeLanguage,
    ChangeSound,
    EndExploration,
    Explore,
    ExploreOrder,
    GoBack,
    NewGame,
    PublishName,
)
from urpi.referee.seats import COACHES, ENGINE_THROWS, NO_COACH, SEATS, engine_sides
from urpi.rules import RULE_SETS, Position, RuleSet, Side, given_position, rule_set
from urpi.show.words import Words, display_languages
from urpi.show.words.sentences import N_

TIMEOUT_S: Final = 5.0
"""Timeout for the referee's thread, which takes milliseconds unless it has stopped."""

NAME: Final[Schema] = {
    "type": "string",
    "maxLength": MAX_NAME,
    # No control characters, which would break lines of the record and of the log.
    "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$",
}
AGREED: Final[Schema] = {"type": "boolean"}
# More than any throw has dice, and any move has letters.
FACES: Final[Schema] = {"type": "string", "maxLength": 8}
# More than any rules, and four letters on each of twenty squares, have.
POSITION: Final[Schema] = {"type": "string", "maxLength": 300, "pattern": "^[ -~]*$"}
MOVE: Final[Schema] = {"type": "string", "maxLength": 40}
CLOCK: Final[Schema] = {"type": "string", "maxLength": 20}
DONE: Final[Schema] = {"const": True}
SEAT: Final = one_of(*SEATS)
COACH: Final = one_of(*COACHES)
DECLINED: Final = N_(
    "The engine declines the draw, because it does not expect to lose. Play goes on."
)
NO_NAME: Final = N_("Give a name with at least one letter, or leave it empty.")


def options_schema(rules: type[RuleSet]) -> Schema:
    properties = {option.name: one_of(*option.values) for option in rules.known_options}
    return {**object_of(), "properties": properties}


NEW_GAME: Final[Schema] = {
    "oneOf": [
        object_of(
            ("rules",),
            rules={"const": kind.id},
            options=options_schema(kind),
            light=NAME,
            dark=NAME,
            first=SIDE,
            position=POSITION,
            seats=object_of(light=SEAT, dark=SEAT),
            coach=object_of(light=COACH, dark=COACH),
            engine_throws=one_of(*ENGINE_THROWS),
            clock=CLOCK,
            publish=object_of(light=AGREED, dark=AGREED),
        )
        for kind in RULE_SETS.values()
    ]
}
ANSWER: Final[Schema] = {
    "oneOf": [
        object_of(("move",), move=MOVE),
        object_of(("faces",), faces=FACES),
        object_of(("first",), first=SIDE),
        object_of(("takeback",), takeback=DONE, agreed=AGREED),
    ]
}


EXPLORE: Final[Schema] = {
    "oneOf": [
        object_of(("line",), line=DONE),
        object_of(("position",), position=POSITION),
        object_of(("back",), back=DONE),
        object_of(("end",), end=DONE),
    ]
}


def settings_schema() -> Schema:
    """The schema of changed settings, with the languages of tables."""
    return {
        **object_of(language=one_of(*display_languages()), sound=one_of(*SOUNDS)),
        "minProperties": 1,
    }


_T = TypeVar("_T")


def action_operations(site: Site) -> tuple[Operation, ...]:
    """The operations that act on the game or the table."""

    async def press(request: ValidRequest) -> ASGIApp:
        # The menu or the referee decides what it means, so there is no result to wait for.
        site.desk.submit(_button(site.desk.clock(), request.body))
        return json_response({"done": True})

    async def ask_hint(_request: ValidRequest) -> ASGIApp:
        await result_of(site.desk.order(AskHint()))
        return json_response({"done": True})

    async def explore(request: ValidRequest) -> ASGIApp:
        await result_of(site.desk.order(_exploring(request.body)))
        return json_response({"done": True})

    async def publish(request: ValidRequest) -> ASGIApp:
        name = valid_name(request.body["name"], site.words_of(request.source))
        await result_of(site.desk.order(PublishName(name, request.body["agreed"])))
        return json_response(await settings_document(site))

    return (
        post_operation(
            "/api/new-game",
            "Begin a game; a running game is abandoned. `publish` is whether the club may show "
            "the player's name from this game on; without it nothing changes. `position` is the "
            "one to begin with: of the same rules, and with the options that it names.",
            NEW_GAME,
            _new_game(site),
        ),
        post_operation(
            "/api/answer",
            "Answer a question, or enter a throw, who begins, or a take-back.",
            ANSWER,
            _decide(site, _answer),
        ),
        post_operation(
            "/api/resign", "Give up.", object_of(("side",), side=SIDE), _decide(site, _resign)
        ),
        post_operation(
            "/api/claim",
            "Claim the game with another table, whose side has been silent for five minutes.",
            object_of(),
            _decide(site, _claim),
        ),
        post_operation(
            "/api/decline",
            "Decline an extra throw, which ends the turn, where the rules allow it.",
            object_of(("side",), side=SIDE),
            _decide(site, _decline),
        ),
        post_operation(
            "/api/draw",
            "Claim a draw if the rules allow it, or enter that both sides agreed on one. "
            "The engine is offered the draw, and accepts only if it is behind.",
            object_of(("side",), side=SIDE, agreed=AGREED),
            _claim_or_offer(site),
        ),
        post_operation(
            "/api/abandon",
            "Abandon the game.",
            object_of(side=SIDE, agreed=AGREED),
            _decide(site, _abandon),
        ),
        post_operation(
            "/api/button",
            "Press a side's button; both: the two together.",
            object_of(("side", "press"), side=SIDE, press=one_of("short", "long", "both")),
            press,
        ),
        post_operation(
            "/api/hint",
            "Ask the engine for a hint for the side to move, which arrives with the state.",
            object_of(),
            ask_hint,
        ),
        post_operation(
            "/api/explore",
            "Try a line beside the game, which waits: a `line` from its position, if both players "
            "agree, or one from a `position` while no game is in progress. `back` leads the hands "
            "back to the position that was left, where the game continues; `end` ends an "
            "exploration that was begun without a game.",
            EXPLORE,
            explore,
        ),
        post_operation(
            "/api/settings",
            "Change the language or the sound.",
            settings_schema(),
            _change_settings(site),
        ),
        post_operation(
            "/api/publish",
            "Let the club show a player's name from the next game on, or erase it there.",
            object_of(("name", "agreed"), name=NAME, agreed=AGREED),
            publish,
        ),
    )


def post_operation(path: str, summary: str, body: Schema, handler: Handler) -> Operation:
    """An operation that acts."""
    return Operation("POST", path, summary, handler, body=body, error_statuses=(400, 409, 503))


async def result_of(future: Future[_T]) -> _T:
    """Wait for the referee's thread and return its result.

    Raises:
        ConflictError: If it does not respond.
        UrpiError: As raised there.
    """
    waited = asyncio.wrap_future(future)
    # `wait` does not cancel the future on a timeout: the referee may still be acting on it.
    await asyncio.wait({waited}, timeout=TIMEOUT_S)
    if not waited.done() or waited.cancelled():
        message = "The table does not respond; it may just be stopping."
        raise ConflictError("stopping", message)
    return waited.result()


def _new_game(site: Site) -> Handler:
    async def handle(request: ValidRequest) -> ASGIApp:
        body = request.body
        first = Side(body["first"]) if "first" in body else None
        rules, position = _rules_and_position(body, first)
        words = site.words_of(request.source)
        light, dark = (valid_name(body.get(side.value, ""), words) for side in Side)
        chosen = body.get("seats", {})
        seats = chosen.get("light", "person"), chosen.get("dark", "person")
        helped = body.get("coach", {})
        coach = helped.get("light", NO_COACH[0]), helped.get("dark", NO_COACH[1])
        throws = body.get("engine_throws", ENGINE_THROWS[0])
        clock = _clock(body)
        order = NewGame(
            rules, light, dark, first, seats, coach, throws, position=position, clock=clock
        )
        for side, agreed in body.get("publish", {}).items():
            # First the consent, so that it is valid for the game that begins.
            name = light if side == Side.LIGHT.value else dark
            await result_of(site.desk.order(PublishName(name, agreed)))
        return json_response({"game": await result_of(site.desk.order(order))})

    return handle


def _clock(body: Mapping[str, Any]) -> TimeControl | None:
    """The time of each side in a new game, None for no limit.

    Raises:
        ConflictError: If it is not a clock's.
    """
    try:
        return parse_time_control(body["clock"]) if "clock" in body else None
    except UrpiError as error:
        raise ConflictError("no-clock", str(error)) from error


def _rules_and_position(
    body: Mapping[str, Any], first: Side | None
) -> tuple[RuleSet, Position | None]:
    """The rule set of a new game, and the position that it begins from, if one is given.

    Raises:
        UrpiError: If an option is invalid.
        ConflictError: If no such game can begin from the position.
    """
    if "position" not in body:
        return rule_set(body["rules"], body.get("options", {})), None
    try:
        given = given_position(body["position"], first=first)
        rules = rule_set(body["rules"], body.get("options", dict(given.rules.changed)))
        return rules, given_position(body["position"], rules)
    except UrpiError as error:
        raise ConflictError("no-position", str(error)) from error


def valid_name(text: str, words: Words) -> str:
    """The name of a player as it is stored; `words` are those of an error.

    Raises:
        ConflictError: If it has no visible letter, which a schema cannot express.
    """
    try:
        return normalised_name(text)
    except InvalidNameError as error:
        raise ConflictError("no-name", words.text(NO_NAME)) from error


def _change_settings(site: Site) -> Handler:
    async def handle(request: ValidRequest) -> ASGIApp:
        # One order for each, so that an unavailable sound does not undo the language.
        language, sound = request.body.get("language"), request.body.get("sound")
        if language is not None:
            await result_of(site.desk.order(ChangeLanguage(language)))
        if sound is not None:
            await result_of(site.desk.order(ChangeSound(sound)))
        return json_response(await settings_document(site))

    return handle


async def settings_document(site: Site) -> dict[str, Any]:
    """The table's settings and the values that they may have."""
    chosen = site.desk.preferences.current
    return {
        "language": chosen.language,
        "languages": list(display_languages()),
        "sound": chosen.sound,
        "sounds": list(site.desk.preferences.sounds),
        "rules": chosen.rules,
        "players": {"light": chosen.light, "dark": chosen.dark},
        "published": list(await _consents(site)) if site.desk.preferences.has_club else None,
    }


async def _consents(site: Site) -> Mapping[str, int]:
    desk = site.desk
    try:
        # From the file: `urpi games anonymise` changes it while the program runs.
        return await site.journal.read(lambda journal: read_consents(journal, desk.table))
    except UrpiError:
        return parse_consents(desk.preferences.current.consents)


def _exploring(body: Mapping[str, Any]) -> ExploreOrder:
    if "back" in body:
        return GoBack()
    if "end" in body:
        return EndExploration()
    try:
        return Explore(given_position(body["position"]) if "position" in body else None)
    except UrpiError as error:
        raise ConflictError("no-position", str(error)) from error


def _decide(site: Site, fact_of: Callable[[int, Mapping[str, Any]], Fact]) -> Handler:
    async def handle(request: ValidRequest) -> ASGIApp:
        fact = fact_of(site.desk.clock(), request.body)
        decisions = await result_of(site.desk.request(fact))
        _raise_refusal(site, decisions, site.words_of(request.source))
        return json_response({"done": True})

    return handle


def _raise_refusal(site: Site, decisions: tuple[Decision, ...], words: Words) -> None:
    for decision in decisions:
        if isinstance(decision, Refused):
            raise ConflictError(decision.code, words.sentence(decision.code))
    change = site.desk.now()
    # A fact without a decision is ordinary during a game, but without one it had no effect.
    if not decisions and (change.game is None or change.snapshot.outcome is not None):
        code = "no-game" if change.game is None else "game-over"
        raise ConflictError(code, words.sentence(code))


def _answer(t: int, body: Mapping[str, Any]) -> Fact:
    first = Side(body["first"]) if "first" in body else None
    takeback, agreed = "takeback" in body, body.get("agreed", False)
    return Answer(t, body.get("move"), body.get("faces"), first, takeback=takeback, agreed=agreed)


def _resign(t: int, body: Mapping[str, Any]) -> Fact:
    return Resign(t, Side(body["side"]))


def _claim(t: int, _body: Mapping[str, Any]) -> Fact:
    # In a game of two tables it is the side of the player here.
    return Claim(t, Side.LIGHT)


def _decline(t: int, body: Mapping[str, Any]) -> Fact:
    return Decline(t, Side(body["side"]))


def _draw(t: int, body: Mapping[str, Any]) -> Fact:
    return Draw(t, Side(body["side"]), body.get("agreed", False))


def _claim_or_offer(site: Site) -> Handler:
    decide = _decide(site, _draw)

    async def handle(request: ValidRequest) -> ASGIApp:
        snapshot = site.desk.now().snapshot
        engines, position = engine_sides(snapshot.seats), snapshot.position
        by = Side(request.body["side"])
        # In a game of a person against the engine, only the person can claim or offer a draw.
        by = by.other if by in engines and by.other not in engines else by
        has_draws = position is not None and position.rules.draws and snapshot.outcome is None
        asks_engine = by.other in engines and by not in engines and has_draws
        if not (asks_engine and request.body.get("agreed")):
            return await decide(replace(request, body={**request.body, "side": by.value}))
        if not await result_of(site.desk.offer_draw(by)):
            raise ConflictError("declined", site.words_of(request.source).text(DECLINED))
        return json_response({"done": True})

    return handle


def _abandon(t: int, body: Mapping[str, Any]) -> Fact:
    return Abandon(t, Side(body.get("side", Side.LIGHT.value)), body.get("agreed", False))


def _button(t: int, body: Mapping[str, Any]) -> Fact:
    return Button(t, Side(body["side"]), body["press"])
