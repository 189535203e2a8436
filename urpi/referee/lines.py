"""Facts and decisions as JSON lines (FORMATS.md, Event stream): one object, one line, one value.

It owns the table of types and keys. What a move, faces or a device's name mean it does not
know: an answer that fits nothing is the referee's to refuse, not the reader's.
"""

import json
import re
import reprlib
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, NoReturn, cast

from urpi.errors import UrpiError
from urpi.referee import decisions, facts
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact
from urpi.rules import (
    REFUSAL_CODES,
    SQUARE_NAMES,
    Side,
    names_of,
    parse_position,
    parse_square,
    rule_set,
    squares_of,
)

LONGEST_LINE: Final = 65_536
"""Characters; no fact or decision comes near it."""
DEEPEST: Final = 32
"""Objects and lists inside each other; a line of ours has two."""
LATEST_MS: Final = 2**63 - 1
LAST_DIE: Final = 99


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of value: how to say what is allowed, and the way in and out of JSON.

    `read` raises ValueError or UrpiError when the value is none of this kind.
    """

    allowed: str
    read: Callable[[Any], Any]
    write: Callable[[Any], Any] = lambda value: value


@dataclass(frozen=True, slots=True)
class _Key:
    """One key of a line, and how the value that it tells of is asked for it.

    Not `needed`: it is absent when that is `default`. `only_for` (another key and its value)
    are the lines that have it at all; in others it counts as an unknown key.
    """

    name: str
    kind: _Kind
    get: Callable[[Any], Any]
    needed: bool = True
    default: Any = None
    only_for: tuple[str, str] | None = None

    def belongs(self, line: dict[str, Any]) -> bool:
        """Whether a line with those earlier keys has this one."""
        return self.only_for is None or line.get(self.only_for[0]) == self.only_for[1]


@dataclass(frozen=True, slots=True)
class _Type:
    """One type of line: the value it makes, and its keys in the order they are written.

    `check` raises UrpiError when values that are each right do not fit each other.
    """

    name: str
    make: Callable[..., Any]
    keys: tuple[_Key, ...]
    check: Callable[[Any], None] | None = None


def _wrong() -> NoReturn:
    raise ValueError


def _whole(lowest: int, highest: int, about: str) -> _Kind:
    def read(value: Any) -> int:
        # A bool is an int to Python, and a float may be whole; neither is a whole number here.
        return value if type(value) is int and lowest <= value <= highest else _wrong()

    return _Kind(about, read)


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        _wrong()
    if not value.isascii():
        value.encode()  # half a surrogate pair can be escaped in JSON, but not be stored
    return value


def _choice(*words: str) -> _Kind:
    return _Kind(" or ".join(words), lambda value: value if value in words else _wrong())


def _list_of(kind: _Kind, about: str) -> _Kind:
    def read(value: Any) -> tuple[Any, ...]:
        return tuple(map(kind.read, value)) if type(value) is list else _wrong()

    return _Kind(about, read, list)


def _read_squares(value: Any) -> int:
    return squares_of(map(parse_square, value)) if type(value) is list else _wrong()


def _read_options(value: Any) -> tuple[tuple[str, str], ...]:
    if type(value) is not dict:
        _wrong()
    return tuple((_read_text(name), _read_text(text)) for name, text in value.items())


def _read_own_dice(value: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return _DICE.read(value["light"]), _DICE.read(value["dark"])


def _read_face(value: Any) -> str:
    text = str(value) if type(value) is int else value
    return text if text in _FACES else _wrong()


_FACES: Final = ("g", "s", "-", "1", "2", "3", "4", "5", "6")
_TIME: Final = _whole(0, LATEST_MS, "a whole number of milliseconds, not below 0")
_COUNT: Final = _whole(0, LAST_DIE, f"a whole number from 0 to {LAST_DIE}")
_DIE: Final = _whole(1, LAST_DIE, f"a die's number, from 1 to {LAST_DIE}")
_DICE: Final = _list_of(_DIE, f"a list of dice, each from 1 to {LAST_DIE}")
_TEXT: Final = _Kind("a text", _read_text)
_TEXTS: Final = _list_of(_TEXT, "a list of texts")
_FLAG: Final = _Kind(
    "true or false", lambda value: value if value is True or value is False else _wrong()
)
_TRUE: Final = _Kind("true, or absent", lambda value: value if value is True else _wrong())
_SIDE: Final = _Kind("light or dark", Side, lambda side: side.value)
_SQUARE: Final = _Kind("a square, A1 .. C8", parse_square, SQUARE_NAMES.__getitem__)
_SQUARES: Final = _Kind("a list of squares, A1 .. C8", _read_squares, names_of)
_FACE: Final = _Kind("one of g s - for a tetrahedron, 1 to 6 for a d6", _read_face)
_OPTIONS: Final = _Kind("an object of names and values, both texts", _read_options, dict)
_OWN_DICE: Final = _Kind(
    'an object such as {"light":[1,2,3,4],"dark":[5,6,7,8]}',
    _read_own_dice,
    lambda dice: {"light": list(dice[0]), "dark": list(dice[1])},
)
_FIX: Final = _Kind(
    'an object such as {"fill":["A1"],"clear":["B2"]}',
    lambda value: (_read_squares(value["fill"]), _read_squares(value["clear"])),
    lambda fix: {"fill": names_of(fix[0]), "clear": names_of(fix[1])},
)


def _key(name: str, kind: _Kind, *, only_for: tuple[str, str] | None = None) -> _Key:
    return _Key(name, kind, attrgetter(name), only_for=only_for)


def _maybe(name: str, kind: _Kind, default: Any = None) -> _Key:
    return _Key(name, kind, attrgetter(name), needed=False, default=default)


def _check_game(game: facts.Game) -> None:
    rules = rule_set(game.rules, dict(game.options))
    if game.position is None:
        return
    begun = parse_position(game.position).rules
    if begun is not rules:
        message = f"the position is one of {begun.text}, but the game's rules are {rules.text}."
        raise UrpiError(message)


def _check_answer(answer: facts.Answer) -> None:
    given = (answer.move, answer.faces, answer.first, answer.takeback or None)
    if sum(value is not None for value in given) != 1:
        message = "an answer is exactly one of move, faces, first or takeback."
        raise UrpiError(message)


def _warned(text: str, fix: tuple[int, int], **others: Any) -> decisions.Warned:
    return decisions.Warned(text=text, fill=fix[0], clear=fix[1], **others)


_BY_SIDE: Final = (_key("side", _SIDE),)
_SETTLED: Final = ("state", "settled")

_FACT_TYPES: Final = (
    _Type(
        "game",
        facts.Game,
        (
            _key("rules", _TEXT),
            _key("options", _OPTIONS),
            _key("light", _TEXT),
            _key("dark", _TEXT),
            _maybe("first", _SIDE),
            _maybe("position", _TEXT),
            _maybe("dice", _OWN_DICE),
        ),
        _check_game,
    ),
    _Type("time", facts.Time, ()),
    _Type("occupancy", facts.Occupancy, (_key("squares", _SQUARES),)),
    _Type("square", facts.Edge, (_key("square", _SQUARE), _key("on", _FLAG))),
    _Type(
        "die",
        facts.Die,
        (
            _key("die", _DIE),
            _key("state", _choice("rolling", "settled", "cocked", "handled", "lost", "found")),
            _key("face", _FACE, only_for=_SETTLED),
            _key("tumbled", _FLAG, only_for=_SETTLED),
        ),
    ),
    _Type("button", facts.Button, (_key("button", _SIDE), _key("press", _choice("short", "long")))),
    _Type("chute", facts.Chute, _BY_SIDE),
    _Type(
        "answer",
        facts.Answer,
        (
            _maybe("move", _TEXT),
            _maybe("faces", _TEXT),
            _maybe("first", _SIDE),
            _maybe("takeback", _TRUE, default=False),
        ),
        _check_answer,
    ),
    _Type("resign", facts.Resign, _BY_SIDE),
    _Type("draw", facts.Draw, _BY_SIDE),
    _Type("abandon", facts.Abandon, _BY_SIDE),
)

_CODE: Final = _key("code", _TEXT)
_MOVE: Final = _key("move", _TEXT)
_REFUSED_ROLLS: Final = ("not-tumbled", "cocked", "missing-die", "unplayed-throw", "not-your-turn")
_BROKEN: Final = ("stuck-on", "stuck-off", "flicker", "lost", "battery-low")

_DECISION_TYPES: Final = (
    _Type("ready", decisions.Ready, (_maybe("squares", _SQUARES, default=0),)),
    _Type("throw-for-start", decisions.ThrowForStart, _BY_SIDE),
    _Type("starts", decisions.Starts, (*_BY_SIDE, _key("why", _TEXT))),
    _Type(
        "roll",
        decisions.Roll,
        (*_BY_SIDE, _key("faces", _TEXT), _key("value", _COUNT), _key("legal", _TEXTS)),
    ),
    _Type(
        "roll-refused",
        decisions.RollRefused,
        (*_BY_SIDE, _key("code", _choice(*_REFUSED_ROLLS)), _key("dice", _DICE)),
    ),
    _Type(
        "move",
        decisions.Moved,
        (
            *_BY_SIDE,
            _MOVE,
            _key("position", _TEXT),
            _key("confidence", _choice("sensed", "inferred", "answered")),
        ),
    ),
    _Type("seems", decisions.Seems, (*_BY_SIDE, _MOVE)),
    _Type("pass", decisions.Passed, (*_BY_SIDE, _key("code", _choice("zero", "no-move")))),
    _Type(
        "warning",
        _warned,
        (
            *_BY_SIDE,
            _key("code", _choice(*REFUSAL_CODES)),
            _key("squares", _SQUARES),
            _key("text", _TEXT),
            _Key("fix", _FIX, attrgetter("fill", "clear")),
        ),
    ),
    _Type("cleared", decisions.Cleared, ()),
    _Type(
        "question",
        decisions.Question,
        (
            *_BY_SIDE,
            _key("ask", _choice("move", "first", "faces")),
            _key("moves", _TEXTS, only_for=("ask", "move")),
        ),
    ),
    _Type("takeback", decisions.TakenBack, (*_BY_SIDE, _MOVE)),
    _Type("fault", decisions.Fault, (_key("device", _TEXT), _key("code", _choice(*_BROKEN)))),
    _Type("refused", decisions.Refused, (_key("what", _TEXT), _CODE, _key("text", _TEXT))),
    _Type(
        "won",
        decisions.Won,
        (*_BY_SIDE, _key("code", _choice("off", "captured", "forts", "resigned"))),
    ),
    _Type("drawn", decisions.Drawn, (_CODE,)),
    _Type("abandoned", decisions.Abandoned, (_CODE,)),
)

_FACTS: Final = {kind.name: kind for kind in _FACT_TYPES}
_DECISIONS: Final = {kind.name: kind for kind in _DECISION_TYPES}
_BY_CLASS: Final = {kind.make: kind for kind in (*_FACT_TYPES, *_DECISION_TYPES)} | {
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

    >>> fact_line(facts.Occupancy(7, 0b1000001))
    '{"t":7,"type":"occupancy","squares":["A1","B1"]}'
    """
    return _line(fact)


