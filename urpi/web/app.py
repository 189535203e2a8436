"""The page's application: every route, and the guard before all of them."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Final, TypeAlias

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from urpi.web.acting import acting_operations, session_operations
from urpi.web.answers import json_answer, packed, refused
from urpi.web.games import game_operations
from urpi.web.guard import ACTING, READING, Guard
from urpi.web.openapi import openapi_document
from urpi.web.operations import Asked, Operation
from urpi.web.page import Page
from urpi.web.watching import watching_operations

Endpoint: TypeAlias = Callable[[Request], Awaitable[ASGIApp]]
Refusing: TypeAlias = Callable[[Request, Exception], Awaitable[Response]]

HTML_PAGES: Final = {"/": "index.html", "/games": "games.html", "/games/{game}": "game.html"}
LOST: Final = "lost.html"


def operations_of(page: Page) -> tuple[Operation, ...]:
    """Everything that a page's server does, but for handing out its files."""
    return (
        *watching_operations(page),
        *game_operations(page),
        *session_operations(page),
        *acting_operations(page),
    )


def make_app(
    page: Page, operations: tuple[Operation, ...] = (), routes: tuple[BaseRoute, ...] = ()
) -> ASGIApp:
    """The application; the `operations` and `routes` are those of a virtual table."""
    all_operations = (*operations_of(page), *operations)
    description = openapi_document(all_operations)

    async def describe(asked: Asked) -> ASGIApp:
        return packed(json_answer(description), asked.request)

    describing = Operation("GET", "/api/openapi.json", "This description.", describe)
    app = Starlette(
        routes=[
            *_files(page),
            *(operation.route for operation in (*all_operations, describing)),
            *routes,
        ],
        exception_handlers={404: _lost(page), 405: _no_method(all_operations)},
    )
    _check_methods(app)
    # A path with a slash too many is none of ours, and no reason to be led on.
    app.router.redirect_slashes = False
    return Guard(app, page)


def _check_methods(app: Starlette) -> None:
    """The guard looks at what it knows: there is no route by another method."""
    for route in app.routes:
        methods = getattr(route, "methods", None) or {"any"}
        assert methods <= READING | ACTING, f"{route} cannot be guarded"


def _no_method(operations: Iterable[Operation]) -> Refusing:
    async def answer(request: Request, error: Exception) -> Response:
        refusal = refused(405, "no-method", "This cannot be asked for in that way.")
        if isinstance(error, HTTPException) and error.headers:
            refusal.headers.update(error.headers)
        # A path may have an operation for each of several methods.
        methods = {one.method for one in operations if one.path == request.url.path}
        if methods:
            methods |= {"HEAD"} if "GET" in methods else set()
            refusal.headers["allow"] = ", ".join(sorted(methods))
        return refusal

    return answer


def _lost(page: Page) -> Refusing:
    async def answer(request: Request, _error: Exception) -> Response:
        lost = page.files.get(LOST)
        if lost is None or request.url.path.startswith(("/api/", "/static/")):
            return refused(404, "not-found", "There is nothing here; the page is at /.")
        found = lost.answer(request)
        found.status_code = 404
        return found

    return answer


def _files(page: Page) -> list[Route]:
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
