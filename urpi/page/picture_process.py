"""Pictures of stored games, drawn by a process of its own at the lowest priority.

One picture is drawn at a time, the latest ones are kept in memory, and few requests may wait.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from urpi.core.errors import UrpiError
from urpi.http.command_process import REFUSED, CommandFailedError, output_of
from urpi.http.operations import NotFoundError, QueueFullError
from urpi.page.game_pictures import PictureRequest

MAX_WAITING: Final = 4
"""Maximum number of requests that wait for a picture; further ones are rejected."""
MAX_CACHED: Final = 8 * 1024 * 1024
"""Default for the number of bytes of the pictures that are kept."""
TIMEOUT_S: Final = 300.0
_log: Final = logging.getLogger(__name__)


class PictureQueue:
    """Draws one picture at a time, and keeps the latest ones.

    Args:
        draw: Draws a picture.
        max_cached: Maximum number of bytes of the pictures that are kept.
    """

    def __init__(
        self,
        draw: Callable[[PictureRequest], Awaitable[bytes]],
        *,
        max_cached: int = MAX_CACHED,
    ) -> None:
        self._draw, self._max_cached = draw, max_cached
        # One at a time, which leaves a core to the game.
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._cache: OrderedDict[tuple[PictureRequest, str], bytes] = OrderedDict()

    async def content(self, picture: PictureRequest, version: str) -> bytes:
        """Return the content of a picture file.

        Args:
            picture: The picture.
            version: Identifies what it shows. A picture that was drawn for the same version is
                returned again; an empty one is never kept, as for a game that is still running.

        Raises:
            QueueFullError: If too many requests are waiting.
            UrpiError: As raised by `draw`.
        """
        key = picture, version
        if key in self._cache:
            return self._kept(key)
        if self._waiting >= MAX_WAITING:
            message = "Too many pictures are being drawn; try again in a few seconds."
            raise QueueFullError(message)
        self._waiting += 1
        try:
            async with self._turn:
                # Another request may have waited for the same picture.
                if key in self._cache:
                    return self._kept(key)
                content = await self._draw(picture)
        finally:
            self._waiting -= 1
        if version:
            self._keep(key, content)
        return content

    def _kept(self, key: tuple[PictureRequest, str]) -> bytes:
        self._cache.move_to_end(key)
        return self._cache[key]

    def _keep(self, key: tuple[PictureRequest, str], content: bytes) -> None:
        self._cache[key] = content
        while sum(map(len, self._cache.values())) > self._max_cached:
            self._cache.popitem(last=False)


async def draw_in_process(journal: Path, picture: PictureRequest) -> bytes:
    """Draw a picture of a game of a journal in a process of its own.

    Raises:
        NotFoundError: If there is no such game or step.
        UrpiError: If the picture cannot be drawn.
    """
    try:
        return await output_of(_words(journal, picture), TIMEOUT_S)
    except TimeoutError as error:
        message = f"The picture was not drawn within {TIMEOUT_S:.0f} seconds."
        raise UrpiError(message) from error
    except CommandFailedError as error:
        if error.status == REFUSED:
            raise NotFoundError(str(error)) from error
        _log.error("A picture could not be drawn: %s", error)
        message = "The picture could not be drawn; the program's log has the reason."
        raise UrpiError(message) from error


def _words(journal: Path, picture: PictureRequest) -> tuple[str, ...]:
    step = () if picture.step is None else ("--step", str(picture.step))
    texts = ("--format", picture.form, "--language", picture.language, "--theme", picture.theme)
    return ("games", "--journal", str(journal), "picture", str(picture.game), *texts, *step)
