"""The operation that returns statistics of the stored games."""

import asyncio
import logging
import time
from asyncio import Lock
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Sequence
from functools import partial
from typing import Any, Final

from starlette.types import ASGIApp

from urpi.engine.exact.folder import tables_folder
from urpi.http.command_process import CommandFailedError, output_of
from urpi.http.operations import Operation, ValidRequest
from urpi.http.responses import compressed, json_bytes, json_bytes_response
from urpi.journal import Choice, GameSummary, Journal, has_known_rules, list_games
from urpi.journal.stats import (
    Figures,
    GameFigures,
    GameReview,
    ReviewFigures,
    summarize,
    summarize_reviews,
)
from urpi.journal.study import Exercise
from urpi.page.games import FILTERS, choice_of, leaves_out_virtual
from urpi.page.journal_reader import JournalReader
from urpi.page.site import Site
from urpi.show.stats_report.charts import charts_of
from urpi.show.stats_report.figure_file import FigureFile, ends_of, has_ended
from urpi.show.stats_report.reading import figures_of_game
from urpi.show.stats_report.review_charts import review_charts_of
from urpi.show.stats_report.review_tables import review_notes_of, review_tables_of, reviewed_of
from urpi.show.stats_report.tables import longest_of, notes_of, tables_of, title_of
from urpi.show.stats_report.values import figures_values
from urpi.show.svg import Chart, chart
from urpi.show.words import Words
from urpi.show.words.sentences import N_

MAX_KEPT: Final = 2000
"""Maximum number of games whose figures are kept in memory, of about 8 kB each."""
MAX_ANSWERS: Final = 16
"""Maximum number of answers that are kept, of some 50 kB each."""
TIMEOUT_S: Final = 48 * 3600.0
"""Limit for the review of all games; a thousand take hours on a small machine."""
READING_S: Final = 0.7
"""Default for how long games are read for one response. The page shows their statistics and
requests the others."""
NOT_READ: Final = N_("Games still being read, the oldest ones: {count}.")
UNKNOWN_RULES: Final = N_("Games by rules that this version does not have: {count}.")
VOID_GAMES: Final = N_("Void games, which do not count: {count}.")
OTHERS_FOLLOW: Final = N_("The others are being reviewed now, the newest first.")
_log: Final = logging.getLogger(__name__)
AT_ONCE: Final = 10
"""Number of games that are read in one go; other pages' reads come in between."""


class FigureCache:
    """Reads the figures of games; those of games that have ended are kept, and stored in a file.

    Args:
        reader: Reads the journal.
        reading_s: How long `figures` reads games, in seconds; it reads `AT_ONCE` at least.
        clock: Returns the time in seconds.
    """

    def __init__(
        self,
        reader: JournalReader,
        *,
        reading_s: float = READING_S,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reader, self._file = reader, FigureFile(reader.path)
        self._reading_s, self._clock = reading_s, clock
        self._kept: OrderedDict[GameSummary, GameFigures | None] = OrderedDict()
        self._reviewed: dict[GameSummary, GameReview | None] = {}
        # Two pages that are opened at once read the games once.
        self._lock = Lock()

    async def figures(self, games: Sequence[GameSummary]) -> tuple[list[GameFigures], int]:
        """Return the figures of games in their order, without lessons, and how many are not read.

        Those that were not stored before are read from the last one on while there is time.

        Raises:
            UrpiError: If the journal cannot be read, or a stored line is invalid.
        """
        async with self._lock:
            found = {game: self._kept[game] for game in games if game in self._kept}
            if missing := [game for game in games if game not in found]:
                ends = await self._reader.read(ends_of)
                # In the reader's thread too: the page's own thread must not wait for a disk.
                stored = await self._reader.read(lambda _: self._file.read(missing, ends))
                unread = [game for game in missing if game not in stored]
                computed = await self._compute(unread)
                found |= stored | computed
                ended = {game: one for game, one in computed.items() if has_ended(game)}
                if ended:
                    await self._reader.read(lambda _: self._file.write(ended, ends))
                for game, one in (stored | ended).items():
                    self._keep(game, one)
        figures = (found.get(game) for game in games)
        return [one for one in figures if one is not None], len(games) - len(found)

    def _keep(self, game: GameSummary, figures: GameFigures | None) -> None:
        self._kept[game] = figures
        if len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)

    async def reviews(self, games: Sequence[GameSummary]) -> dict[int, GameReview]:
        """The stored reviews of games by the game's number."""
        missing = [game for game in games if game not in self._reviewed]
        if missing:
            ends = await self._reader.read(ends_of)
            found = await self._reader.read(lambda _: self._file.read_reviews(missing, ends))
            stored = {game: found[game.id] for game in missing if game.id in found}
            if len(self._reviewed) + len(stored) > MAX_KEPT:
                self._reviewed.clear()
            self._reviewed |= stored
        reviews = {game.id: self._reviewed.get(game) for game in games}
        return {number: one for number, one in reviews.items() if one is not None}

    async def exercises(self, games: Sequence[GameSummary]) -> list[Exercise]:
        """The exercises from the stored reviews of games."""
        ends = await self._reader.read(ends_of)
        found = await self._reader.read(lambda _: self._file.read_exercises(games, ends))
        return [each for some in found.values() for each in some]

    async def _compute(self, games: Sequence[GameSummary]) -> dict[GameSummary, GameFigures | None]:
        found: dict[GameSummary, GameFigures | None] = {}
        until = self._clock() + self._reading_s
        for end in range(len(games), 0, -AT_ONCE):
            part = games[max(end - AT_ONCE, 0) : end]
            found |= await self._reader.read(partial(_figures_of, part))
            if self._clock() >= until:
                break
        return found


