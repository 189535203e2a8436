"""The page's application: every route, and what stands before all of them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from urpi.svg import board_svg
from urpi.web.answers import json_answer, json_bytes_answer, refused
from urpi.web.desk import Desk
from urpi.web.documents.rulesets import rulesets_document
from urpi.web.events import EventStream, last_event
from urpi.web.feed import Feed
from urpi.web.library import Library
from urpi.web.picture import png
from urpi.web.static_files import StaticFile, read_files
from urpi.words import languages, words_for
from urpi.words.page_words import PAGE_WORDS

Endpoint: TypeAlias = Callable[[Request], Awaitable[ASGIApp]]

HTML_PAGES: Final = {"/": "index.html", "/games": "games.html", "/games/{game:int}": "game.html"}


@dataclass(frozen=True, slots=True)
class Page:
    """What the routes need."""

    desk: Desk
    feed: Feed
    library: Library
    files: Mapping[str, StaticFile]


def make_page(desk: Desk) -> Page:
    """A page of a table."""
    library = Library(desk.journal)
    return Page(desk, Feed(desk, library), library, read_files())


def make_app(page: Page, more: tuple[BaseRoute, ...] = ()) -> Starlette:
    """The application; `more` routes are the virtual table's."""
    routes = [*_pages(page), *_readings(page), *more]
    return Starlette(routes=routes, exception_handlers={404: _not_found})


async def _not_found(_request: Request, _error: Exception) -> Response:
    return refused(404, "not-found", "There is nothing here; the page is at /.")


def _pages(page: Page) -> list[Route]:
    def html(name: str) -> Endpoint:
        async def answer(request: Request) -> Response:
            return page.files[name].answer(request)

        return answer

    async def static(request: Request) -> Response:
        file = page.files.get(request.path_params["name"])
        if file is None:
            return refused(404, "not-found", "There is no such file; the page is at /.")
        return file.answer(request)

    return [
        *(Route(path, html(name)) for path, name in HTML_PAGES.items() if name in page.files),
        Route("/static/{name:path}", static),
    ]


def _readings(page: Page) -> list[Route]:
    desk, feed = page.desk, page.feed

    async def state(_request: Request) -> Response:
        return json_bytes_answer(feed.version.document(may_act=True))

    async def events(request: Request) -> ASGIApp:
        return EventStream(feed, last_event(request), may_act=True)

    async def oled(_request: Request) -> Response:
        return Response(png(desk.picture()), media_type="image/png")

    async def board(_request: Request) -> Response:
        return Response(board_svg(), media_type="image/svg+xml")

    async def words(request: Request) -> Response:
        language = request.query_params.get("language", desk.words.language)
        if language not in languages():
            return refused(404, "no-words", f"There are no words for {language!r}.")
        found = words_for(language)
        return json_answer({one: found.text(one) for one in PAGE_WORDS})

    async def rulesets(_request: Request) -> Response:
        return json_answer(rulesets_document(desk.words))

    async def all_languages(_request: Request) -> Response:
        return json_answer({"languages": list(languages()), "now": desk.words.language})

    return [
        Route("/api/state", state),
        Route("/api/events", events),
        Route("/api/oled.png", oled),
        Route("/api/board.svg", board),
        Route("/api/words", words),
        Route("/api/rulesets", rulesets),
        Route("/api/languages", all_languages),
    ]
