"""The messages of the page: what its scripts look up, and what its HTML marks.

A script looks a text up with ``gettext("...")``, ``pgettext("context", "...")`` or
``ngettext("one ...", "many ...", number)``, where the literals are the whole arguments. HTML marks
it with the attribute `data-translate`, as `js/translation.js` reads it: the element's text and its
labels; the attribute's value is their context.

A comment that begins with ``Translators:`` belongs to the texts of the statement on the line below
it, and in HTML to those of the next marked element.
"""

import json
import re
from html.parser import HTMLParser
from typing import Final

from tools.catalogues.found import TRANSLATORS, Found, MessageId, Unreadable
from urpi.show.words.sentences import CONTEXT_END

_LITERAL: Final = r'"(?:[^"\\\n]|\\.)*"'
_CALL: Final = re.compile(
    r"\b(?P<mark>[pn]?gettext)\("
    rf"\s*(?:(?P<first>{_LITERAL})\s*(?:,\s*(?P<second>{_LITERAL})\s*)?[,)]"
    r"|(?P<variable>[a-z]\w*)\s*[,)])?"
)
"""A call. Babel's own extractor of JavaScript does not find one in the arguments of another."""
_COMMENT: Final = re.compile(
    rf"^(?P<first> *// {TRANSLATORS}.*\n)(?P<more>(?: *// .*\n)*)", re.MULTILINE
)
_STRINGS: Final = re.compile(rf"{_LITERAL}|`[^`]*`")
LABELS: Final = ("aria-label", "alt", "title")


def messages_in_script(source: str) -> Found:
    r"""Return the messages that a script looks up.

    >>> messages_in_script('gettext("{a}: {b}", { b: pgettext("replay", "Play") })').messages
    ('{a}: {b}', 'replay\x04Play')
    """
    messages: list[MessageId] = []
    unreadable: list[Unreadable] = []
    comments: dict[MessageId, tuple[str, ...]] = {}
    said = _comments(source)
    for call in _CALL.finditer(source):
        line = source.count("\n", 0, call.start()) + 1
        message = _message(call)
        if message is not None:
            messages.append(message)
            about = tuple(text for lines, text in said if line in lines)
            if about:
                comments[message] = (*comments.get(message, ()), *about)
        elif not call["variable"]:
            unreadable.append(Unreadable(line, call["mark"]))
    return Found(tuple(messages), tuple(unreadable), comments)


def _message(call: re.Match[str]) -> MessageId | None:
    if not call["first"]:
        return None
    first = json.loads(call["first"])
    if call["mark"] == "gettext":
        # A literal below the message would be a detail, which is always an object.
        return None if call["second"] else str(first)
    if not call["second"]:
        return None
    second = json.loads(call["second"])
    return f"{first}{CONTEXT_END}{second}" if call["mark"] == "pgettext" else (first, second)


def _comments(source: str) -> list[tuple[range, str]]:
    """Return the comments for translators, each with the lines of its statement."""
    found = []
    for comment in _COMMENT.finditer(source):
        below = source.count("\n", 0, comment.end()) + 1
        lines = comment[0].replace(TRANSLATORS, "", 1).splitlines()
        text = " ".join(line.strip().removeprefix("// ") for line in lines)
        found.append((range(below, below + _height(source[comment.end() :])), text))
    return found


def _height(source: str) -> int:
    """Return the number of lines until all brackets of the first one are closed."""
    depth = 0
    for number, line in enumerate(source.splitlines(), 1):
        bare = _STRINGS.sub("", line)
        depth += sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}"))
        if depth <= 0:
            return number
    return 1


def messages_in_html(source: str) -> Found:
    """Return the messages that an HTML file marks.

    >>> messages_in_html('<nav data-translate aria-label="Pages"><b data-translate>Games</b></nav>')
    Found(messages=('Pages', 'Games'), unreadable=(), comments={})
    """
    texts = _MarkedTexts()
    texts.feed(source)
    return Found(tuple(texts.found), (), texts.comments)


class _MarkedTexts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.comments: dict[MessageId, tuple[str, ...]] = {}
        self._open = False
        self._context = ""
        self._comment: tuple[str, ...] = ()
        self._said: tuple[str, ...] = ()

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self._open = "data-translate" in known
        if self._open:
            self._context = known["data-translate"] or ""
            self._comment, self._said = self._said, ()
            for label in LABELS:
                if label in known:
                    self._add(known[label] or "")

    def handle_data(self, data: str) -> None:
        if self._open and data.strip():
            self._add(data.strip())
        self._open = False

    def handle_comment(self, data: str) -> None:
        if data.strip().startswith(TRANSLATORS):
            self._said = (*self._said, " ".join(data.strip().removeprefix(TRANSLATORS).split()))

    def _add(self, text: str) -> None:
        message = f"{self._context}{CONTEXT_END}{text}" if self._context else text
        self.found.append(message)
        if self._comment:
            self.comments[message] = (*self.comments.get(message, ()), *self._comment)
