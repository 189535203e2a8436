"""Operations that return pictures of stored games: SVG, PNG and animated GIF.

They are drawn by a process of its own at the lowest priority.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeAlias

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi import __version__
from urpi.core.errors import UrpiError
from urpi.core.json_schema import one_of
from urpi.http.command_process import REFUSED, CommandFailedError, output_of
from urpi.http.operations import NUMBER, NotFoundError, Operation, QueueFullError, ValidRequest
from urpi.http.responses import compressed
from urpi.journal import GameSummary, Journal
from urpi.page.analysis import QUERY, question_of
from urpi.page.game_pictures import PictureForm, PictureRequest, picture_of
from urpi.page.games import or_not_found, stored_game
from urpi.page.position_picture import PositionForm, PositionPicture, draw_position
from urpi.page.site import Site
from urpi.show.svg.themes import LAPIS, THEMES
from urpi.show.words import languages

MEDIA_TYPES: Final[Mapping[PictureForm, str]] = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "gif": "image/gif",
}
SVG_CSP: Final = "sandbox; default-src 'none'; style-src 'unsafe-inline'"
"""Content security policy of a picture that is opened by itself: its style sheet is inside."""
_GAME: Final = "/api/games/{game}"
_WHOLE: Final = {"language": one_of(*languages()), "theme": one_of(*THEMES)}
_STEP: Final = {"step": NUMBER} | _WHOLE
_POSITION: Final = {**QUERY, **_WHOLE}
AnyPicture: TypeAlias = PictureRequest | PositionPicture
MAX_WAITING: Final = 4
"""Maximum number of requests that wait for a picture; further ones are rejected."""
MAX_CACHED: Final = 8 * 1024 * 1024
"""Default for the number of bytes of the pictures that are kept."""
# Ends a process that does not end by itself; a picture takes seconds.
TIMEOUT_S: Final = 300.0
_log: Final = logging.getLogger(__name__)


def picture_operations(site: Site) -> tuple[Operation, ...]:
    """The operations that draw a step of a game, or the whole game."""
    pictures = _Pictures(site)
    return (
        Operation(
            "GET", f"{_GAME}/picture.svg", "A step of the game, by default the last, as SVG.",
            pictures.svg, _STEP, media_type=MEDIA_TYPES["svg"], error_statuses=(404, 503),
        ),
        Operation(
            "GET", f"{_GAME}/picture.png",
            "A step of the game, by default the last, with names, throw and move, as PNG.",
            pictures.png, _STEP, media_type=MEDIA_TYPES["png"], error_statuses=(404, 409, 503),
        ),
        Operation(
            "GET", f"{_GAME}/animation.gif", "The whole game as an animated GIF.",
            pictures.gif, _WHOLE, media_type=MEDIA_TYPES["gif"], error_statuses=(404, 409, 503),
        ),
        Operation(
            "GET", "/api/analysis/picture.svg", "A position, and `move` as an arrow, as SVG.",
            pictures.position_svg, _POSITION, media_type=MEDIA_TYPES["svg"], error_statuses=(404,),
        ),
        Operation(
            "GET", "/api/analysis/picture.png", "A position, its throw and its move, as PNG.",
            pictures.position_png, _POSITION, media_type=MEDIA_TYPES["png"],
            error_statuses=(404, 409),
        ),
    )  # fmt: skip


class _Pictures:
    """The handlers. An SVG is text, and is made in the journal's thread; pixels need a process."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._queue = PictureQueue(partial(draw_in_process, site.journal.path))

    async def svg(self, request: ValidRequest) -> ASGIApp:
        picture = self._picture(request, "svg")

        def read(journal: Journal) -> bytes:
            # For its error alone: a game that does not exist must not be taken for a step that does
            # not.
            stored_game(journal, request)
            return or_not_found(lambda: picture_of(journal, picture))

        response = _response(request, "svg", await self._site.journal.read(read))
        response.headers["content-security-policy"] = SVG_CSP
        return compressed(response, request.source)

    async def png(self, request: ValidRequest) -> ASGIApp:
        return await self._drawn(request, "png")

    async def gif(self, request: ValidRequest) -> ASGIApp:
        return await self._drawn(request, "gif")

    async def position_svg(self, request: ValidRequest) -> ASGIApp:
        content = await asyncio.to_thread(draw_position, self._position(request, "svg"))
        response = _position_response("svg", content)
        response.headers["content-security-policy"] = SVG_CSP
        return compressed(response, request.source)

    async def position_png(self, request: ValidRequest) -> ASGIApp:
        picture = self._position(request, "png")
        return _position_response("png", await self._queue.content(picture, __version__))

    def _position(self, request: ValidRequest, form: PositionForm) -> PositionPicture:
        asked, language = question_of(request), self._site.words_of(request.source).language
        theme = request.query.get("theme", LAPIS)
        return PositionPicture(asked.position, form, language, asked.throw, asked.played, theme)

    async def _drawn(self, request: ValidRequest, form: PictureForm) -> ASGIApp:
        picture = self._picture(request, form)
        version = _version(await self._site.journal.read(lambda one: stored_game(one, request)))
        etag = _etag(picture, version)
        if version and etag in request.source.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=_cache_headers(etag))
        response = _response(request, form, await self._queue.content(picture, version))
        if version:
            response.headers.update(_cache_headers(etag))
        return response

    def _picture(self, request: ValidRequest, form: PictureForm) -> PictureRequest:
        language = self._site.words_of(request.source).language
        step, theme = request.query.get("step"), request.query.get("theme", LAPIS)
        return PictureRequest(request.numbers["game"], form, language, step, theme)


