"""The table of line types: every fact and decision, its keys, and what each may hold.

FORMATS.md, Event stream. How a line is read and written is `urpi.referee.lines`'s.
"""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, NoReturn

from urpi.errors import UrpiError
from urpi.referee import decisions, facts
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

LATEST_MS: Final = 2**63 - 1
LAST_DIE: Final = 99


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: how to say what is allowed, and the way in and out of JSON.

    `read` raises ValueError or UrpiError when the value is none of this kind.
    """

    allowed: str
    read: Callable[[Any], Any]
    write: Callable[[Any], Any] = lambda value: value


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a line, and how the value that it tells of is asked for it.

    Not `needed`: it is absent when that is `default`. `only_for` (another key and its value)
    are the lines that have it at all; in others it counts as an unknown key.
    """

    name: str
    kind: Kind
    get: Callable[[Any], Any]
    needed: bool = True
    default: Any = None
    only_for: tuple[str, str] | None = None

    def belongs(self, line: dict[str, Any]) -> bool:
        """Whether a line with those earlier keys has this one."""
        return self.only_for is None or line.get(self.only_for[0]) == self.only_for[1]


@dataclass(frozen=True, slots=True)
class Type:
    """One type of line: the value it makes, and its keys in the order they are written.

    `check` raises UrpiError when values that are each right do not fit each other.
    """

    name: str
    make: Callable[..., Any]
    keys: tuple[Key, ...]
    check: Callable[[Any], None] | None = None


def _wrong() -> NoReturn:
    raise ValueError


def _whole(lowest: int, highest: int, about: str) -> Kind:
    def read(value: Any) -> int:
        # A bool is an int to Python, and a float may be whole; neither is a whole number here.
        return value if type(value) is int and lowest <= value <= highest else _wrong()

    return Kind(about, read)


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        _wrong()
    if not value.isascii():
        value.encode()  # half a surrogate pair can be escaped in JSON, but not be stored
    return value


def _choice(*words: str) -> Kind:
    return Kind(" or ".join(words), lambda value: value if value in words else _wrong())


def _list_of(kind: Kind, about: str) -> Kind:
    def read(value: Any) -> tuple[Any, ...]:
        return tuple(map(kind.read, value)) if type(value) is list else _wrong()

    return Kind(about, read, list)


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
TIME: Final = _whole(0, LATEST_MS, "a whole number of milliseconds, not below 0")
_COUNT: Final = _whole(0, LAST_DIE, f"a whole number from 0 to {LAST_DIE}")
_ANGLE: Final = _whole(0, 180, "whole degrees from 0 to 180")
_EVIDENCE: Final = _whole(0, 65_535, "a whole number from 0 to 65535")
_DIE: Final = _whole(1, LAST_DIE, f"a die's number, from 1 to {LAST_DIE}")
_DICE: Final = _list_of(_DIE, f"a list of dice, each from 1 to {LAST_DIE}")
_TEXT: Final = Kind("a text", _read_text)
_TEXTS: Final = _list_of(_TEXT, "a list of texts")
_FLAG: Final = Kind(
    "true or false", lambda value: value if value is True or value is False else _wrong()
)
_TRUE: Final = Kind("true, or absent", lambda value: value if value is True else _wrong())
_SIDE: Final = Kind("light or dark", Side, lambda side: side.value)
_SQUARE: Final = Kind("a square, A1 .. C8", parse_square, SQUARE_NAMES.__getitem__)
_SQUARES: Final = Kind("a list of squares, A1 .. C8", _read_squares, names_of)
_FACE: Final = Kind("one of g s - for a tetrahedron, 1 to 6 for a d6", _read_face)
_OPTIONS: Final = Kind("an object of names and values, both texts", _read_options, dict)
_OWN_DICE: Final = Kind(
    'an object such as {"light":[1,2,3,4],"dark":[5,6,7,8]}',
    _read_own_dice,
    lambda dice: {"light": list(dice[0]), "dark": list(dice[1])},
)
_FIX: Final = Kind(
    'an object such as {"fill":["A1"],"clear":["B2"]}',
    lambda value: (_read_squares(value["fill"]), _read_squares(value["clear"])),
    lambda fix: {"fill": names_of(fix[0]), "clear": names_of(fix[1])},
)


def _key(name: str, kind: Kind, *, only_for: tuple[str, str] | None = None) -> Key:
    return Key(name, kind, attrgetter(name), only_for=only_for)


