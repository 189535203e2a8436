"""Messages: every text in the code that is marked for the catalogues, and where it stands.

Marked are the arguments of `N_`, of `words.text`, of `words.count` and `several` (one and many),
and what an `Option` of a rule set is about. They are found in the parsed source, not by their
look, so that a `text` that belongs to no words is none.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

MessageId: TypeAlias = str | tuple[str, str]
"""A message, or its wordings for one and for many."""

MARKS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {"N_": (0,), "text": (0,), "count": (0, 1), "several": (1, 2), "Option": (2,)}
)
"""Which arguments of a call are messages, counted from 0."""
METHODS: Final = frozenset({"text", "count"})
"""They mark only where they are called on words."""
WORDS: Final = frozenset({"words", "_words", "wording", "_wording"})
NEEDED: Final = frozenset({"N_", "several", "Option"})
"""Their messages stand there as they are; the others may be handed what is marked elsewhere."""


class Unreadable(NamedTuple):
    """A message that no catalogue can hold, for it is put together when the program runs."""

    line: int
    mark: str


class Found(NamedTuple):
    """The messages of one file, in their order, and those that cannot be read."""

    messages: tuple[MessageId, ...]
    unreadable: tuple[Unreadable, ...]


def messages_in(source: str) -> Found:
    """What a file of Python marks.

    >>> messages_in('N_("Aim"); words.count("{n} die", "{n} dice", 2); path.text("/etc")')
    Found(messages=('Aim', ('{n} die', '{n} dice')), unreadable=())
    """
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    calls.sort(key=lambda call: (call.lineno, call.col_offset))
    messages: list[MessageId] = []
    unreadable: list[Unreadable] = []
    for call in calls:
        mark = _mark(call)
        if mark is None:
            continue
        message = _message(call, MARKS[mark])
        if message is not None:
            messages.append(message)
        elif mark in NEEDED or any(isinstance(each, ast.JoinedStr) for each in call.args):
            unreadable.append(Unreadable(call.lineno, mark))
    return Found(tuple(messages), tuple(unreadable))


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


def messages_of(root: Path) -> dict[MessageId, list[str]]:
    """Every message of the package below `root`, and the files that it stands in.

    Ordered by file and line, `root`'s name and slashes in the files' names.

    Raises:
        SystemExit: when a marked message is put together at run time.
    """
    places: dict[MessageId, list[str]] = {}
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root.parent).as_posix()
        found = messages_in(path.read_text(encoding="utf-8"))
        for line, mark in found.unreadable:
            message = (
                f"{name}:{line}: {mark} marks a text that is put together when the program runs; "
                "write the whole text there, with words in {braces} to be filled in."
            )
            raise SystemExit(message)
        for message_id in found.messages:
            files = places.setdefault(message_id, [])
            if name not in files:
                files.append(name)
    return places
