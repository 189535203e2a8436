"""The messages of the page: what its scripts look up, and what its HTML marks.

A script looks a text up with `gettext("...")`, where the literal is the whole first argument. HTML
marks it with the attribute `data-translate`, as `js/translation.js` reads it: the element's text
and its labels.
"""

import json
import re
from html.parser import HTMLParser
from typing import Final

from tools.catalogues.found import Found, Unreadable

MARK: Final = "gettext"
_CALL: Final = re.compile(
    rf'\b{MARK}\(\s*(?:(?P<literal>"(?:[^"\\\n]|\\.)*")\s*[,)]|(?P<variable>[a-z]\w*)\s*[,)])?'
)
"""A call. Babel's own extractor of JavaScript does not find one in the arguments of another."""
LABELS: Final = ("aria-label", "alt", "title")


def messages_in_script(source: str) -> Found:
    r"""Return the messages that a script looks up.

    >>> messages_in_script('gettext("{a}: {b}", { b: gettext("Board") }); gettext(message)')
    Found(messages=('{a}: {b}', 'Board'), unreadable=())
    """
    calls = list(_CALL.finditer(source))
    return Found(
        tuple(json.loads(call["literal"]) for call in calls if call["literal"]),
        tuple(
            Unreadable(source.count("\n", 0, call.start()) + 1, MARK)
            for call in calls
            if not call["literal"] and not call["variable"]
        ),
    )


def messages_in_html(source: str) -> Found:
    """Return the messages that an HTML file marks.

    >>> messages_in_html('<nav data-translate aria-label="Pages"><b data-translate>Games</b></nav>')
    Found(messages=('Pages', 'Games'), unreadable=())
    """
    texts = _MarkedTexts()
    texts.feed(source)
    return Found(tuple(texts.found), ())


class _MarkedTexts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open = False

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self._open = "data-translate" in known
        if self._open:
            self.found += [known[label] or "" for label in LABELS if label in known]

    def handle_data(self, data: str) -> None:
        if self._open and data.strip():
            self.found.append(data.strip())
        self._open = False
