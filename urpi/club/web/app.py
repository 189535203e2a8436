"""The page of a club: all routes, behind the same guard as a table's page, and its server."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from urpi.club.server.receiver import Received
from urpi.club.server.watcher import Watcher
from urpi.club.web.arbiters import arbiter_operations
from urpi.club.web.connections import connection_operations
from urpi.club.web.entered_names import name_operations
from urpi.club.web.games import game_operations, review_operations
from urpi.club.web.logins import login_operations
from urpi.club.web.metrics import metrics_operations
from urpi.club.web.players import player_operations
from urpi.club.web.site import ClubSite, make_site, words_of
from urpi.club.web.tournaments import tournament_operations
from urpi.club.web.users import security_operations, user_operations
from urpi.club.web.wall import TableFilter, Wall, WallEvents
from urpi.config import ClubServerSection
from urpi.core.errors import UrpiError
from urpi.http.addresses import parse_address
from urpi.http.guarded_app import guarded_app, static_route
from urpi.http.operations import Operation, ValidRequest
from urpi.http.server import PageServer
from urpi.http.static_files import version_of
from urpi.link.broker.broker_settings import BrokerSettings
from urpi.page.events import EVENT_STREAM, Streams
from urpi.page.first_view import with_board
from urpi.page.language_operations import language_operations

WALL: Final = "club_wall.html"
GAMES: Final = "club_games.html"
GAME: Final = "club_game.html"
PLAYERS: Final = "club_players.html"
PLAYER: Final = "club_player.html"
TOURNAMENTS: Final = "club_tournaments.html"
TOURNAMENT: Final = "club_tournament.html"
LOGIN: Final = "club_login.html"
USERS: Final = "club_users.html"
SECURITY: Final = "club_security.html"
CONNECTIONS: Final = "club_connections.html"
NAMES: Final = "club_names.html"
NOT_FOUND: Final = "club_not_found.html"
OFF: Final = "off"
_log: Final = logging.getLogger(__name__)


def make_club_app(site: ClubSite) -> ASGIApp:
    """Create the application."""
    operations = (
        *_wall_operations(site),
        *game_operations(site),
        *review_operations(site),
        *player_operations(site),
        *tournament_operations(site),
        *arbiter_operations(site),
        *login_operations(site),
        *user_operations(site),
        *security_operations(site),
        *connection_operations(site),
        *metrics_operations(site),
        *name_operations(site),
        *language_operations(words_of),
    )
    return guarded_app(site, _page_routes(site), operations, NOT_FOUND)


_FILES: Final = {
    "/games": GAMES,
    "/players": PLAYERS,
    "/player": PLAYER,
    "/tournaments": TOURNAMENTS,
    "/tournaments/{tournament}": TOURNAMENT,
    "/login": LOGIN,
    "/users": USERS,
    "/security": SECURITY,
    "/connections": CONNECTIONS,
    "/names": NAMES,
}
"""The pages without a board."""


def _file_route(site: ClubSite, path: str, name: str) -> Route:
    async def respond(request: Request) -> Response:
        return site.files[name].response(request)

    return Route(path, respond)


def _page_routes(site: ClubSite) -> tuple[Route, ...]:
    wall_file, game_file = with_board(site.files[WALL]), with_board(site.files[GAME])

    async def wall(request: Request) -> Response:
        return wall_file.response(request)

    async def game(request: Request) -> Response:
        return game_file.response(request)

    return (
        Route("/", wall),
        Route("/tables/{table}", wall),
        Route("/games/{game}", game),
        *(_file_route(site, path, name) for path, name in _FILES.items()),
        static_route(site),
    )


def _wall_operations(site: ClubSite) -> tuple[Operation, ...]:
    streams = Streams(WallEvents(site.wall), site.limits, version_of(site.files))

    async def events(request: ValidRequest) -> ASGIApp:
        source = WallEvents(site.wall, TableFilter(request.query.get("tables", "*")))
        return streams.open(request.source, may_act=False, source=source)

    return (
        Operation(
            "GET",
            "/api/events",
            "The state of every table, or of some, as server-sent events: clock, club, and table.",
            events,
            {"tables": {"type": "string", "maxLength": 1000}},
            media_type=EVENT_STREAM,
            error_statuses=(400, 503),
        ),
    )


@contextmanager
def club_page(
    section: ClubServerSection,
    settings: BrokerSettings,
    tables: Path,
    wall: Wall,
    received: Callable[[], Received],
) -> Iterator[str]:
    """Serve the club's page, and yield its URL for a browser on this machine.

    The URL is empty if the page is switched off, or cannot be served; then the reason is logged,
    because games are stored without it.

    Args:
        section: The configuration.
        settings: The broker.
        tables: The folder of the tables of exact values.
        wall: The live tables.
        received: Returns what became of the messages of tables.
    """
    if section.listen == OFF:
        yield ""
        return
    site = make_site(section, wall, tables, received)
    listen = parse_address(section.listen)
    server = PageServer(make_club_app(site), wall, listen, site.limits, site.section)
    try:
        server.open()
    except UrpiError as error:
        _log.warning("%s Games are stored without it.", error)
        yield ""
        return
    # After the server, so that a page that cannot be served needs no connection to the broker.
    watcher = Watcher(settings, wall)
    watcher.open()
    try:
        yield server.url
    finally:
        watcher.close()
        server.close()
