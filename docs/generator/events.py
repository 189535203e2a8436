"""The page that lists the types of the event stream with their keys."""

from collections.abc import Iterable, Iterator
from typing import Final

from docs.generator import markdown
from urpi.core.codec import Key, Type
from urpi.referee.line_kinds import TIME
from urpi.referee.line_types import DECISION_TYPES, FACT_TYPES

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
        _INTRODUCTION.format(time=TIME.allowed),
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
    keys = [key for key in of.keys if key.kind is not TIME]
    if not keys:
        yield f"`{of.name}`", "", "only the time"
    for number, key in enumerate(keys):
        yield "" if number else f"`{of.name}`", f"`{key.name}`", _allowed(key)


def _allowed(key: Key) -> str:
    if key.only is not None:
        return f"{key.kind.allowed}; only where `{key.only.key}` is {key.only.value}"
    if not key.required and "absent" not in key.kind.allowed:
        return f"{key.kind.allowed}, or absent"
    return key.kind.allowed