def _maybe(name: str, kind: Kind, default: Any = None) -> Key:
    return Key(name, kind, attrgetter(name), needed=False, default=default)


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
_AGREED: Final = _maybe("agreed", _TRUE, default=False)

FACT_TYPES: Final = (
    Type(
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
            _maybe("chooser", _SIDE),
        ),
        _check_game,
    ),
    Type("time", facts.Time, ()),
    Type("occupancy", facts.Occupancy, (_key("squares", _SQUARES),)),
    Type("square", facts.Edge, (_key("square", _SQUARE), _key("on", _FLAG))),
    Type(
        "die",
        facts.Die,
        (
            _key("die", _DIE),
            _key("state", _choice("rolling", "settled", "cocked", "handled", "lost", "found")),
            _key("face", _FACE, only_for=_SETTLED),
            _key("tumbled", _FLAG, only_for=_SETTLED),
            _maybe("angle", _ANGLE),
            _maybe("tumbles", _EVIDENCE),
            _maybe("fall_ms", _EVIDENCE),
        ),
    ),
    Type(
        "button",
        facts.Button,
        (_key("button", _SIDE), _key("press", _choice("short", "long", "both"))),
    ),
    Type("chute", facts.Chute, _BY_SIDE),
    Type(
        "answer",
        facts.Answer,
        (
            _maybe("move", _TEXT),
            _maybe("faces", _TEXT),
            _maybe("first", _SIDE),
            _maybe("takeback", _TRUE, default=False),
            _AGREED,
        ),
        _check_answer,
    ),
    Type("resign", facts.Resign, _BY_SIDE),
    Type("draw", facts.Draw, (*_BY_SIDE, _AGREED)),
    Type("abandon", facts.Abandon, (*_BY_SIDE, _AGREED)),
)

_CODE: Final = _key("code", _TEXT)
_MOVE: Final = _key("move", _TEXT)
_REFUSED_ROLLS: Final = (
    "not-tumbled",
    "cocked",
    "missing-die",
    "unplayed-throw",
    "not-your-turn",
    "not-begun",
)
_BROKEN: Final = ("stuck-on", "stuck-off", "flicker", "lost")

DECISION_TYPES: Final = (
    Type("ready", decisions.Ready, (_maybe("squares", _SQUARES, default=0),)),
    Type("throw-for-start", decisions.ThrowForStart, _BY_SIDE),
    Type("starts", decisions.Starts, (*_BY_SIDE, _key("why", _TEXT))),
    Type(
        "roll",
        decisions.Roll,
        (*_BY_SIDE, _key("faces", _TEXT), _key("value", _COUNT), _key("legal", _TEXTS)),
    ),
    Type(
        "roll-refused",
        decisions.RollRefused,
        (*_BY_SIDE, _key("code", _choice(*_REFUSED_ROLLS)), _key("dice", _DICE)),
    ),
    Type(
        "move",
        decisions.Moved,
        (
            *_BY_SIDE,
            _MOVE,
            _key("position", _TEXT),
            _key("confidence", _choice("sensed", "inferred", "answered")),
        ),
    ),
    Type("seems", decisions.Seems, (*_BY_SIDE, _MOVE)),
    Type("pass", decisions.Passed, (*_BY_SIDE, _key("code", _choice("zero", "no-move")))),
    Type(
        "warning",
        _warned,
        (
            *_BY_SIDE,
            _key("code", _choice(*REFUSAL_CODES)),
            _key("squares", _SQUARES),
            _key("text", _TEXT),
            Key("fix", _FIX, attrgetter("fill", "clear")),
        ),
    ),
    Type("cleared", decisions.Cleared, ()),
    Type(
        "question",
        decisions.Question,
        (
            *_BY_SIDE,
            _key("ask", _choice("move", "first", "faces")),
            _key("moves", _TEXTS, only_for=("ask", "move")),
        ),
    ),
    Type("takeback", decisions.TakenBack, (*_BY_SIDE, _MOVE)),
    Type("fault", decisions.Fault, (_key("device", _TEXT), _key("code", _choice(*_BROKEN)))),
    Type("refused", decisions.Refused, (_key("what", _TEXT), _CODE, _key("text", _TEXT))),
    Type(
        "won",
        decisions.Won,
        (*_BY_SIDE, _key("code", _choice("off", "captured", "forts", "resigned"))),
    ),
    Type("drawn", decisions.Drawn, (_CODE,)),
    Type("abandoned", decisions.Abandoned, (_CODE,)),
)

TIME_KEY: Final = _key("t", TIME)
"""What every line has."""
