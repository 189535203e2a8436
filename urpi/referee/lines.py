"""Facts and decisions as JSON lines (FORMATS.md, Event stream): one object, one line, one value.

What a move, faces or a device's name mean it does not know: an answer that fits nothing is the
referee's to refuse, not the reader's. Which types and keys there are, `line_types` owns.
"""

import json
import re
import reprlib
from typing import Any, Final, NoReturn, cast

from urpi.errors import UrpiError
from urpi.referee import decisions
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact
from urpi.referee.line_types import DECISION_TYPES, FACT_TYPES, TIME_KEY, Key, Type

LONGEST_LINE: Final = 65_536
"""Characters; no fact or decision comes near it."""
DEEPEST: Final = 32
"""Objects and lists inside each other; a line of ours has two."""


_FACTS: Final = {kind.name: kind for kind in FACT_TYPES}
_DECISIONS: Final = {kind.name: kind for kind in DECISION_TYPES}
_BY_CLASS: Final = {kind.make: kind for kind in (*FACT_TYPES, *DECISION_TYPES)} | {
    decisions.Warned: _DECISIONS["warning"]
}
_encode: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def parse_fact(line: str, number: int = 0) -> Fact:
    """The fact that a line tells. Keys that its type does not know are passed over.

    Args:
        line: one JSON object; a line's end behind it is allowed.
        number: the line's number from 1, for the error message; 0 when it has none.

    Raises:
        UrpiError: when it is no fact; the message names the line, what was found, what is
            allowed.

    >>> parse_fact('{"t":40,"type":"square","square":"B1","on":true}')
    Edge(t=40, square=6, on=True)
    """
    return cast("Fact", _parse(line, number, _FACTS))


def parse_decision(line: str, number: int = 0) -> Decision:
    """The decision that a line tells, as `parse_fact`.

    Raises:
        UrpiError: when it is no decision.
    """
    return cast("Decision", _parse(line, number, _DECISIONS))


def fact_line(fact: Fact) -> str:
    """The fact's line: compact JSON without a line's end.

    >>> from urpi.referee.facts import Occupancy
    >>> fact_line(Occupancy(7, 0b1000001))
    '{"t":7,"type":"occupancy","squares":["A1","B1"]}'
    """
    return _line(fact)


def decision_line(decision: Decision) -> str:
    """The decision's line, as `fact_line`."""
    return _line(decision)


def decision_object(decision: Decision) -> dict[str, Any]:
    """What a decision's line says, as an object.

    >>> from urpi.referee.decisions import Cleared
    >>> decision_object(Cleared(7))
    {'t': 7, 'type': 'cleared'}
    """
    return _object_of(decision)


def type_of(value: Fact | Decision) -> str:
    """The type of a fact's or a decision's line.

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
        held = key.get(value)
        if key.belongs(line) and (key.needed or held != key.default):
            line[key.name] = key.kind.write(held)
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
        message = f"a line is at most {LONGEST_LINE} characters long; found {len(line)}."
        raise UrpiError(message)
    if _is_deep(line):
        message = "a line is one JSON object; this one is nested too deeply."
        raise UrpiError(message)
    try:
        line.encode()
        found = _decode(line)
    except ValueError as error:
        message = f"a line is one JSON object; found {reprlib.repr(line)} ({error})."
        raise UrpiError(message) from error
    if type(found) is not dict:
        message = f"a line is one JSON object; found {reprlib.repr(found)}."
        raise UrpiError(message)
    return found


def _is_deep(line: str) -> bool:
    """Whether objects and lists are nested deeper than any line needs.

    Python's own limit for it differs from one version to the next.
    """
    if line.count("{") + line.count("[") <= DEEPEST:
        return False
    depth = 0
    for bracket in _BRACKET.findall(_STRING.sub("", line)):
        depth += 1 if bracket in "{[" else -1
        if depth > DEEPEST:
            return True
    return False


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        message = "a key stands twice"
        raise ValueError(message)
    return found


_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKET: Final = re.compile(r"[][{}]")


def _no_constant(name: str) -> NoReturn:
    message = f"{name} is no JSON"
    raise ValueError(message)


_decode: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant).decode


def _value(line: dict[str, Any], types: dict[str, Type]) -> object:
    t = _read(line, TIME_KEY, "a")
    name = line.get("type")
    kind = types.get(name) if isinstance(name, str) else None
    if kind is None:
        found = reprlib.repr(name) if "type" in line else "none"
        message = f"the type is one of {', '.join(types)}; found {found}."
        raise UrpiError(message)
    values = {"t": t}
    for key in kind.keys:
        if key.belongs(line) and (key.needed or key.name in line):
            values[key.name] = _read(line, key, f"a {kind.name}")
    value = kind.make(**values)
    if kind.check:
        kind.check(value)
    return cast("object", value)


def _read(line: dict[str, Any], key: Key, whose: str) -> Any:
    if key.name not in line:
        message = f"{whose} line needs the key {key.name}: {key.kind.allowed}."
        raise UrpiError(message)
    try:
        return key.kind.read(line[key.name])
    except (ValueError, TypeError, LookupError, UrpiError) as error:
        found = reprlib.repr(line[key.name])
        message = f"{key.name} of {whose} line is {key.kind.allowed}; found {found}."
        raise UrpiError(message) from error
