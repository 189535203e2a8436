"""Operations on the stored games, all of them reads of the journal."""

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Generic, NamedTuple, TypeAlias, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from urpi.core.errors import UrpiError
from urpi.core.json_schema import Schema
from urpi.http.operations import (
    JSON,
    NUMBER,
    InvalidRequestError,
    NotFoundError,
    Operation,
    ValidRequest,
)
from urpi.http.reader import Reader
from urpi.http.responses import compressed, json_bytes, json_bytes_response
from urpi.journal import (
    VIRTUAL_TABLE,
    Choice,
    DamagedError,
    DiskError,
    GameSummary,
    Journal,
    entries_of,
    find_game,
    games_before,
    has_board_games,
    has_virtual_games,
)
from urpi.journal.connection import LAST_ID
from urpi.journal.formats import FORMATS, GAME_FILES, GameFile, write_games
from urpi.page.documents.replay import game_document, replay_document
from urpi.page.replay_file import replay_page
from urpi.page.site import Site
from urpi.rules import parse_position
from urpi.show.evidence import Dispute, dispute_json, dispute_minute, dispute_page, dispute_turn
from urpi.show.words import Words

MAX_LIMIT: Final = 200
DEFAULT_LIMIT: Final = 50
DAY: Final[Schema] = {"type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
NAME: Final[Schema] = {"type": "string", "maxLength": 200}
FILTERS: Final[Mapping[str, Schema]] = MappingProxyType(
    {
        "player": NAME,
        "rules": NAME,
        "since": DAY,
        "until": DAY,
        "virtual": {"type": "string", "enum": ["yes", "no"]},
    }
)
"""The query parameters that select games.

`virtual` selects whether those of virtual tables are included; by default they are if this is one.
"""
HTML: Final = "text/html; charset=utf-8"
TEXT: Final = "text/plain; charset=utf-8"
NO_QUERY: Final[Mapping[str, Schema]] = MappingProxyType({})
FILE_CSP: Final = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
"""Content security policy of an HTML file to keep: it has no origin here and runs no script."""

_Source = TypeVar("_Source")
_T = TypeVar("_T")
Read: TypeAlias = Callable[[_Source, ValidRequest, Words], bytes]


class Endpoint(NamedTuple, Generic[_Source]):
    """A path with its description, the function that reads it, and its query parameters.

    The function reads a source of games: the journal of a table, or the database of a club.
    """

    path: str
    summary: str
    read: Read[_Source]
    media_type: str = JSON
    query: Mapping[str, Schema] = NO_QUERY


def game_operations(site: Site) -> tuple[Operation, ...]:
    """Return the operations that list the stored games and read one of them."""
    return tuple(
        read_operation(each, site.journal, site.words_of)
        for each in (*game_endpoints(partial(_games, site), *_FORMS), *_endpoints(site))
    )


def read_operation(
    endpoint: Endpoint[_Source], reader: Reader[_Source], words_of: Callable[[Request], Words]
) -> Operation:
    """Return the operation of an endpoint.

    Args:
        endpoint: The endpoint.
        reader: Reads the source.
        words_of: Returns the language of a request.
    """

    async def handle(request: ValidRequest) -> ASGIApp:
        words = words_of(request.source)
        body = await reader.read(lambda source: endpoint.read(source, request, words))
        return _read_response(request, endpoint.path, endpoint.media_type, body)

    return Operation(
        "GET",
        endpoint.path,
        endpoint.summary,
        handle,
        endpoint.query,
        media_type=endpoint.media_type,
        error_statuses=(404, 503) if "{" in endpoint.path else (503,),
    )


def _games(site: Site, journal: Journal, request: ValidRequest, words: Words) -> bytes:
    limit = request.query.get("limit", DEFAULT_LIMIT)
    before = request.query.get("before", LAST_ID)
    choice = choice_of(request, site, journal)
    # One more than is shown, to know whether there are more.
    found = games_before(journal, before, limit + 1, choice)
    listed = [game_document(game, words) for game in found[:limit]]
    more = len(found) > limit
    return json_bytes(
        {"games": listed, "more": more, "without_virtual": leaves_out_virtual(journal, choice)}
    )


def _replay(journal: Journal, request: ValidRequest, words: Words) -> bytes:
    game = stored_game(journal, request)
    document = replay_document(game, entries_of(journal, game.id), words)
    first = parse_position(document["frames"][0]["position"])
    files = [name for name, file in GAME_FILES.items() if FORMATS[file.form].fits(first)]
    return json_bytes({**document, "files": files})


def _replay_file(journal: Journal, request: ValidRequest, words: Words) -> bytes:
    game = stored_game(journal, request)
    return replay_page(game, entries_of(journal, game.id), words).encode()


def _turn(journal: Journal, request: ValidRequest, words: Words) -> bytes:
    return json_bytes(dispute_json(_dispute(journal, request, request.numbers["turn"]), words))


def _minute(journal: Journal, request: ValidRequest, words: Words) -> bytes:
    return json_bytes(
        dispute_json(dispute_minute(journal, stored_game(journal, request).id), words)
    )


def _dispute_page(site: Site, journal: Journal, request: ValidRequest, words: Words) -> bytes:
    source = request.source
    table = site.base_url(source.url.scheme, source.headers["host"]).rstrip("/")
    return dispute_page(
        _dispute(journal, request, request.query.get("turn")), words, table=table
    ).encode()


def _exported(file: GameFile, journal: Journal, request: ValidRequest, _words: Words) -> bytes:
    """The game in one of the formats of `urpi games export`."""
    parts: list[str] = []
    game = stored_game(journal, request).id
    # A notation of another program may not be able to express the game.
    or_not_found(lambda: write_games(journal, [game], file.form, file.rows, parts.append))
    return "".join(parts).encode()


_RECORD: Final = "record.txt"

_GAME: Final = "/api/games/{game}"


def game_endpoints(
    games: Read[_Source],
    replay: Read[_Source],
    replay_file: Read[_Source],
    record: Read[_Source],
    filters: Mapping[str, Schema] = FILTERS,
) -> tuple[Endpoint[_Source], ...]:
    """Return the endpoints that tables and clubs have: a list of games, and a game in three forms.

    Args:
        games: Reads the list.
        replay: Reads a game as a replay.
        replay_file: Reads a game as one file with its replay.
        record: Reads the record of a game.
        filters: The query parameters that select games.
    """
    limit: Schema = {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT}
    query = {**filters, "limit": limit, "before": NUMBER}
    return (
        Endpoint("/api/games", "The stored games, the newest first.", games, JSON, query),
        Endpoint(_GAME, "A game as a replay: a frame for every throw and move.", replay),
        Endpoint(f"{_GAME}/replay.html", "The replay of a game in one file.", replay_file, HTML),
        Endpoint(f"{_GAME}/{_RECORD}", "The game's record.", record, TEXT),
    )


_FORMS: Final = (_replay, _replay_file, partial(_exported, GAME_FILES[_RECORD]))


def _endpoints(site: Site) -> tuple[Endpoint[Journal], ...]:
    return (
        Endpoint(
            f"{_GAME}/turns/{{turn}}", "A turn with everything that the board saw in it.", _turn
        ),
        Endpoint(
            f"{_GAME}/minute",
            "A game's last minute with everything that the board saw in it.",
            _minute,
        ),
        Endpoint(
            f"{_GAME}/dispute.html",
            "A turn with everything that the board saw in it, to print; by default the last turn.",
            partial(_dispute_page, site),
            HTML,
            {"turn": NUMBER},
        ),
        *(
            Endpoint(
                f"{_GAME}/{name}",
                f"{'A row for each throw' if file.rows else 'The game'} as `urpi games export "
                f"--format {file.form}` writes it.",
                partial(_exported, file),
                FORMATS[file.form].media_type,
            )
            for name, file in GAME_FILES.items()
            if name != _RECORD
        ),
    )


def _read_response(request: ValidRequest, path: str, media_type: str, body: bytes) -> Response:
    """Return what was read of a game: a document, or a file to store.

    Args:
        request: The request.
        path: The path of the operation, whose last part is that of the file's name.
        media_type: The content type.
        body: The content.
    """
    if media_type == JSON:
        return compressed(json_bytes_response(body), request.source)
    name = f"game-{request.numbers['game']}-{path.rpartition('/')[2]}"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    if media_type == HTML:
        headers["content-security-policy"] = FILE_CSP
    return compressed(Response(body, headers=headers, media_type=media_type), request.source)


def stored_game(journal: Journal, request: ValidRequest) -> GameSummary:
    """The summary of the game that a path names.

    Raises:
        NotFoundError: If there is no such game.
    """
    number = request.numbers["game"]
    return or_not_found(lambda: find_game(journal, number), f"There is no game {number}.")


def _dispute(journal: Journal, request: ValidRequest, turn: int | None) -> Dispute:
    game = stored_game(journal, request).id
    return or_not_found(lambda: dispute_turn(journal, game, turn))


def or_not_found(read: Callable[[], _T], message: str = "") -> _T:
    """Call a function that reads a game, and return its result.

    Args:
        read: The function.
        message: The message of the error; defaults to the function's own.

    Raises:
        NotFoundError: If the function finds no such thing.
        DiskError: If the journal cannot be read.
        DamagedError: If it is damaged.
    """
    try:
        return read()
    except (DiskError, DamagedError):
        raise
    except UrpiError as error:
        raise NotFoundError(message or str(error)) from error


def choice_of(request: ValidRequest, site: Site, journal: Journal) -> Choice:
    """The filter that the query parameters of `FILTERS` describe."""
    query = request.query
    days = day_of(query, "since"), day_of(query, "until")
    # At a board, games of the demo on the same machine are not those of its players. If there are
    # no others, the list would be empty, as `urpi games list` would without the same exception.
    is_usual = site.desk.service.table == VIRTUAL_TABLE or not has_board_games(journal)
    virtual = query.get("virtual", "yes" if is_usual else "no") == "yes"
    return Choice(query.get("player"), query.get("rules"), *days, virtual)


def leaves_out_virtual(journal: Journal, choice: Choice) -> bool:
    """Whether the journal has games of virtual tables and the filter excludes them."""
    return not choice.virtual and has_virtual_games(journal)


def day_of(query: Mapping[str, Any], name: str) -> date | None:
    """The day in a query parameter, None if there is none.

    Raises:
        InvalidRequestError: If there is no such day.
    """
    if name not in query:
        return None
    try:
        return date.fromisoformat(query[name])
    except ValueError as error:
        message = f"{name} must be a day such as 2026-11-20; found {query[name]}."
        raise InvalidRequestError(message) from error
