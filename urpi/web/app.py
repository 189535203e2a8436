"""The ASGI application: all routes, behind the guard."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Final, TypeAlias

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from urpi.web.access import cookie_name
from urpi.web.actions import action_operations
from urpi.web.current_state import state_operations
from urpi.web.first_view import FirstView, with_board
from urpi.web.game_page import GamePage
from urpi.web.games import game_operations
from urpi.web.guard import ACTING, FRAMED_CSP, MAY_ACT, READING, Guard
from urpi.web.invitation import invitation_operations
from urpi.web.offline import offline_routes
from urpi.web.openapi import openapi_document
from urpi.web.operations import Operation, ValidRequest
from urpi.web.pictures import picture_operations
from urpi.web.responses import compressed, error_response, json_response
from urpi.web.reviews import review_operations
from urpi.web.rules import rules_operations
from urpi.web.sessions import session_operations
from urpi.web.share import share_operations
from urpi.web.site import Site
from urpi.web.statistics import statistics_operations

ErrorHandler: TypeAlias = Callable[[Request, Exception], Awaitable[Response]]

GAMES: Final = "games.html"
OVERLAY: Final = "overlay.html"
STATS: Final = "stats.html"
NOT_FOUND: Final = "not_found.html"


def operations_of(site: Site) -> tuple[Operation, ...]:
    """Return all operations of the API, except those of a virtual table."""
    return (
        *state_operations(site),
        *rules_operations(site),
        *game_operations(site),
        *statistics_operations(site),
        *picture_operations(site),
        *review_operations(site),
        *share_operations(site),
        *session_operations(site),
        *invitation_operations(site),
        *action_operations(site),
    )


def make_app(
    site: Site, operations: tuple[Operation, ...] = (), routes: tuple[BaseRoute, ...] = ()
) -> ASGIApp:
    """Create the application.

    Args:
        site: The site.
        operations: Additional operations, by default none, such as those of a virtual table.
        routes: Additional routes that are not part of the API's description; none by default.
    """
    all_operations = (*operations_of(site), *operations)

    async def describe(request: ValidRequest) -> ASGIApp:
        headers = request.source.headers
        port, secure = site.port(headers.get("host", "")), site.is_secure(headers)
        description = openapi_document(all_operations, cookie_name(port, secure=secure))
        return compressed(json_response(description), request.source)

    describing = Operation("GET", "/api/openapi.json", "This description.", describe)
    app = Starlette(
        routes=[
            *_file_routes(site),
            *(operation.route for operation in (*all_operations, describing)),
            *routes,
        ],
        exception_handlers={404: _not_found(site), 405: _method_not_allowed(all_operations)},
    )
    _check_methods(app)
    # A path with a trailing slash is a different path and is not redirected.
    app.router.redirect_slashes = False
    return Guard(app, site)


def _check_methods(app: Starlette) -> None:
    """Check that every route uses only the methods that the guard distinguishes."""
    for route in app.routes:
        methods = getattr(route, "methods", None) or {"any"}
        assert methods <= READING | ACTING, f"{route} cannot be guarded"


def _method_not_allowed(operations: Iterable[Operation]) -> ErrorHandler:
    async def handle(request: Request, error: Exception) -> Response:
        response = error_response(405, "no-method", "This path does not support that method.")
        if isinstance(error, HTTPException) and error.headers:
            response.headers.update(error.headers)
        # A path may have several operations, each with its own route; starlette names only one.
        methods = {one.method for one in operations if one.path == request.url.path}
        if methods:
            methods |= {"HEAD"} if "GET" in methods else set()
            response.headers["allow"] = ", ".join(sorted(methods))
        return response

    return handle


def _not_found(site: Site) -> ErrorHandler:
    async def handle(request: Request, _error: Exception) -> Response:
        html = site.files.get(NOT_FOUND)
        if html is None or request.url.path.startswith(("/api/", "/static/")):
            return error_response(404, "not-found", "There is nothing here; the page is at /.")
        response = html.response(request)
        response.status_code = 404
        return response

    return handle


def _file_routes(site: Site) -> list[Route]:
    first_view = FirstView(site.files, site.feed)
    overlay_file = with_board(site.files[OVERLAY])

    async def table(request: Request) -> Response:
        return first_view.response(request, may_act=request.scope["state"][MAY_ACT])

    async def games(request: Request) -> Response:
        return site.files[GAMES].response(request)

    async def stats(request: Request) -> Response:
        return site.files[STATS].response(request)

    async def overlay(request: Request) -> Response:
        """Return the only page that other sites may show in a frame. It has no controls."""
        response = overlay_file.response(request)
        response.headers["content-security-policy"] = FRAMED_CSP
        return response

    async def static(request: Request) -> Response:
        name = request.path_params["name"]
        file = site.files.get(name)
        # Pages have addresses of their own; as files they lack what the server inserts.
        if file is None or name.endswith(".html"):
            return error_response(404, "not-found", "There is no such file; the page is at /.")
        return file.response(request)

    return [
        Route("/", table),
        Route("/games", games),
        Route("/stats", stats),
        Route("/overlay", overlay),
        Route("/games/{game}", GamePage(site).respond),
        *offline_routes(site),
        Route("/static/{name:path}", static),
    ]
