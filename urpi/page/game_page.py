"""The page of a stored game, with the tags from which messengers and forums show a preview.

They are those of the Open Graph protocol (https://ogp.me). A link to a step is
``/games/12?step=34``, because the part of an address after ``#`` is not sent to the server.
"""

from hashlib import sha256
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from urpi.core.errors import UrpiError
from urpi.http.responses import compressed
from urpi.journal import GameSummary, find_game
from urpi.journal.connection import LAST_ID
from urpi.page.first_view import with_board
from urpi.page.game_pictures import PNG_WIDTH
from urpi.page.site import Site
from urpi.rules import Side
from urpi.show.pictures.card import HEIGHT, WIDTH
from urpi.show.svg import escaped
from urpi.show.words import Words

PAGE: Final = "game.html"
_HEAD_END: Final = b"</head>"


class GamePage:
    """Responds with the page of a game."""

    def __init__(self, site: Site) -> None:
        self._site, self._file = site, with_board(site.files[PAGE])

    async def respond(self, request: Request) -> Response:
        """Return the page; without a preview if the game does not exist or cannot be read."""
        game = _number(request.path_params["game"])
        try:
            summary = await self._site.journal.read(lambda journal: find_game(journal, game))
        except UrpiError:
            # The page itself shows why.
            return self._file.response(request)
        tags = _tags(summary, self._address(request), self._site.words_of(request))
        content = self._file.plain.replace(_HEAD_END, f"{tags}\n".encode() + _HEAD_END, 1)
        etag = f'"{sha256(content).hexdigest()[:32]}"'
        headers = {"etag": etag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return compressed(Response(content, headers=headers, media_type="text/html"), request)

    def _address(self, request: Request) -> "_Address":
        base = self._site.base_url(request.url.scheme, request.headers["host"])
        return _Address(base, _number(request.query_params.get("step", "")))


class _Address:
    """The addresses of a game and of its picture; a step below 0 stands for the last."""

    def __init__(self, base: str, step: int) -> None:
        self._base, self._query = base, f"?step={step}" if step >= 0 else ""

    def page(self, game: int) -> str:
        return f"{self._base}/games/{game}{self._query}"

    def picture(self, game: int) -> str:
        return f"{self._base}/api/games/{game}/picture.png{self._query}"


def _number(text: str) -> int:
    """A number from an address, -1 if the text is none."""
    short = text.isascii() and text.isdecimal() and len(text) <= len(str(LAST_ID))
    return min(int(text), LAST_ID) if short else -1


def _tags(summary: GameSummary, address: _Address, words: Words) -> str:
    names = (summary.light, summary.dark)
    light, dark = (names[side.number] or words.side(side) for side in Side)
    rules = words.rules(summary.rules.partition("[")[0])
    tags = {
        "og:title": f"{light} \N{EN DASH} {dark}",
        "og:description": f"{rules} \N{MIDDLE DOT} {summary.started.astimezone():%Y-%m-%d %H:%M}",
        "og:type": "website",
        "og:site_name": "urpi",
        "og:url": address.page(summary.id),
        "og:image": address.picture(summary.id),
        "og:image:width": str(PNG_WIDTH),
        "og:image:height": str(PNG_WIDTH * HEIGHT // WIDTH),
    }
    return "\n".join(_meta(name, content) for name, content in tags.items())


def _meta(name: str, content: str) -> str:
    return f'<meta property="{name}" content="{escaped(content)}">'
