"""Operations that return pictures of stored games: SVG, PNG and animated GIF."""

from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from typing import Final

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi import __version__
from urpi.core.json_schema import one_of
from urpi.http.connections import BEGIN_RESPONSE
from urpi.http.operations import NUMBER, Operation, ValidRequest
from urpi.http.responses import compressed
from urpi.journal import GameSummary, Journal
from urpi.page.game_pictures import PictureForm, PictureRequest, picture_of
from urpi.page.games import or_not_found, stored_game
from urpi.page.picture_process import PictureQueue, draw_in_process
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


def picture_operations(site: Site) -> tuple[Operation, ...]:
    """Return the operations that draw a step of a game, or the whole game."""
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
    )  # fmt: skip


class _Pictures:
    """The handlers. An SVG is text, and is made in the journal's thread; pixels need a process."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._queue = PictureQueue(partial(draw_in_process, site.desk.journal))

    async def svg(self, request: ValidRequest) -> ASGIApp:
        picture = self._picture(request, "svg")

        def read(journal: Journal) -> bytes:
            stored_game(journal, request)
            return or_not_found(lambda: picture_of(journal, picture))

        response = _response(request, "svg", await self._site.journal.read(read))
        response.headers["content-security-policy"] = SVG_CSP
        return compressed(response, request.source)

    async def png(self, request: ValidRequest) -> ASGIApp:
        return await self._drawn(request, "png")

    async def gif(self, request: ValidRequest) -> ASGIApp:
        return await self._drawn(request, "gif")

    async def _drawn(self, request: ValidRequest, form: PictureForm) -> ASGIApp:
        picture = self._picture(request, form)
        version = _version(await self._site.journal.read(lambda one: stored_game(one, request)))
        etag = _etag(picture, version)
        if version and etag in request.source.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=_cache_headers(etag))
        if begin_response := request.source.scope["state"].get(BEGIN_RESPONSE):
            begin_response()
        response = _response(request, form, await self._queue.content(picture, version))
        if version:
            response.headers.update(_cache_headers(etag))
        return response

    def _picture(self, request: ValidRequest, form: PictureForm) -> PictureRequest:
        language = request.query.get("language", self._site.desk.words.language)
        step, theme = request.query.get("step"), request.query.get("theme", LAPIS)
        return PictureRequest(request.numbers["game"], form, language, step, theme)


def _version(summary: GameSummary) -> str:
    """Return what identifies the stored content of a game, empty while the game is running."""
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
