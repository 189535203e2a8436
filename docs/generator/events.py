"""The lines of the event stream, type by type with their keys, as they are read and written."""

from collections.abc import Iterable, Iterator
from typing import Final

from docs.generator import markdown
from urpi.referee.line_types import DECISION_TYPES, FACT_TYPES, TIME_KEY, Key, Type

_INTRODUCTION: Final = """\
One JSON object a line: what the journal stores, what `urpi referee` reads and writes, what a replay
shows, and what the [page's API](api.md) sends. When each is said, and what it means for the game,
is told in [the event stream](../design/FORMATS.md#event-stream); these are the keys and what each
may be. Every line has `type`, and `t`: {time}."""


def page() -> str:
    """docs/reference/events.md."""
    return markdown.page(
        "Events",
        "urpi/referee/line_types.py",
        _INTRODUCTION.format(time=TIME_KEY.kind.allowed),
        "## Facts, which go in",
        _table(FACT_TYPES),
        "## Decisions, which come out",
        _table(DECISION_TYPES),
    )


def _table(types: Iterable[Type]) -> str:
    return markdown.table(
        ["type", "key", "what it may be"], (row for one in types for row in _rows(one))
    )


def _rows(of: Type) -> Iterator[tuple[str, str, str]]:
    """A row a key; the type stands in the first."""
    if not of.keys:
        yield f"`{of.name}`", "", "nothing but the time"
    for number, key in enumerate(of.keys):
        yield "" if number else f"`{of.name}`", f"`{key.name}`", _allowed(key)


def _allowed(key: Key) -> str:
    if key.only_for is not None:
        name, value = key.only_for
        return f"{key.kind.allowed}; only where `{name}` is {value}"
    if not key.needed and "absent" not in key.kind.allowed:
        return f"{key.kind.allowed}, or absent"
    return key.kind.allowed
