"""An ASGI application behind the guard, of a table's page or of a club's."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Final, TypeAlias

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from urpi.http.guard import ACTING, READING, Guard
from urpi.http.guarded_site import GuardedSite
from urpi.http.operations import Operation
from urpi.http.responses import error_response

ErrorHandler: TypeAlias = Callable[[Request, Exception], Awaitable[Response]]

NOT_FOUND: Final = "not_found.html"


def guarded_app(
    site: GuardedSite,
    routes: Iterable[BaseRoute],
    operations: Sequence[Operation],
    not_found: str = NOT_FOUND,
) -> ASGIApp:
    """Create an application.

    Args:
        site: The site.
        routes: The routes of pages and files.
        operations: The operations of the API.
        not_found: The name of the file that is shown for an address without a page.
    """
    app = Starlette(
        routes=[*routes, *(operation.route for operation in operations)],
        exception_handlers={
            404: _not_found(site, not_found),
            405: _method_not_allowed(operations),
        },
    )
    _check_methods(app)
    # A path with a trailing slash is a different path and is not redirected.
    app.router.redirect_slashes = False
    return Guard(app, site)


def static_route(site: GuardedSite) -> Route:
    async def static(request: Request) -> Response:
        name = request.path_params["name"]
        file = site.files.get(name)
        # Pages have addresses of their own; as files they lack what the server inserts.
        if file is None or name.endswith(".html"):
            return error_response(404, "not-found", "There is no such file; the page is at /.")
        return file.response(request)

    return Route("/static/{name:path}", static)


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


def _not_found(site: GuardedSite, name: str) -> ErrorHandler:
    async def handle(request: Request, _error: Exception) -> Response:
        html = site.files.get(name)
        if html is None or request.url.path.startswith(("/api/", "/static/")):
            return error_response(404, "not-found", "Page not found; the page is at /.")
        response = html.response(request)
        response.status_code = 404
        return response

    return handle