def _version(summary: GameSummary) -> str:
    """What identifies the stored content of a game, empty while the game is running."""
    return "" if summary.result is None else f"{__version__} {summary}"


def _etag(picture: PictureRequest, version: str) -> str:
    return f'"{sha256(f"{picture} {version}".encode()).hexdigest()[:32]}"'


def _cache_headers(etag: str) -> dict[str, str]:
    return {"etag": etag, "cache-control": "no-cache"}


def _response(request: ValidRequest, form: PictureForm, content: bytes) -> Response:
    step = request.query.get("step")
    name = f"game-{request.numbers['game']}" + ("" if step is None else f"-{step}")
    headers = {"content-disposition": f'inline; filename="{name}.{form}"'}
    return Response(content, headers=headers, media_type=MEDIA_TYPES[form])


def _position_response(form: PositionForm, content: bytes) -> Response:
    headers = {"content-disposition": f'inline; filename="position.{form}"'}
    return Response(content, headers=headers, media_type=MEDIA_TYPES[form])


class PictureQueue:
    """Draws one picture at a time, and keeps the latest ones; few requests may wait.

    Args:
        draw: Draws a picture.
        max_cached: Maximum number of bytes of the pictures that are kept.
    """

    def __init__(
        self,
        draw: Callable[[AnyPicture], Awaitable[bytes]],
        *,
        max_cached: int = MAX_CACHED,
    ) -> None:
        self._draw, self._max_cached = draw, max_cached
        # One at a time, which leaves a core to the game.
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._cache: OrderedDict[tuple[AnyPicture, str], bytes] = OrderedDict()

    async def content(self, picture: AnyPicture, version: str) -> bytes:
        """The content of a picture file.

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

    def _kept(self, key: tuple[AnyPicture, str]) -> bytes:
        self._cache.move_to_end(key)
        return self._cache[key]

    def _keep(self, key: tuple[AnyPicture, str], content: bytes) -> None:
        self._cache[key] = content
        # A picture that alone is too large removes itself as the last one.
        while sum(map(len, self._cache.values())) > self._max_cached:
            self._cache.popitem(last=False)


async def draw_in_process(journal: Path, picture: AnyPicture) -> bytes:
    """Draw a picture of a game of a journal, or of a position, in a process of its own.

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


def _words(journal: Path, picture: AnyPicture) -> tuple[str, ...]:
    if isinstance(picture, PositionPicture):
        return _position_words(picture)
    step = () if picture.step is None else ("--step", str(picture.step))
    texts = ("--format", picture.form, "--language", picture.language, "--theme", picture.theme)
    return ("games", "--journal", str(journal), "picture", str(picture.game), *texts, *step)


def _position_words(picture: PositionPicture) -> tuple[str, ...]:
    faces = () if picture.throw is None else ("--faces", picture.throw.faces)
    move = () if picture.move is None else ("--move", picture.move.text)
    texts = ("--format", picture.form, "--language", picture.language, "--theme", picture.theme)
    return ("picture", *texts, *faces, *move, "--", str(picture.position))