class AnswerCache:
    """The newest answers, each with what it was computed from.

    Used by the reader's thread alone, so that equal requests that wait are computed once.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, tuple[Any, bytes]] = OrderedDict()

    def answer(self, key: Hashable, version: Any, compute: Callable[[], bytes]) -> bytes:
        """The answer to a request, computed if anything it depends on has changed.

        Args:
            key: What was requested.
            version: What the answer depends on, compared with ``==``.
            compute: Computes the answer.
        """
        kept = self._kept.pop(key, None)
        body = kept[1] if kept and kept[0] == version else compute()
        self._kept[key] = version, body
        if len(self._kept) > MAX_ANSWERS:
            self._kept.popitem(last=False)
        return body


class FigureProcess:
    """Runs `urpi games figures` while games are not reviewed, in one process at a time.

    Args:
        compute: Reviews the games, with those of virtual tables if its argument is true; a failure
            is logged.
    """

    def __init__(self, compute: Callable[[bool], Awaitable[object]]) -> None:
        self._compute = compute
        self._task: asyncio.Task[None] | None = None
        self._began_with = (-1, False)

    def update(self, missing: int, *, virtual: bool) -> bool:
        """Start the process if games are missing, and return whether it runs.

        It is not started again if it has reviewed none of them. With `virtual`, it also reviews
        games of virtual tables.
        """
        runs = self._task is not None and not self._task.done()
        # With the same number missing, the last process has reviewed none of them, and the next
        # would not either.
        if not runs and missing and (missing, virtual) != self._began_with:
            self._began_with = missing, virtual
            self._task = asyncio.create_task(self._run(virtual))
            runs = True
        return runs

    async def _run(self, virtual: bool) -> None:
        try:
            await self._compute(virtual)
        except (CommandFailedError, TimeoutError, OSError) as error:
            _log.error("The games could not be reviewed: %s", error)


def _figures_of(
    games: Sequence[GameSummary], journal: Journal
) -> dict[GameSummary, GameFigures | None]:
    return {game: figures_of_game(journal, game.id) for game in games}


def _listed(journal: Journal, choice: Choice) -> tuple[Choice, Sequence[GameSummary], int, bool]:
    """The filter, its games that count, how many do not, and whether virtual ones are left out."""
    found = list_games(journal, choice)
    counting = [game for game in found if not game.void]
    return choice, counting, len(found) - len(counting), leaves_out_virtual(journal, choice)


def _forget(
    shared: dict[Hashable, asyncio.Task[bytes]], key: Hashable, task: asyncio.Task[bytes]
) -> None:
    del shared[key]
    if not task.cancelled():
        # Without a client that waits, asyncio would log that nobody has seen the exception.
        task.exception()


def figure_process(site: Site) -> FigureProcess:
    """The process that reviews the games of a table."""
    journal = site.journal.path
    command = ("games", "--journal", str(journal), "figures")
    tables = ("--tables", str(tables_folder(journal)))
    return FigureProcess(
        lambda virtual: output_of(
            (*command, *tables, *(("--virtual",) if virtual else ())), TIMEOUT_S
        )
    )


def statistics_operations(
    site: Site, cache: FigureCache, process: FigureProcess
) -> tuple[Operation, ...]:
    """The operation that returns statistics of the stored games."""
    answers = AnswerCache()
    shared: dict[Hashable, asyncio.Task[bytes]] = {}

    async def statistics(request: ValidRequest) -> ASGIApp:
        words = site.words_of(request.source)
        key = frozenset(request.query.items()), words.language
        # Requests that arrive meanwhile, of pages that are opened at once, have the same answer:
        # otherwise each reads games for a while, one after the other.
        if key not in shared:
            shared[key] = asyncio.create_task(body_of(request, words))
            shared[key].add_done_callback(lambda task: _forget(shared, key, task))
        # A client that disconnects takes the answer from nobody.
        body = await asyncio.shield(shared[key])
        return compressed(json_bytes_response(body), request.source)

    async def body_of(request: ValidRequest, words: Words) -> bytes:
        choice, listed, void, without_virtual = await site.journal.read(
            lambda journal: _listed(journal, choice_of(request, site, journal))
        )
        games = tuple(filter(has_known_rules, listed))
        figures, unread = await cache.figures(games[::-1])
        stored = await cache.reviews(games)
        days = {game.id: game.started.astimezone().date().isoformat() for game in games}
        reviews = summarize_reviews(((one, days[one.game]) for one in figures), stored)
        running = process.update(reviews.missing, virtual=choice.virtual)
        unknown = len(listed) - len(games)
        # In the reader's thread: the sums over a thousand games take a while.
        return await site.journal.read(
            lambda _: answers.answer(
                (choice, words.language),
                (figures, stored, running, unread, unknown, void, without_virtual),
                lambda: statistics_body(
                    summarize(figures),
                    reviews,
                    words,
                    running=running,
                    unread=unread,
                    unknown=unknown,
                    void=void,
                    without_virtual=without_virtual,
                ),
            )
        )

    return (
        Operation(
            "GET",
            "/api/stats",
            "Statistics of the stored games: players, pairs, rule sets, dice and reviews; with "
            "charts. The missing reviews are computed in the background. If `unread` is not 0, "
            "that many older games are missing, and the next response contains more of them.",
            statistics,
            FILTERS,
            error_statuses=(503,),
        ),
    )


def statistics_body(  # noqa: PLR0913 - what the page shows
    figures: Figures,
    reviews: ReviewFigures,
    words: Words,
    *,
    running: bool,
    unread: int,
    unknown: int = 0,
    void: int = 0,
    without_virtual: bool = False,
) -> bytes:
    """Return the figures as JSON: values, and the tables and charts in the players' language.

    Args:
        figures: The figures of the games.
        reviews: Those of the reviewed ones.
        words: The language.
        running: Whether the others are being reviewed.
        unread: Number of games that are missing because they are not read yet.
        unknown: Number of games that are left out, because their rules are unknown.
        void: Number of games that are left out, because they do not count.
        without_virtual: Whether games of virtual tables are left out.
    """
    reviewed = reviewed_of(reviews, words)
    if running:
        reviewed = f"{reviewed} {words.text(OTHERS_FOLLOW)}"
    charts = (*charts_of(figures, words), *review_charts_of(reviews, words))
    tables = (*tables_of(figures, words), *review_tables_of(reviews, figures.players, words))
    return json_bytes(
        {
            "title": title_of(figures, words),
            "unread": unread,
            "without_virtual": without_virtual,
            "not_read": words.text(NOT_READ).format(count=unread) if unread else "",
            "reviewed": reviewed,
            "reviewing": running,
            "charts": [chart_document(one) for one in charts],
            "tables": [
                {
                    "heading": table.heading,
                    "columns": [column._asdict() for column in table.columns],
                    "rows": table.rows,
                }
                for table in tables
            ],
            "notes": [
                *([words.text(UNKNOWN_RULES).format(count=unknown)] if unknown else []),
                *([words.text(VOID_GAMES).format(count=void)] if void else []),
                *longest_of(figures, words),
                *notes_of(words),
                *review_notes_of(reviews, words),
            ],
            "values": figures_values(figures, reviews),
        }
    )


def chart_document(one: Chart) -> dict[str, Any]:
    """A chart as two SVG documents, one of them for phones, with its values in words."""
    values = "; ".join(f"{mark.label}: {mark.text}" for mark in one.marks)
    return {
        "title": one.title,
        "text": f"{one.title}. {one.axis}. {values}",
        "svg": chart(one),
        "narrow_svg": chart(one, narrow=True),
    }
