"""Which lines a table may send: those of one game, without the players' names."""

import json
from collections.abc import Iterable
from typing import Any, Final, Literal, TypeAlias

from urpi.core.errors import UrpiError
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact, Game
from urpi.referee.line_types import DECISION_TYPES
from urpi.referee.lines import parse_decision, parse_fact

EntryKind: TypeAlias = Literal["fact", "decision"]

_DECISIONS: Final = frozenset(kind.name for kind in DECISION_TYPES)
_NAMED: Final = '"type":"game"'
_TEXT: Final = '"text":'


def without_names(line: str) -> str:
    """A stored line as it is published: without the players' names.

    A sentence in the table's language may contain one. It follows from the code beside it, so every
    `text` is left empty too.
    """
    # Most lines contain neither. With a backslash, a key could be written with escapes.
    if _NAMED not in line and _TEXT not in line and "\\" not in line:
        return line
    content: dict[str, Any] = json.loads(line)
    if content.get("type") == "game":
        content |= {"light": "", "dark": ""}
    elif "text" in content:
        content["text"] = ""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def check_lines(first: int, lines: Iterable[str]) -> None:
    """Check lines of a game that a table sent.

    Args:
        first: The number of the first line, from 1.
        lines: The lines; an empty one has been removed.

    Raises:
        UrpiError: If one is not a line of a game, contains what `without_names` removes, or if line
            1 is not a `game` fact, or another one is.
    """
    for number, line in enumerate(lines, first):
        # Pruned lines keep their numbers. The first line is never removed.
        if not line and number > 1:
            continue
        found = _parse(line, number)
        if isinstance(found, Game) != (number == 1):
            message = f"Line {number}: a game must begin with a line of type game, its only one."
            raise UrpiError(message)
        # Checked here as well: a table with a modified program must not publish names.
        if without_names(line) != line:
            message = f"Line {number}: a published line must not contain names or sentences."
            raise UrpiError(message)


def kind_of(line: str) -> EntryKind:
    """Whether a line that has been checked is a fact or a decision."""
    return "decision" if json.loads(line)["type"] in _DECISIONS else "fact"


def _parse(line: str, number: int) -> Fact | Decision:
    try:
        kind = json.loads(line).get("type")
    except (ValueError, AttributeError, RecursionError):
        kind = None
    if isinstance(kind, str) and kind in _DECISIONS:
        return parse_decision(line, number)
    return parse_fact(line, number)
