"""Reviews of games that have ended, by a process of the lowest priority.

`urpi games figures` reviews a game and stores its figures beside the journal for the statistics. It
takes seconds, and many more on a small machine, so that it must not run in the game's process. A
game whose review is interrupted, or fails, is reviewed when the statistics are computed next.
"""

import json
import logging
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from urpi.engine.exact.folder import tables_folder
from urpi.rules import Side
from urpi.service.worker_process import WorkerProcess
from urpi.show.words.end_review import EndReview

OnReview: TypeAlias = Callable[[EndReview], None]
"""Called in the thread of the process with a review."""
TIMEOUT_S: Final = 600.0
"""Longest time for a review; it needs some seconds, or a minute on a small machine."""
LOWER_PRIORITY: Final = 19
"""What is added to the process's nice value, so that even the engine's process comes first."""
_MAX_ERRORS: Final = 500
_log: Final = logging.getLogger(__name__)


def review_command(journal: Path, nice: int = LOWER_PRIORITY) -> tuple[str, ...]:
    """Return the command that reviews a game, whose number follows.

    Exact values are read from the tables beside the journal.
    """
    code = f"import os; os.nice({nice}); from urpi.cli.main import main; main()"
    figures = ("games", "--journal", str(journal), "figures")
    tables = ("--tables", str(tables_folder(journal)))
    return (sys.executable, "-P", "-c", code, *figures, *tables, "--json")


class ReviewProcess(WorkerProcess[tuple[int, OnReview]]):
    """Reviews one game at a time; each in a process of its own.

    Args:
        command: The command, without the number of the game.
        timeout_s: The limit of its duration, after which it is killed.
    """

    def __init__(self, command: Sequence[str], timeout_s: float = TIMEOUT_S) -> None:
        super().__init__(command, timeout_s, "reviews")

    def request(self, game: int, on_review: OnReview) -> None:
        """Review a stored game. Returns at once; call it in one thread.

        There is no call of `on_review` if the game has no review.
        """
        self._put((game, on_review))

    def _handle(self, item: tuple[int, OnReview]) -> None:
        game, on_review = item
        try:
            review = _end_review(self._output(game))
        except (OSError, ValueError, LookupError, subprocess.TimeoutExpired) as error:
            _log.warning("Game %d is not reviewed: %s", game, error)
        else:
            if review is not None:
                on_review(review)

    def _output(self, game: int) -> bytes:
        """Return the output of the command for a game.

        Raises:
            OSError: If it cannot be started, or fails.
            TimeoutExpired: If it takes too long.
        """
        with self._starting:
            if self._closed:
                return b""
            self._process = subprocess.Popen(  # noqa: S603 - this program's own command line
                (*self._command, str(game)),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        # Leaving the block closes the pipe and waits for the process.
        with self._process as process:
            try:
                output, errors = process.communicate(timeout=self._timeout_s)
            finally:
                process.kill()
        if process.returncode and not self._closed:
            message = errors.decode(errors="replace").strip()[-_MAX_ERRORS:]
            raise OSError(message)
        return output


def _end_review(output: bytes) -> EndReview | None:
    """Return the review that the command has printed, None if it has printed none."""
    if not output.strip():
        return None
    values = json.loads(output)
    winner, (light, dark) = values.pop("winner"), values.pop("mistakes")
    return EndReview(**values, winner=winner and Side(winner), mistakes=(light, dark))


def review_process(journal: Path) -> ReviewProcess:
    return ReviewProcess(review_command(journal))
