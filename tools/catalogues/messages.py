"""Extraction of the messages, the texts in the code that are marked for translation.

Marked texts are the arguments of `N_`, `NC_` (with a context), `words.text`, `words.count` and
`several` (singular and plural), and the description of a rule set's `Option`. They are found in
the syntax tree, so that a `text()` of another object is not mistaken for a message. The messages
of the page are found by `tools.catalogues.page_messages`.

A comment that begins with ``# Translators:`` belongs to the messages of the statement, or of the
entry of a table, that begins on the line below it.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tools.catalogues.found import (
    TRANSLATORS,
    Found,
    MessageId,
    Unreadable,
    Use,
    context_and_text,
    singular,
)
from tools.catalogues.page_messages import messages_in_html, messages_in_script
from tools.catalogues.placeholders import described
from urpi.show.words.sentences import CONTEXT_END

MARKS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {"N_": (0,), "NC_": (0, 1), "text": (0,), "count": (0, 1), "several": (1, 2), "Option": (2,)}
)
"""The arguments of a call that are messages, from 0."""
METHODS: Final = frozenset({"text", "count"})
"""These mark messages only as methods of an object in `WORDS`."""
WORDS: Final = frozenset({"words", "_words", "wording", "_wording"})
NEEDED: Final = frozenset({"N_", "NC_", "several", "Option"})
"""The arguments of these are always literal; others may get a message marked elsewhere."""

_MARKED: Final = re.compile(
    r"\b(?:N_|NC_|several|Option|_?word(?:s|ing)\s*\.\s*(?:text|count))\s*\("
)
"""What every source that marks a message contains; most need not be parsed."""


def messages_in(source: str) -> Found:
    """Return the messages that a Python source file marks.

    >>> messages_in('N_("Aim"); words.count("{n} die", "{n} dice", 2); path.text("/etc")')
    Found(messages=('Aim', ('{n} die', '{n} dice')), unreadable=(), comments={})
    """
    if not _MARKED.search(source):
        return Found((), (), {})
    tree = ast.parse(source)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    calls.sort(key=lambda call: (call.lineno, call.col_offset))
    said = _comments(source, tree)
    messages: list[MessageId] = []
    comments: dict[MessageId, tuple[str, ...]] = {}
    unreadable: list[Unreadable] = []
    for call in calls:
        mark = _mark(call)
        if mark is None:
            continue
        message = _message(call, MARKS[mark])
        if message is not None and mark == "NC_":
            message = CONTEXT_END.join(message)
        if message is not None:
            messages.append(message)
            about = tuple(text for lines, text in said if call.lineno in lines)
            if about:
                comments[message] = (*comments.get(message, ()), *about)
        elif mark in NEEDED or any(isinstance(each, ast.JoinedStr) for each in call.args):
            unreadable.append(Unreadable(call.lineno, mark))
    return Found(tuple(messages), tuple(unreadable), comments)


_COMMENT: Final = re.compile(
    rf"^(?P<first> *# {TRANSLATORS}.*\n)(?P<more>(?: *# .*\n)*)", re.MULTILINE
)


def _comments(source: str, tree: ast.Module) -> list[tuple[range, str]]:
    """Return the comments for translators, each with the lines of the code to which it belongs."""
    if f"# {TRANSLATORS}" not in source:
        return []
    ends: dict[int, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.stmt, ast.expr)):
            end = node.end_lineno or node.lineno
            ends[node.lineno] = max(end, ends.get(node.lineno, 0))
    found = []
    for comment in _COMMENT.finditer(source):
        below = source.count("\n", 0, comment.end()) + 1
        lines = comment[0].replace("# ", "", 1).replace(TRANSLATORS, "", 1).splitlines()
        text = " ".join(line.strip().removeprefix("# ") for line in lines)
        found.append((range(below, ends.get(below, below) + 1), text))
    return found


def _mark(call: ast.Call) -> str | None:
    name = _last_name(call.func)
    if name not in MARKS:
        return None
    if name in METHODS:
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        return name if _last_name(receiver) in WORDS else None
    return name


def _last_name(node: ast.expr | None) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _message(call: ast.Call, places: tuple[int, ...]) -> MessageId | None:
    if len(call.args) <= places[-1]:
        return None
    texts = list(_texts(call.args[place] for place in places))
    if len(texts) != len(places):
        return None
    return texts[0] if len(texts) == 1 else (texts[0], texts[1])


def _texts(nodes: Iterable[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


READERS: Final[Mapping[str, Callable[[str], Found]]] = MappingProxyType(
    {".py": messages_in, ".js": messages_in_script, ".html": messages_in_html}
)
"""The readers of the files that contain messages, by the suffix."""


def messages_of(root: Path) -> dict[MessageId, Use]:
    """Return the messages of the package below `root`, each with its files and comments.

    The messages are ordered by file and place, those of Python first. File names begin with
    `root`'s name.

    Raises:
        SystemExit: If a marked message is composed at run time.
    """
    uses: dict[MessageId, Use] = {}
    for path in (path for suffix in READERS for path in sorted(root.rglob(f"*{suffix}"))):
        name = path.relative_to(root.parent).as_posix()
        found = READERS[path.suffix](path.read_text(encoding="utf-8"))
        for line, mark in found.unreadable:
            message = (
                f"{name}:{line}: {mark} marks a text that is composed at run time; "
                "write the whole text there, with words in {braces} to be filled in."
            )
            raise SystemExit(message)
        for message_id in found.messages:
            use = uses.setdefault(message_id, Use([], []))
            if name not in use.files:
                use.files.append(name)
            new = found.comments.get(message_id, ())
            use.comments.extend(text for text in new if text not in use.comments)
    for message_id, use in uses.items():
        use.comments.extend(described(context_and_text(singular(message_id))[1]))
    return uses
