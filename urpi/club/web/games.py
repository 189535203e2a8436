"""Operations that list a club's stored games, read one of them, or review it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp

from urpi import __version__
from urpi.club.server.stored_games import (
    GameFilter,
    ListedGame,
    find_game,
    list_games,
    table_ids,
    tournament_round,
    with_lines,
)
from urpi.club.web.site import ClubSite, words_of
from urpi.core.json_schema import Schema, one_of
from urpi.http.operations import ConflictError, NotFoundError, Operation, ValidRequest
from urpi.http.responses import compressed, json_bytes, json_bytes_response
from urpi.journal import Entry, GameSummary, Journal, build_record
from urpi.link.protocol.line_checks import kind_of
from urpi.page.documents.replay import game_document, replay_document
from urpi.page.games import (
    DEFAULT_LIMIT,
    FILTERS,
    Endpoint,
    day_of,
    game_endpoints,
    read_operation,
)
from urpi.page.replay_file import replay_page
from urpi.page.reviews import ReviewQueue, ReviewRequest, review_in_process
from urpi.rules.record import record_text
from urpi.show.words import Words, words_for
from urpi.show.words.sentences import N_

if TYPE_CHECKING:
    from psycopg import Connection

MAX_TABLES: Final = 2000
"""Maximum number of tables that can be chosen from."""
VERDICTS: Final = (
    *("verified", "contested", "differs", "invalid", "pruned", "altered", "waiting", "running"),
)

QUERY: Final[Mapping[str, Schema]] = {
    **FILTERS,
    "table": {"type": "string", "maxLength": 40},
    "verdict": one_of(*VERDICTS),
}


def game_operations(site: ClubSite) -> tuple[Operation, ...]:
    """The operations that read stored games."""
    return tuple(read_operation(endpoint, site.games, words_of) for endpoint in _ENDPOINTS)


def _games(connection: "Connection", request: ValidRequest, words: Words) -> bytes:
    query = request.query
    limit = query.get("limit", DEFAULT_LIMIT)
    chosen = GameFilter(
        **{name: query.get(name) for name in ("table", "player", "rules", "verdict")},
        since=day_of(query, "since"),
        until=day_of(query, "until"),
    )
    found = list_games(connection, chosen, query.get("before"), limit + 1)
    listed = [club_game_document(game, words) for game in found[:limit]]
    return json_bytes({"games": listed, "more": len(found) > limit})


def _tables(connection: "Connection", _request: ValidRequest, _words: Words) -> bytes:
    return json_bytes(table_ids(connection, MAX_TABLES))


def _replay(connection: "Connection", request: ValidRequest, words: Words) -> bytes:
    game = _with_lines(connection, request, words)
    named = with_players(game, words)
    document = replay_document(summary_of(named), entries_of(named), words)
    return json_bytes({**document, "game": club_game_document(game, words)})


def _replay_file(connection: "Connection", request: ValidRequest, words: Words) -> bytes:
    game = with_players(_with_lines(connection, request, words), words)
    return replay_page(summary_of(game), entries_of(game), words).encode()


def _record(connection: "Connection", request: ValidRequest, words: Words) -> bytes:
    return record_of(connection, _with_lines(connection, request, words), words).encode()


def record_of(connection: "Connection", game: ListedGame, words: Words) -> str:
    """Return the record of a game that was read with its lines.

    Raises:
        UrpiError: If the lines are not those of a game.
    """
    game = with_players(game, words)
    record = build_record(entries_of(game), game.started)
    begun = game.started.isoformat(timespec="seconds").partition("T")[2]
    # Of a game of two tables, the date is the same at both, the time is not.
    tags = {"Table": game.table} if game.shared_table else {"Time": begun, "Table": game.table}
    if (found := tournament_round(connection, game.id)) is not None:
        tags |= {"Event": " ".join(found[0].split()), "Round": found[1]}
    place = [name for name, _ in record.tags].index("Date") + 1
    tagged = (*record.tags[:place], *tags.items(), *record.tags[place:])
    return record_text(replace(record, tags=tagged))


_ENDPOINTS: Final = (
    *game_endpoints(_games, _replay, _replay_file, _record, QUERY),
    Endpoint("/api/tables", "The ids of the tables that have sent a game.", _tables),
)


def _with_lines(connection: "Connection", request: ValidRequest, words: Words) -> ListedGame:
    """The game of a request with its lines.

    Raises:
        NotFoundError: If there is no such game, or the club has removed its lines.
    """
    game = with_lines(connection, stored_game(connection, request))
    if not game.has_lines:
        message = words.text(N_("The club has removed the lines of this game."))
        raise NotFoundError(message, "lines-removed")
    return game


def stored_game(connection: "Connection", request: ValidRequest) -> ListedGame:
    """The game of a request, with its published names and without its lines.

    Raises:
        NotFoundError: If there is no such game.
    """
    number = request.numbers["game"]
    game = find_game(connection, number)
    if game is None:
        message = f"There is no game {number}."
        raise NotFoundError(message)
    return game


def with_players(game: ListedGame, words: Words) -> ListedGame:
    """A game in which both players have a name, unless neither has agreed to publish one."""
    if not game.light and not game.dark:
        return game
    text = words.text(N_("Player at table {table}"))
    light, dark = (
        text.format(table=game.shared_table if game.shared_side == other else game.table)
        for other in ("dark", "light")
    )
    return replace(game, light=game.light or light, dark=game.dark or dark)


def entries_of(game: ListedGame) -> tuple[Entry, ...]:
    """The entries of a game as a journal has them, with the published names in the first.

    Lines that the table has removed are left out.
    """
    lines = list(game.lines)
    if lines:
        # The club stores the line without names, and the names apart.
        lines[0] = _with_names(lines[0], game)
    numbered = enumerate(lines, 1)
    return tuple(Entry(number, kind_of(line), line) for number, line in numbered if line)


def _with_names(line: str, game: ListedGame) -> str:
    fact = {**json.loads(line), "light": game.light, "dark": game.dark}
    return json.dumps(fact, ensure_ascii=False, separators=(",", ":"))


def summary_of(game: ListedGame) -> GameSummary:
    """Return the summary of a game as a journal has it; its turns are not counted."""
    return GameSummary(
        game.id,
        game.started,
        game.program,
        game.rules,
        game.light,
        game.dark,
        0,
        game.result,
        game.finished,
    )


def club_game_document(game: ListedGame, words: Words) -> dict[str, Any]:
    """Return a game with the keys of a table's own page, and with its table and verdict.

    The turns are left out: only the lines of a game contain their number.

    Args:
        game: The game with its published names.
        words: The language.
    """
    document = game_document(summary_of(with_players(game, words)), words)
    del document["turns"]
    return {
        **document,
        "published": [side for side in ("light", "dark") if getattr(game, side)],
        "table": game.table,
        "number": game.number,
        "verdict": game.verdict or ("waiting" if game.finished else "running"),
        "verdict_text": game.verdict_text,
        "current": game.current,
        "excluded": game.excluded,
        "missing": [
            {
                "name": getattr(game, side),
                "table": game.shared_table if game.shared_side == other else game.table,
            }
            for side, other in (("light", "dark"), ("dark", "light"))
            if side in game.missing and game.verdict == "verified" and game.light and game.dark
        ],
    }


def review_operations(site: ClubSite) -> tuple[Operation, ...]:
    """The operation that returns the review of a game, or how far it is."""

    async def compute(request: ReviewRequest, on_line: Callable[[str], None]) -> bytes:
        def read(connection: "Connection") -> ListedGame | None:
            game = find_game(connection, request.game)
            return game and with_lines(connection, with_players(game, words_for(request.language)))

        game = await site.games.read(read)
        if game is None or not game.has_lines:
            message = f"There is no game {request.game}, or its lines have been removed."
            raise NotFoundError(message)
        # `urpi games review` reads a journal: the game is written to one of its own.
        with TemporaryDirectory(prefix="urpi-review-") as folder:
            path = Path(folder, "journal.db")
            # In a thread, because it waits for the disk.
            number = await run_in_threadpool(write_journal, path, game)
            copy = ReviewRequest(number, request.language)
            content = await review_in_process(path, copy, on_line, site.tables)
        return json.dumps({**json.loads(content), "game": request.game}).encode()

    queue = ReviewQueue(compute)

    async def review(request: ValidRequest) -> ASGIApp:
        words = words_of(request.source)
        game = await site.games.read(lambda found: stored_game(found, request))
        if game.verdict != "verified":
            message = f"Game {game.id} is not verified; only verified games are reviewed."
            raise ConflictError("not-verified", message)
        job = queue.job(ReviewRequest(game.id, words.language, f"{__version__} {game}"))
        return compressed(json_bytes_response(job.document), request.source)

    return (
        Operation(
            "GET",
            "/api/games/{game}/review",
            "The luck of each throw and the loss of each move of a verified game; until it is "
            "computed, the progress.",
            review,
            error_statuses=(404, 409, 503),
        ),
    )


def write_journal(path: Path, game: ListedGame) -> int:
    """Write a game to a new journal, and return its number there.

    Args:
        path: The file.
        game: The game with its lines.

    Raises:
        UrpiError: If a line is invalid, or the disk fails.
    """
    opening, *entries = entries_of(game)
    with Journal.open(path) as journal, journal.transaction():
        started = game.started.isoformat()
        number = journal.new_game(opening.line, started, game.program, {})
        for kind, group in groupby(entries, key=lambda entry: entry.kind):
            lines = [entry.line for entry in group]
            facts, decisions = (lines, []) if kind == "fact" else ([], lines)
            journal.append(number, facts, decisions)
    return number
