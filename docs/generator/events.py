"""The page that lists the types of the event stream with their keys."""

from collections.abc import Iterable, Iterator
from typing import Final

from docs.generator import markdown
from urpi.referee.line_types import DECISION_TYPES, FACT_TYPES, TIME_KEY, Key, Type

_INTRODUCTION: Final = """\
One JSON object per line: this is what the journal stores, `urpi referee` reads and writes, a replay
prints, and the [page's API](api.md) sends. [The event stream](../design/FORMATS.md#event-stream)
describes when each type occurs and what it means for the game; this page lists the keys and their
allowed values. Every line has `type`, and `t`: {time}."""


def page() -> str:
    """Return the contents of docs/reference/events.md."""
    return markdown.page(
        "Events",
        "urpi/referee/line_types.py",
        _INTRODUCTION.format(time=TIME_KEY.kind.allowed),
        "## Facts (input)",
        _table(FACT_TYPES),
        "## Decisions (output)",
        _table(DECISION_TYPES),
    )


def _table(types: Iterable[Type]) -> str:
    return markdown.table(
        ["type", "key", "allowed values"], (row for one in types for row in _rows(one))
    )


def _rows(of: Type) -> Iterator[tuple[str, str, str]]:
    """Yield a row for each key; only the first one names the type."""
    if not of.keys:
        yield f"`{of.name}`", "", "only the time"
    for number, key in enumerate(of.keys):
        yield "" if number else f"`{of.name}`", f"`{key.name}`", _allowed(key)


def _allowed(key: Key) -> str:
    if key.only_for is not None:
        name, value = key.only_for
        return f"{key.kind.allowed}; only where `{name}` is {value}"
    if not key.required and "absent" not in key.kind.allowed:
        return f"{key.kind.allowed}, or absent"
    return key.kind.allowed
