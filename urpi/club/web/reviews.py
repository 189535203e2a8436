"""The operation that reviews a verified game of a club, as a table's own page does."""

import json
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp

from urpi import __version__
from urpi.club.server.stored_games import ListedGame, find_game, with_lines
from urpi.club.web.games import entries_of, stored_game, with_players
from urpi.club.web.site import ClubSite, words_of
from urpi.http.operations import ConflictError, NotFoundError, Operation, ValidRequest
from urpi.http.responses import compressed, json_bytes_response
from urpi.journal import Journal
from urpi.page.reviews import ReviewQueue, ReviewRequest, review_in_process
from urpi.show.words import words_for

if TYPE_CHECKING:
    from psycopg import Connection


def review_operations(site: ClubSite) -> tuple[Operation, ...]:
    """Return the operation that returns the review of a game, or how far it is."""

    async def compute(request: ReviewRequest, on_line: Callable[[str], None]) -> bytes:
        def read(connection: "Connection") -> ListedGame | None:
            game = find_game(connection, request.game)
            return game and with_lines(connection, with_players(game, words_for(request.language)))

        game = await site.games.read(read)
        if game is None or not game.has_lines:
            message = f"There is no game {request.game}, or its lines have been removed."
            raise NotFoundError(message)
        with TemporaryDirectory(prefix="urpi-review-") as folder:
            path = Path(folder, "journal.db")
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
