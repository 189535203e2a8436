"""The table of line types: every fact and decision, its keys, and their allowed values.

FORMATS.md, Event stream. `urpi.referee.lines` parses and formats lines with it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, NoReturn, get_args

from urpi.core.errors import UrpiError
from urpi.referee import decisions, facts
from urpi.referee.seats import (
    NO_COACH,
    PERSONS,
    Coach,
    Coaches,
    EngineThrows,
    Seat,
    Seats,
    SharedGame,
    remote_side,
)
from urpi.rules import (
    SQUARE_NAMES,
    Side,
    names_of,
    parse_position,
    parse_square,
    rule_set,
    squares_of,
)
from urpi.rules.refusals import RefusalCode

LATEST_MS: Final = 2**63 - 1
LAST_DIE: Final = 99


@dataclass(frozen=True, slots=True)
class LineKind:
    """A kind of value, and its conversion from and to JSON.

    Attributes:
        allowed: The allowed values, in words.
        parse: Convert a JSON value; raises ValueError, TypeError, LookupError or UrpiError if it
            is invalid.
        format: Convert a value to JSON.
    """

    allowed: str
    parse: Callable[[Any], Any]
    format: Callable[[Any], Any] = lambda value: value


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a line.

    Attributes:
        name: The key.
        kind: The kind of its values.
        get: Returns its value from a fact or decision.
        required: Whether every line has it, as by default; otherwise it is left out if its value is
            `default`.
        default: The value of a line without the key.
        only_for: An earlier key and its value, if only lines with these have the key; in other
            lines it is an unknown key.
    """

    name: str
    kind: LineKind
    get: Callable[[Any], Any]
    required: bool = True
    default: Any = None
    only_for: tuple[str, str] | None = None

    def applies_to(self, line: dict[str, Any]) -> bool:
        """Return whether a line with these earlier keys has this one."""
        return self.only_for is None or line.get(self.only_for[0]) == self.only_for[1]


@dataclass(frozen=True, slots=True)
class Type:
    """A type of line.

    Attributes:
        name: The value of the line's key ``type``.
        make: Creates the fact or decision from the values of `t` and the keys.
        keys: The keys in the order in which they are written, after `t` and ``type``.
        check: Raises UrpiError if the values, each of them valid, contradict each other.
    """

    name: str
    make: Callable[..., Any]
    keys: tuple[Key, ...]
    check: Callable[[Any], None] | None = None


def _reject() -> NoReturn:
    raise ValueError


def _whole(lowest: int, highest: int, allowed: str) -> LineKind:
    def parse(value: Any) -> int:
        # In Python a bool is an int, and 1.0 == 1; neither is a whole number in a line.
        return value if type(value) is int and lowest <= value <= highest else _reject()

    return LineKind(allowed, parse)


def _parse_text(value: Any) -> str:
    if not isinstance(value, str):
        _reject()
    if not value.isascii():
        value.encode()  # JSON can escape half a surrogate pair, which cannot be stored
    return value


def _choice(vocabulary: Any) -> LineKind:
    """Return the kind of the words of a `Literal` type."""
    words = get_args(vocabulary)
    return LineKind(" or ".join(words), lambda value: value if value in words else _reject())


def _list_of(kind: LineKind, allowed: str) -> LineKind:
    def parse(value: Any) -> tuple[Any, ...]:
        return tuple(map(kind.parse, value)) if type(value) is list else _reject()

    return LineKind(allowed, parse, list)


def _parse_squares(value: Any) -> int:
    return squares_of(map(parse_square, value)) if type(value) is list else _reject()


def _parse_options(value: Any) -> tuple[tuple[str, str], ...]:
    if type(value) is not dict:
        _reject()
    return tuple((_parse_text(name), _parse_text(text)) for name, text in value.items())


