"""The ASGI application: all routes, behind the guard."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from urpi.http.access import cookie_name
from urpi.http.guard import FRAMED_CSP, MAY_ACT
from urpi.http.guarded_app import guarded_app, static_route
from urpi.http.openapi import openapi_document
from urpi.http.operations import Operation, ValidRequest
from urpi.http.responses import compressed, json_response
from urpi.page.actions import action_operations
from urpi.page.analysis import analysis_operations
from urpi.page.corrections import correction_operations
from urpi.page.current_state import state_operations
from urpi.page.first_view import FirstView, with_board
from urpi.page.game_page import GamePage
from urpi.page.games import game_operations
from urpi.page.invitation import invitation_operations, share_operations
from urpi.page.offline import offline_routes
from urpi.page.pictures import picture_operations
from urpi.page.players import player_operations
from urpi.page.reviews import review_operations
from urpi.page.rules import rules_operations
from urpi.page.sessions import session_operations
from urpi.page.setup import setup_operations
from urpi.page.site import Site
from urpi.page.statistics import FigureCache, figure_process, statistics_operations
from urpi.page.table_operations import table_operations

ANALYSIS: Final = "analysis.html"
GAMES: Final = "games.html"
OVERLAY: Final = "overlay.html"
PLAYERS: Final = "players.html"
SETUP: Final = "setup.html"
STATS: Final = "stats.html"


def operations_of(site: Site) -> tuple[Operation, ...]:
    """All operations of the API, except those of a virtual table."""
    figures, process = FigureCache(site.journal), figure_process(site)
    return (
        *state_operations(site),
        *rules_operations(site),
        *game_operations(site),
        *statistics_operations(site, figures, process),
        *player_operations(site, figures, process),
        *picture_operations(site),
        *review_operations(site),
        *analysis_operations(site),
        *correction_operations(site),
        *share_operations(site),
        *session_operations(site),
        *invitation_operations(site),
        *action_operations(site),
        *setup_operations(site),
        *table_operations(site),
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
    return guarded_app(site, (*_file_routes(site), *routes), (*all_operations, describing))


def _file_routes(site: Site) -> list[Route]:
    first_view = FirstView(site)
    overlay_file, analysis_file = with_board(site.files[OVERLAY]), with_board(site.files[ANALYSIS])
    players_file = with_board(site.files[PLAYERS])
    setup_file = with_board(site.files[SETUP])

    async def table(request: Request) -> Response:
        return first_view.response(request, may_act=request.scope["state"][MAY_ACT])

    async def games(request: Request) -> Response:
        return site.files[GAMES].response(request)

    async def setup(request: Request) -> Response:
        return setup_file.response(request)

    async def stats(request: Request) -> Response:
        return site.files[STATS].response(request)

    async def analysis(request: Request) -> Response:
        return analysis_file.response(request)

    async def players(request: Request) -> Response:
        return players_file.response(request)

    async def overlay(request: Request) -> Response:
        """The only page that other sites may show in a frame. It has no controls."""
        response = overlay_file.response(request)
        response.headers["content-security-policy"] = FRAMED_CSP
        return response

    return [
        Route("/", table),
        Route("/games", games),
        Route("/setup", setup),
        Route("/stats", stats),
        Route("/players", players),
        Route("/overlay", overlay),
        Route("/analysis", analysis),
        Route("/games/{game}", GamePage(site).respond),
        *offline_routes(site),
        static_route(site),
    ]
