"""What the page reads of the table as it stands."""

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi.svg import board_svg
from urpi.web.acting import settings_document
from urpi.web.answers import json_answer, json_bytes_answer, packed
from urpi.web.documents.rulesets import rulesets_document
from urpi.web.events import EVENT_STREAM, Streams
from urpi.web.guard import MAY_ACT
from urpi.web.operations import NUMBER, Asked, Operation
from urpi.web.page import Page
from urpi.web.picture import png
from urpi.web.schema import one_of
from urpi.words import best_language, languages, words_for
from urpi.words.page_words import PAGE_WORDS


def watching_operations(page: Page) -> tuple[Operation, ...]:
    """The table as it stands, its stream of events, its pictures and its words."""
    desk, feed, streams = page.desk, page.feed, Streams(page.feed, page.limits)

    async def state(asked: Asked) -> ASGIApp:
        may_act = asked.request.scope["state"][MAY_ACT]
        answer = json_bytes_answer(feed.version.document(may_act=may_act))
        return packed(answer, asked.request)

    async def events(asked: Asked) -> ASGIApp:
        may_act = asked.request.scope["state"][MAY_ACT]
        return streams.open(asked.request, asked.query.get("after"), may_act=may_act)

    async def oled(_asked: Asked) -> ASGIApp:
        return Response(png(desk.picture()), media_type="image/png")

    async def board(asked: Asked) -> ASGIApp:
        return packed(Response(board_svg(), media_type="image/svg+xml"), asked.request)

    async def words(asked: Asked) -> ASGIApp:
        found = words_for(asked.query.get("language", desk.words.language))
        return packed(json_answer({one: found.text(one) for one in PAGE_WORDS}), asked.request)

    async def rulesets(asked: Asked) -> ASGIApp:
        return packed(json_answer(rulesets_document(desk.words)), asked.request)

    async def all_languages(asked: Asked) -> ASGIApp:
        """`wanted` is the reader's own by the browser, null where there are no words in it."""
        header = asked.request.headers.get("accept-language", "")
        now, wanted = desk.words.language, best_language(header, languages())
        return json_answer({"languages": list(languages()), "now": now, "wanted": wanted})

    async def settings(_asked: Asked) -> ASGIApp:
        return json_answer(settings_document(page))

    return (
        Operation("GET", "/api/state", "The table as it stands.", state),
        Operation(
            "GET",
            "/api/events",
            "What happens, as server-sent events: decision, state, and table at a virtual table.",
            events,
            {"after": NUMBER},
            gives=EVENT_STREAM,
            refusals=(400, 503),
        ),
        Operation("GET", "/api/oled.png", "The display's picture.", oled, gives="image/png"),
        Operation("GET", "/api/board.svg", "The empty board.", board, gives="image/svg+xml"),
        Operation(
            "GET",
            "/api/words",
            "The page's words in a language: a translation by each English text.",
            words,
            {"language": one_of(*languages())},
            refusals=(400,),
        ),
        Operation("GET", "/api/rulesets", "The rule sets and their options.", rulesets),
        Operation(
            "GET",
            "/api/languages",
            "The languages there are words for, the table's, and the reader's own.",
            all_languages,
        ),
        Operation("GET", "/api/settings", "What holds at the table, and what may.", settings),
    )