def _parse_own_dice(value: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return _DICE.parse(value["light"]), _DICE.parse(value["dark"])


def _parse_seats(value: Any) -> Seats:
    return _SEAT.parse(value["light"]), _SEAT.parse(value["dark"])


def _parse_coaches(value: Any) -> Coaches:
    return _COACH.parse(value["light"]), _COACH.parse(value["dark"])


def _parse_shared(value: Any) -> SharedGame:
    if set(value) != {"id", "table", "date"}:
        _reject()
    return SharedGame(*(_parse_text(value[name]) for name in ("id", "table", "date")))


def _parse_face(value: Any) -> str:
    text = str(value) if type(value) is int else value
    return text if text in _FACES else _reject()


_FACES: Final = ("g", "s", "-", "1", "2", "3", "4", "5", "6")
TIME: Final = _whole(0, LATEST_MS, "a whole number of milliseconds, not below 0")
_PERCENT: Final = _whole(0, 100, "a whole number from 0 to 100")
_COUNT: Final = _whole(0, LAST_DIE, f"a whole number from 0 to {LAST_DIE}")
_ANGLE: Final = _whole(0, 180, "whole degrees from 0 to 180")
_EVIDENCE: Final = _whole(0, 65_535, "a whole number from 0 to 65535")
_DIE: Final = _whole(1, LAST_DIE, f"a die's number, from 1 to {LAST_DIE}")
_DICE: Final = _list_of(_DIE, f"a list of dice, each from 1 to {LAST_DIE}")
_TEXT: Final = LineKind("a text", _parse_text)
_TEXTS: Final = _list_of(_TEXT, "a list of texts")
_FLAG: Final = LineKind(
    "true or false", lambda value: value if value is True or value is False else _reject()
)
_TRUE: Final = LineKind("true, or absent", lambda value: value if value is True else _reject())
_SEAT: Final = _choice(Seat)
_COACH: Final = _choice(Coach)
_SIDE: Final = LineKind("light or dark", Side, lambda side: side.value)
_SQUARE: Final = LineKind("a square, A1 .. C8", parse_square, SQUARE_NAMES.__getitem__)
_SQUARES: Final = LineKind("a list of squares, A1 .. C8", _parse_squares, names_of)
_FACE: Final = LineKind("one of g s - for a tetrahedron, 1 to 6 for a d6", _parse_face)
_OPTIONS: Final = LineKind("an object of names and values, both texts", _parse_options, dict)
_OWN_DICE: Final = LineKind(
    'an object such as {"light":[1,2,3,4],"dark":[5,6,7,8]}',
    _parse_own_dice,
    lambda dice: {"light": list(dice[0]), "dark": list(dice[1])},
)
_SEATS: Final = LineKind(
    'an object such as {"light":"person","dark":"engine:hard"}',
    _parse_seats,
    lambda seats: {"light": seats[0], "dark": seats[1]},
)
_COACHES: Final = LineKind(
    'an object such as {"light":"off","dark":"bad"}',
    _parse_coaches,
    lambda coaches: {"light": coaches[0], "dark": coaches[1]},
)
_SHARED: Final = LineKind(
    'an object such as {"id":"3f..","table":"lisbon","date":"2026.11.20"}',
    _parse_shared,
    lambda shared: {"id": shared.id, "table": shared.table, "date": shared.date},
)
_FIX: Final = LineKind(
    'an object such as {"fill":["A1"],"clear":["B2"]}',
    lambda value: (_parse_squares(value["fill"]), _parse_squares(value["clear"])),
    lambda fix: {"fill": names_of(fix[0]), "clear": names_of(fix[1])},
)


def _key(name: str, kind: LineKind, *, only_for: tuple[str, str] | None = None) -> Key:
    return Key(name, kind, attrgetter(name), only_for=only_for)


def _optional(name: str, kind: LineKind, default: Any = None) -> Key:
    return Key(name, kind, attrgetter(name), required=False, default=default)


def _check_game(game: facts.Game) -> None:
    rules = rule_set(game.rules, dict(game.options))
    if (game.shared is None) != (remote_side(game.seats) is None):
        message = "a game has `shared` if one side's seat is remote, and only then."
        raise UrpiError(message)
    if game.position is None:
        return
    begun = parse_position(game.position).rules
    if begun is not rules:
        message = f"the position is one of {begun.text}, but the game's rules are {rules.text}."
        raise UrpiError(message)


def _check_answer(answer: facts.Answer) -> None:
    given = (answer.move, answer.faces, answer.first, answer.takeback or None)
    if sum(value is not None for value in given) != 1:
        message = "an answer must be exactly one of move, faces, first or takeback."
        raise UrpiError(message)


def _warned(text: str, fix: tuple[int, int], **others: Any) -> decisions.Warned:
    return decisions.Warned(text=text, fill=fix[0], clear=fix[1], **others)


_BY_SIDE: Final = (_key("side", _SIDE),)
_SETTLED: Final = ("state", "settled")
_AGREED: Final = _optional("agreed", _TRUE, default=False)
_COACHED: Final = (
    *_BY_SIDE,
    _key("move", _TEXT),
    _key("better", _TEXT),
    _key("loss", _PERCENT),
)

FACT_TYPES: Final = (
    Type(
        "game",
        facts.Game,
        (
            _key("rules", _TEXT),
            _key("options", _OPTIONS),
            _key("light", _TEXT),
            _key("dark", _TEXT),
            _optional("first", _SIDE),
            _optional("position", _TEXT),
            _optional("dice", _OWN_DICE),
            _optional("chooser", _SIDE),
            _optional("seats", _SEATS, default=PERSONS),
            _optional("hints", _FLAG, default=True),
            _optional("coach", _COACHES, default=NO_COACH),
            _optional("engine_throws", _choice(EngineThrows), default="dice"),
            _optional("takebacks", _FLAG, default=True),
            _optional("shared", _SHARED),
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
            _key("state", _choice(facts.ReportedState)),
            _key("face", _FACE, only_for=_SETTLED),
            _key("tumbled", _FLAG, only_for=_SETTLED),
            _optional("angle", _ANGLE),
            _optional("tumbles", _EVIDENCE),
            _optional("fall_ms", _EVIDENCE),
        ),
    ),
    Type(
        "button",
        facts.Button,
        (_key("button", _SIDE), _key("press", _choice(facts.Press))),
    ),
    Type("chute", facts.Chute, _BY_SIDE),
    Type(
        "answer",
        facts.Answer,
        (
            _optional("move", _TEXT),
            _optional("faces", _TEXT),
            _optional("first", _SIDE),
            _optional("takeback", _TRUE, default=False),
            _AGREED,
        ),
        _check_answer,
    ),
    Type("plan", facts.Plan, (*_BY_SIDE, _optional("move", _TEXT))),
    Type("program-throw", facts.ProgramThrow, (*_BY_SIDE, _key("faces", _TEXT))),
    Type("remote-throw", facts.RemoteThrow, (*_BY_SIDE, _key("faces", _TEXT))),
    Type(
        "remote-move",
        facts.RemoteMove,
        (*_BY_SIDE, _key("move", _TEXT), _key("confidence", _choice(facts.Confidence))),
    ),
    Type("remote-takeback", facts.RemoteTakeback, (*_BY_SIDE, _key("move", _TEXT))),
    Type("hint", facts.Hint, (*_BY_SIDE, _key("move", _TEXT), _optional("margin", _PERCENT))),
    Type("coach", facts.Coach, _COACHED),
    Type("resign", facts.Resign, _BY_SIDE),
    Type("draw", facts.Draw, (*_BY_SIDE, _AGREED)),
    Type("abandon", facts.Abandon, (*_BY_SIDE, _AGREED)),
)

_MOVE: Final = _key("move", _TEXT)
_ANY_CODE: Final = _key("code", _TEXT)
"""A code that is not checked: stored lines of other versions may contain others than ours."""

DECISION_TYPES: Final = (
    Type("ready", decisions.Ready, (_optional("squares", _SQUARES, default=0),)),
    Type("throw-for-start", decisions.ThrowForStart, _BY_SIDE),
    Type("starts", decisions.Starts, (*_BY_SIDE, _key("why", _TEXT))),
    Type(
        "roll",
        decisions.Roll,
        (
            *_BY_SIDE,
            _key("faces", _TEXT),
            _key("value", _COUNT),
            _key("legal", _TEXTS),
            _optional("program", _TRUE, default=False),
        ),
    ),
    Type(
        "roll-refused",
        decisions.RollRefused,
        (*_BY_SIDE, _key("code", _choice(decisions.ThrowRefusal)), _key("dice", _DICE)),
    ),
    Type(
        "move",
        decisions.Moved,
        (
            *_BY_SIDE,
            _MOVE,
            _key("position", _TEXT),
            _key("confidence", _choice(facts.Confidence)),
        ),
    ),
    Type(
        "planned",
        decisions.Planned,
        (*_BY_SIDE, _optional("move", _TEXT), _optional("remote", _TRUE, default=False)),
    ),
    Type("hinted", decisions.Hinted, (*_BY_SIDE, _MOVE, _optional("margin", _PERCENT))),
    Type("coached", decisions.Coached, _COACHED),
    Type("seems", decisions.Seems, (*_BY_SIDE, _MOVE)),
    Type("pass", decisions.Passed, (*_BY_SIDE, _key("code", _choice(decisions.PassCode)))),
    Type(
        "warning",
        _warned,
        (
            *_BY_SIDE,
            _key("code", _choice(RefusalCode)),
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
            _key("ask", _choice(decisions.QuestionType)),
            _key("moves", _TEXTS, only_for=("ask", "move")),
        ),
    ),
    Type("takeback", decisions.TakenBack, (*_BY_SIDE, _MOVE)),
    Type(
        "fault",
        decisions.Fault,
        (_key("device", _TEXT), _key("code", _choice(decisions.FaultCode))),
    ),
    Type("refused", decisions.Refused, (_key("what", _TEXT), _ANY_CODE, _key("text", _TEXT))),
    Type(
        "won",
        decisions.Won,
        (*_BY_SIDE, _key("code", _choice(decisions.WonCode))),
    ),
    Type("drawn", decisions.Drawn, (_ANY_CODE,)),
    Type("abandoned", decisions.Abandoned, (_ANY_CODE,)),
)

TIME_KEY: Final = _key("t", TIME)
"""The key that every line has."""