def decision_line(decision: Decision) -> str:
    """The decision's line, as `fact_line`."""
    return _line(decision)


def type_of(value: Fact | Decision) -> str:
    """The type of a fact's or a decision's line.

    >>> type_of(facts.Edge(40, 6, True))
    'square'
    """
    return _BY_CLASS[type(value)].name


def _line(value: Fact | Decision) -> str:
    kind = _BY_CLASS[type(value)]
    line: dict[str, Any] = {"t": value.t, "type": kind.name}
    for key in kind.keys:
        held = key.get(value)
        if key.belongs(line) and (key.needed or held != key.default):
            line[key.name] = key.kind.write(held)
    return _encode(line)


def _parse(line: str, number: int, types: dict[str, _Type]) -> object:
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


def _value(line: dict[str, Any], types: dict[str, _Type]) -> object:
    t = _read(line, _TIME_KEY, "a")
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


_TIME_KEY: Final = _key("t", _TIME)


def _read(line: dict[str, Any], key: _Key, whose: str) -> Any:
    if key.name not in line:
        message = f"{whose} line needs the key {key.name}: {key.kind.allowed}."
        raise UrpiError(message)
    try:
        return key.kind.read(line[key.name])
    except (ValueError, TypeError, LookupError, UrpiError) as error:
        found = reprlib.repr(line[key.name])
        message = f"{key.name} of {whose} line is {key.kind.allowed}; found {found}."
        raise UrpiError(message) from error
