"""Facts and decisions as JSON lines (FORMATS.md, Event stream).

The types and keys are listed in `urpi.referee.line_types`. Moves, faces and names of devices are
not interpreted here: the referee refuses an answer that does not apply.
"""

import json
import re
import reprlib
from typing import Any, Final, cast

from urpi.core import strict_json
from urpi.core.errors import UrpiError
from urpi.referee import decisions
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact
from urpi.referee.line_types import DECISION_TYPES, FACT_TYPES, TIME_KEY, Key, Type

LONGEST_LINE: Final = 65_536
"""Maximum number of characters, far above that of any fact or decision."""
DEEPEST: Final = 32
"""Maximum nesting of objects and lists; the lines of this table need two."""


_FACTS: Final = {kind.name: kind for kind in FACT_TYPES}
_DECISIONS: Final = {kind.name: kind for kind in DECISION_TYPES}
_BY_CLASS: Final = {kind.make: kind for kind in (*FACT_TYPES, *DECISION_TYPES)} | {
    decisions.Warned: _DECISIONS["warning"]
}
_encode: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


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
    return cast("Fact", _parse(line, number, _FACTS))


def parse_decision(line: str, number: int = 0) -> Decision:
    """Parse a line as a decision, like `parse_fact`.

    Raises:
        UrpiError: If the line is invalid.
    """
    return cast("Decision", _parse(line, number, _DECISIONS))


def fact_line(fact: Fact) -> str:
    """Return a fact as compact JSON, without a newline.

    >>> from urpi.referee.facts import Occupancy
    >>> fact_line(Occupancy(7, 0b1000001))
    '{"t":7,"type":"occupancy","squares":["A1","B1"]}'
    """
    return _line(fact)


def decision_line(decision: Decision) -> str:
    """Return a decision as compact JSON, without a newline."""
    return _line(decision)


def decision_object(decision: Decision) -> dict[str, Any]:
    """Return a decision as the object that its line contains.

    >>> from urpi.referee.decisions import Cleared
    >>> decision_object(Cleared(7))
    {'t': 7, 'type': 'cleared'}
    """
    return _object_of(decision)


def type_of(value: Fact | Decision) -> str:
    """Return the type of a fact's or decision's line.

    >>> from urpi.referee.facts import Edge
    >>> type_of(Edge(40, 6, True))
    'square'
    """
    return _BY_CLASS[type(value)].name


def _line(value: Fact | Decision) -> str:
    return _encode(_object_of(value))


def _object_of(value: Fact | Decision) -> dict[str, Any]:
    kind = _BY_CLASS[type(value)]
    line: dict[str, Any] = {"t": value.t, "type": kind.name}
    for key in kind.keys:
        found = key.get(value)
        if key.applies_to(line) and (key.required or found != key.default):
            line[key.name] = key.kind.format(found)
    return line


def _parse(line: str, number: int, types: dict[str, Type]) -> object:
    try:
        return _value(_object(line), types)
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


def _value(line: dict[str, Any], types: dict[str, Type]) -> object:
    t = _parse_value(line, TIME_KEY, "a")
    name = line.get("type")
    kind = types.get(name) if isinstance(name, str) else None
    if kind is None:
        found = reprlib.repr(name) if "type" in line else "none"
        message = f"the type must be one of {', '.join(types)}; found {found}."
        raise UrpiError(message)
    values = {"t": t}
    for key in kind.keys:
        if key.applies_to(line) and (key.required or key.name in line):
            values[key.name] = _parse_value(line, key, f"a {kind.name}")
    value = kind.make(**values)
    if kind.check:
        kind.check(value)
    return cast("object", value)


def _parse_value(line: dict[str, Any], key: Key, whose: str) -> Any:
    if key.name not in line:
        message = f"{whose} line needs the key {key.name}: {key.kind.allowed}."
        raise UrpiError(message)
    try:
        return key.kind.parse(line[key.name])
    except (ValueError, TypeError, LookupError, UrpiError) as error:
        found = reprlib.repr(line[key.name])
        message = f"{key.name} of {whose} line must be {key.kind.allowed}; found {found}."
        raise UrpiError(message) from error
