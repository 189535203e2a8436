"""Facts and decisions as JSON lines (FORMATS.md, Event stream).

The types and keys are listed in `urpi.referee.line_types`. Moves, faces and names of devices are
not interpreted here: the referee refuses an answer that does not apply.
"""

import re
import reprlib
from typing import Any, Final

from urpi.core import strict_json
from urpi.core.codec import Codec, Value
from urpi.core.errors import UrpiError
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact
from urpi.referee.line_types import DECISION_TYPES, FACT_TYPES

LONGEST_LINE: Final = 65_536
"""Maximum number of characters, far above that of any fact or decision."""
DEEPEST: Final = 32
"""Maximum nesting of objects and lists; the lines of this table need two."""


_FACTS: Final[Codec[Fact]] = Codec("a line of type {}", FACT_TYPES, before=("t",))
_DECISIONS: Final[Codec[Decision]] = Codec("a line of type {}", DECISION_TYPES, before=("t",))
_NAMES: Final = {each.make: each.name for each in (*FACT_TYPES, *DECISION_TYPES)}


def parse_fact(line: str, number: int = 0) -> Fact:
    """Parse a line as a fact; unknown keys are ignored.

    Args:
        line: One JSON object, with or without a newline at the end.
        number: Number of the line for the error message, from 1; 0, the default, if it has none.

    Raises:
        UrpiError: If the line is invalid; the message names the line, the value found and the
            allowed values.

    >>> parse_fact('{"t":40,"type":"square","square":"B1","on":true}')
    Edge(t=40, square=6, on=True)
    """
    return _parse(line, number, _FACTS)


def parse_decision(line: str, number: int = 0) -> Decision:
    """Parse a line as a decision, like `parse_fact`.

    Raises:
        UrpiError: If the line is invalid.
    """
    return _parse(line, number, _DECISIONS)


def fact_line(fact: Fact) -> str:
    """Return a fact as compact JSON, without a newline.

    >>> from urpi.referee.facts import Occupancy
    >>> fact_line(Occupancy(7, 0b1000001))
    '{"t":7,"type":"occupancy","squares":["A1","B1"]}'
    """
    return _FACTS.line_of(fact)


def decision_line(decision: Decision) -> str:
    """Return a decision as compact JSON, without a newline."""
    return _DECISIONS.line_of(decision)


def decision_object(decision: Decision) -> dict[str, Any]:
    """Return a decision as the object that its line contains.

    >>> from urpi.referee.decisions import Cleared
    >>> decision_object(Cleared(7))
    {'t': 7, 'type': 'cleared'}
    """
    return _DECISIONS.object_of(decision)


def type_of(value: Fact | Decision) -> str:
    """Return the type of a fact's or decision's line.

    >>> from urpi.referee.facts import Edge
    >>> type_of(Edge(40, 6, True))
    'square'
    """
    return _NAMES[type(value)]


def _parse(line: str, number: int, codec: Codec[Value]) -> Value:
    try:
        return codec.parse(_object(line))
    except UrpiError as error:
        if not number:
            raise
        message = f"Line {number}: {error}"
        raise UrpiError(message) from error


def _object(line: str) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        message = f"a line must be at most {LONGEST_LINE} characters long; found {len(line)}."
        raise UrpiError(message)
    if _is_deep(line):
        message = "a line must be one JSON object; this one is nested too deeply."
        raise UrpiError(message)
    try:
        line.encode()
        found = strict_json.decode(line)
    except ValueError as error:
        message = f"a line must be one JSON object; found {reprlib.repr(line)} ({error})."
        raise UrpiError(message) from error
    if type(found) is not dict:
        message = f"a line must be one JSON object; found {reprlib.repr(found)}."
        raise UrpiError(message)
    return found


def _is_deep(line: str) -> bool:
    """Return whether objects and lists are nested more deeply than any line needs.

    The decoder's own limit differs between versions of Python.
    """
    if line.count("{") + line.count("[") <= DEEPEST:  # nearly every line; saves the loop
        return False
    depth = 0
    for bracket in _BRACKET.findall(_STRING.sub("", line)):
        depth += 1 if bracket in "{[" else -1
        if depth > DEEPEST:
            return True
    return False


_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKET: Final = re.compile(r"[][{}]")
