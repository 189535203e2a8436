"""The first response of a page: its HTML with the board in it, so that no script draws it.

The page of a table also contains its styles, so that the board is painted without another request,
the pieces, the players' names, the display's picture, and the state document, from which its
scripts begin.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final, NamedTuple, Self

from starlette.requests import Request
from starlette.responses import Response

from urpi.http.guard import CSP
from urpi.http.static_files import TYPES, StaticFile
from urpi.page.site import Site
from urpi.page.templates import imported
from urpi.page.versions import Version
from urpi.rules import Side, parse_position
from urpi.show.svg import escaped, table_svg
from urpi.show.words import Words

TABLE: Final = "index.html"
VIRTUAL: Final = "js/table/table.js"
"""The script of a virtual table."""
WIN_COOKIE: Final = "urpi-win"
"""The cookie with the browser's choice of when it shows the probability to win."""
FACE_COOKIE: Final = "urpi-face"
"""The cookie with the face of the page that the browser shows: ``play`` or ``console``."""
LEVEL: Final = 5
"""Level of compression of the table's page, which is compressed again after every change."""
_BODY: Final = '<body class="watch" data-face="play">'
_BOARD_END: Final = "</div><!-- board -->"
_OLED: Final = '<img id="oled" '
_NAME: Final = '<strong dir="auto" id="name-{}" class="name">'
_SCRIPT: Final = '<script type="module"'
_STATE: Final = '<script type="application/json" id="first-state">'
_MANIFEST: Final = '<link rel="manifest"'
_STYLESHEET: Final = re.compile(r'<link rel="stylesheet" href="/static/(.+)">\n')


class Styles(NamedTuple):
    """An HTML element with styles, and the content security policy that permits it."""

    element: str
    policy: str

    @classmethod
    def of(cls, files: Iterable[StaticFile]) -> Self:
        """The styles of some files in their order."""
        text = "".join(file.plain.decode() for file in files)
        assert "</" not in text, "A style sheet ends its own element."
        # The policy permits these very styles; 'unsafe-inline' would permit any that an attacker
        # inserts.
        digest = b64encode(sha256(text.encode()).digest()).decode()
        policy = CSP.replace("style-src 'self'", f"style-src 'self' 'sha256-{digest}'")
        return cls(f"<style>{text}</style>\n", policy)


class FirstView:
    """The page of a table, with its current state."""

    def __init__(self, site: Site) -> None:
        files = site.files
        self._site, self._feed = site, site.feed
        html = files[TABLE].plain.decode()
        self._html = _STYLESHEET.sub("", html)
        sheets = _STYLESHEET.findall(html)
        self._styles = {
            kind: Styles.of(files[name] for name in (*sheets, *more))
            for kind, more in (("board", ()), ("virtual", ("css/table.css",)))
        }
        """The styles of a page, by the kind of its table."""
        # The scripts of a virtual table are imported only where there is one. Those of the console
        # and of the lesson are loaded when they are opened.
        scripts = imported(files, VIRTUAL)
        self._virtual = "".join(
            f'<link rel="modulepreload" href="/static/{name}">\n'
            for name in scripts
            if name.startswith("js/table/")
        )
        self._newest: dict[tuple[bool, bool, str, str], tuple[int, StaticFile | None]] = {}
        """The number and page of the newest version, by whether the browser may act, whether it
        shows the probability to win, its face and the language."""

    def response(self, request: Request, *, may_act: bool) -> Response:
        """The page, or status 304 if the browser's copy is still current."""
        choice, words = request.cookies.get(WIN_COOKIE, ""), self._site.words_of(request)
        face = "console" if request.cookies.get(FACE_COOKIE) == "console" else "play"
        response = self._file(may_act, choice, face, words).response(request)
        # Private: it shows whether this browser may act, so that no proxy may give it to another
        # one.
        response.headers["cache-control"] = "private, no-cache"
        response.headers["vary"] = "accept-encoding, cookie"
        response.headers["content-security-policy"] = self._styles_now.policy
        return response

    @property
    def _styles_now(self) -> Styles:
        return self._styles[self._feed.version.state["table"]]

    def _file(self, may_act: bool, choice: str, face: str, words: Words) -> StaticFile:
        version = self._feed.version
        win = _shows_win(version.state, choice)
        key = may_act, win, face, words.language
        number, file = self._newest.get(key, (0, None))
        if file is None or number != version.number:
            file = self._render(version, may_act, win, face, words)
            self._newest[key] = version.number, file
        return file

    def _render(
        self, version: Version, may_act: bool, win: bool, face: str, words: Words
    ) -> StaticFile:
        state = version.state
        position = None if state["position"] is None else parse_position(state["position"]["text"])
        virtual = state["table"] == "virtual"
        kind = "watch virtual" if virtual else "watch"
        bar = " data-win" if win else ""
        phase = f' data-phase="{escaped(state["phase"])}"'
        html = self._html
        for mark, content in (
            (_BODY, f'<body class="{kind}" data-face="{face}"{phase}{bar}>'),
            (_BOARD_END, table_svg(position) + _BOARD_END),
            (_MANIFEST, self._styles_now.element + _MANIFEST),
            (_OLED, f'{_OLED}src="{escaped(state["oled"])}" '),
            (_SCRIPT, _texts(words) + (self._virtual if virtual else "") + _SCRIPT),
            *(_name(side, version, words) for side in Side),
            # Last, so that no mark is looked for in the names that the state contains.
            (_STATE, _STATE + in_script(version.short_document(may_act=may_act, words=words))),
        ):
            html = _replaced(html, mark, content)
        return StaticFile.of(html.encode(), TYPES[".html"], level=LEVEL)


def with_board(file: StaticFile) -> StaticFile:
    """A page with the empty board in it."""
    html = _replaced(file.plain.decode(), _BOARD_END, table_svg(None) + _BOARD_END)
    return StaticFile.of(html.encode(), file.type)


def in_script(document: bytes) -> str:
    r"""A JSON document for an HTML element `script`, which no string in it can end.

    >>> in_script(b'["</script><!--"]')
    '["\\u003c/script>\\u003c!--"]'
    """
    return document.decode().replace("<", "\\u003c")


def _shows_win(state: Mapping[str, Any], choice: str) -> bool:
    """Return whether a browser shows the probability to win; `js/win_bar.js` decides the same.

    Args:
        state: The state document.
        choice: The value of the cookie `WIN_COOKIE`, empty if there is none.
    """
    if not state["hints"] or state["position"] is None or choice == "never":
        return False
    return choice == "always" or any(seat != "person" for seat in state["seats"].values())


def _texts(words: Words) -> str:
    """An element that loads the page's texts together with its scripts.

    The scripts contain the English ones.
    """
    if words.language == "en":
        return ""
    address = f"/api/words?language={words.language}"
    return f'<link rel="preload" href="{address}" as="fetch" crossorigin="anonymous">\n'


def _name(side: Side, version: Version, words: Words) -> tuple[str, str]:
    mark = _NAME.format(side.value)
    name = version.state["players"][side.value] or words.side(side)
    return mark, mark + escaped(name)


def _replaced(html: str, mark: str, content: str) -> str:
    """Replace the first occurrence of a mark, which must exist."""
    before, found, after = html.partition(mark)
    assert found, f"The page does not contain {mark}."
    return before + content + after
