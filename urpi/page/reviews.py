"""The review of a stored game, computed by a process of its own while the page waits for it."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from starlette.types import ASGIApp

from urpi import __version__
from urpi.core.errors import UrpiError
from urpi.core.json_schema import one_of
from urpi.engine.exact.folder import tables_folder
from urpi.http.command_process import REFUSED, CommandFailedError, output_of
from urpi.http.operations import NotFoundError, Operation, QueueFullError, ValidRequest
from urpi.http.responses import compressed, json_bytes_response
from urpi.page.games import stored_game
from urpi.page.site import Site
from urpi.show.words import languages

MAX_WAITING: Final = 4
"""Maximum number of games that are being reviewed or wait for it; further ones are rejected."""
MAX_KEPT: Final = 16
"""Default for the number of reviews that are kept in memory, of about 100 kB each."""
TIMEOUT_S: Final = 600.0
_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """A review to compute.

    Attributes:
        game: The number of the game.
        language: The language of its texts.
        version: Identifies the stored content of the game.
    """

    game: int
    language: str
    version: str = ""


@dataclass(slots=True)
class Job:
    """A review that is being computed, or has been.

    Attributes:
        done: The number of reviewed throws.
        throws: The number of all throws, 0 as long as it is unknown.
        content: The review as JSON, None until it is finished.
    """

    done: int = 0
    throws: int = 0
    content: bytes | None = None
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def ended(self) -> bool:
        """Whether the review is finished or has failed."""
        return self.task is not None and self.task.done()

    @property
    def document(self) -> bytes:
        """The progress and the review as JSON."""
        state = f'{{"done":{self.done},"throws":{self.throws},"review":'.encode()
        return state + (self.content or b"null") + b"}"

    def on_line(self, line: str) -> None:
        """Read the progress from a line of the command; other lines are ignored."""
        done, slash, throws = line.partition("/")
        if slash and done.isdecimal() and throws.isdecimal():
            self.done, self.throws = int(done), int(throws)


Compute = Callable[[ReviewRequest, Callable[[str], None]], Awaitable[bytes]]


class ReviewQueue:
    """Computes one review at a time, and keeps the latest ones.

    Args:
        compute: Returns a review as JSON, and calls the function with each line of progress.
        max_kept: Maximum number of reviews that are kept in memory.
    """

    def __init__(self, compute: Compute, *, max_kept: int = MAX_KEPT) -> None:
        self._compute, self._max_kept = compute, max_kept
        self._turn = asyncio.Lock()
        self._jobs: OrderedDict[ReviewRequest, Job] = OrderedDict()

    def job(self, request: ReviewRequest) -> Job:
        """Return the state of a review; the first request for it starts the computation.

        An error is raised once, and the next request starts again.

        Raises:
            QueueFullError: If too many reviews are waiting.
            UrpiError: As raised by `compute`.
        """
        job = self._jobs.get(request)
        if job is None:
            if sum(not each.ended for each in self._jobs.values()) >= MAX_WAITING:
                message = "Too many games are being reviewed; try again in a few seconds."
                raise QueueFullError(message)
            job = self._jobs[request] = Job()
            job.task = asyncio.create_task(self._run(request, job))
        self._jobs.move_to_end(request)
        if job.task is not None and job.task.done() and (error := job.task.exception()):
            del self._jobs[request]
            raise error
        return job

    async def _run(self, request: ReviewRequest, job: Job) -> None:
        async with self._turn:
            job.content = await self._compute(request, job.on_line)
        # This job's own task has not ended yet, so that it is kept.
        ended = [key for key, each in self._jobs.items() if each.ended]
        for key in ended[: -self._max_kept]:
            del self._jobs[key]


async def review_in_process(
    journal: Path, request: ReviewRequest, on_line: Callable[[str], None], tables: Path
) -> bytes:
    """Review a game of a journal in a process of its own.

    Args:
        journal: The journal.
        request: The game.
        on_line: Called with each line of progress.
        tables: The folder of the tables of exact values, which need not exist.

    Raises:
        NotFoundError: If there is no such game.
        UrpiError: If it cannot be reviewed.
    """
    where = ("games", "--journal", str(journal), "review", str(request.game))
    options = ("--json", "--progress", "--language", request.language, "--tables", str(tables))
    try:
        return await output_of((*where, *options), TIMEOUT_S, on_line)
    except TimeoutError as error:
        message = f"The game was not reviewed within {TIMEOUT_S:.0f} seconds."
        raise UrpiError(message) from error
    except CommandFailedError as error:
        if error.status == REFUSED:
            raise NotFoundError(str(error)) from error
        _log.error("A game could not be reviewed: %s", error)
        message = "The game could not be reviewed; the program's log has the reason."
        raise UrpiError(message) from error


def review_operations(site: Site) -> tuple[Operation, ...]:
    """The operation that returns the review of a game, or how far it is."""

    async def compute(request: ReviewRequest, on_line: Callable[[str], None]) -> bytes:
        journal = site.journal.path
        return await review_in_process(journal, request, on_line, tables_folder(journal))

    queue = ReviewQueue(compute)

    async def review(request: ValidRequest) -> ASGIApp:
        summary = await site.journal.read(lambda journal: stored_game(journal, request))
        language = site.words_of(request.source).language
        job = queue.job(ReviewRequest(summary.id, language, f"{__version__} {summary}"))
        return compressed(json_bytes_response(job.document), request.source)

    return (
        Operation(
            "GET",
            "/api/games/{game}/review",
            "The luck of each throw and the loss of each move; until it is computed, the progress.",
            review,
            {"language": one_of(*languages())},
            error_statuses=(404, 409, 503),
        ),
    )
