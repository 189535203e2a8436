"""Operations that read the current state of the table."""

from typing import Any

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi.http.guard import MAY_ACT
from urpi.http.operations import NUMBER, Operation, ValidRequest
from urpi.http.responses import compressed, json_bytes_response, json_response, png_bytes
from urpi.http.static_files import version_of
from urpi.page.actions import result_of, settings_document
from urpi.page.documents.positions import move_document
from urpi.page.events import EVENT_STREAM, Streams
from urpi.page.language_operations import LANGUAGE, language_operations
from urpi.page.site import Site
from urpi.service.win_chances import WinChance
from urpi.show.svg import board_svg
from urpi.show.words import Words


def state_operations(site: Site) -> tuple[Operation, ...]:
    """The operations that read the state, its events, its pictures and the page's texts."""
    desk, feed = site.desk, site.feed
    streams = Streams(feed, site.limits, version_of(site.files))

    async def state(request: ValidRequest) -> ASGIApp:
        may_act = request.source.scope["state"][MAY_ACT]
        words = site.words_of(request.source)
        response = json_bytes_response(feed.version.document(may_act=may_act, words=words))
        return compressed(response, request.source)

    async def events(request: ValidRequest) -> ASGIApp:
        may_act = request.source.scope["state"][MAY_ACT]
        return streams.open(
            request.source,
            request.query.get("after"),
            may_act=may_act,
            words=site.own_words_of(request.source),
        )

    async def oled(_request: ValidRequest) -> ASGIApp:
        return Response(png_bytes(desk.picture()), media_type="image/png")

    async def board(request: ValidRequest) -> ASGIApp:
        return compressed(Response(board_svg(), media_type="image/svg+xml"), request.source)

    async def value(request: ValidRequest) -> ASGIApp:
        chance = await result_of(desk.win_chance())
        words = site.words_of(request.source)
        value = None if chance is None else _chance_document(chance, words)
        return json_response({"value": value})

    async def settings(_request: ValidRequest) -> ASGIApp:
        return json_response(await settings_document(site))

    return (
        Operation(
            "GET",
            "/api/state",
            "The current state of the table. If a move only seems made, `seems` is the move, and "
            "`seems_ms` the time in milliseconds until it counts without a throw or a button. "
            "In a game with a clock, `clock` has its `control`, the side whose clock is `running`, "
            "and the milliseconds that each side has left, null for the engine, in `left_ms`.",
            state,
            {"language": LANGUAGE},
            error_statuses=(400,),
        ),
        Operation(
            "GET",
            "/api/events",
            "What happens, as server-sent events: decision, state, and table at a virtual table.",
            events,
            {"after": NUMBER, "language": LANGUAGE},
            media_type=EVENT_STREAM,
            error_statuses=(400, 503),
        ),
        Operation("GET", "/api/oled.png", "The display's picture.", oled, media_type="image/png"),
        Operation("GET", "/api/board.svg", "The empty board.", board, media_type="image/svg+xml"),
        *language_operations(site.words_of, lambda: desk.preferences.words.language),
        Operation(
            "GET",
            "/api/value",
            "Both sides' current probability to win, exact or estimated; null if there is none, "
            "also where hints are switched off. Computed once for each throw, on request. In an "
            "exploration `moves` are the legal moves with their values, the best first.",
            value,
            {"language": LANGUAGE},
            error_statuses=(409,),
        ),
        Operation(
            "GET",
            "/api/settings",
            "The table's settings and their allowed values. `published` are the names of players "
            "who agree that the club shows them, null without a club.",
            settings,
        ),
    )


def _chance_document(chance: WinChance, words: Words) -> dict[str, Any]:
    moves = [{**move_document(move, words), "value": value} for move, value in chance.moves]
    return {"light": chance.light, "dark": 1 - chance.light, "kind": chance.kind, "moves": moves}
