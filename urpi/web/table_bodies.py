"""What may be posted to the virtual table: each body as JSON Schema, and what it orders there.

The schemas are what bodies are checked against and what the API's description shows. They say
what can be asked for; what can be done is for the table to say.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from urpi.errors import UrpiError
from urpi.rules import SQUARE_NAMES, Side, parse_square
from urpi.table import ReedFault
from urpi.table.layout import parse_place
from urpi.table.orders import (
    HOWS,
    PRESSES,
    BreakSwitch,
    Bump,
    HoldOver,
    Lift,
    Mend,
    PlayMove,
    PlugHub,
    PressButton,
    Put,
    PutBack,
    SeatPlayers,
    Sign,
    Sweep,
    SwitchPower,
    TableOrder,
    ThrowDice,
    Turn,
)

Schema: TypeAlias = Mapping[str, Any]
Body: TypeAlias = Mapping[str, Any]

MOST_DICE: Final = 12
HAND: Final[Schema] = {"type": "string", "pattern": "^[0-9A-Za-z-]{1,40}$"}
"""A hand is called as whoever it belongs to likes; each open page has a name of its own."""
SQUARE: Final[Schema] = {"type": "string", "enum": list(SQUARE_NAMES)}
SIDE: Final[Schema] = {"type": "string", "enum": [side.value for side in Side]}
PLACE: Final[Schema] = {
    "type": "string",
    "enum": [
        *SQUARE_NAMES,
        "aside",
        *(f"{row}:{side.value}" for row in ("hand", "home") for side in Side),
    ],
}
FAULTS: Final = ("stuck-on", "stuck-off", "flicker")
SEAT: Final[Schema] = {"type": "string", "enum": ["hands", "simulated"]}
BOOLEAN: Final[Schema] = {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Posting:
    """One path that may be posted to: what a body of it may be, and what that orders."""

    path: str
    summary: str
    schema: Schema
    order: Callable[[Body], TableOrder]

    def read(self, body: Any) -> TableOrder:
        """What a body orders.

        Raises:
            UrpiError: when the body is none of this schema.
        """
        check(body, self.schema, "The body")
        return self.order(body)


def _object(required: tuple[str, ...] = (), **properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _lift(hand: str, body: Body) -> Lift:
    piece, place = body.get("piece"), body.get("from")
    if (piece is None) == (place is None):
        message = "The body names either the piece that is lifted or the place it is lifted from."
        raise UrpiError(message)
    return Lift(hand, None if place is None else parse_place(place), body.get("count", 1), piece)


_DEEDS: Final[Mapping[str, tuple[Schema, Callable[[str, Body], TableOrder]]]] = {
    "lift": (
        _object(
            ("do", "hand"),
            do={"const": "lift"},
            hand=HAND,
            piece={"type": "string", "pattern": "^[LD][1-9][0-9]?$"},
            count={"type": "integer", "minimum": 1, "maximum": 40},
            **{"from": PLACE},
        ),
        _lift,
    ),
    "over": (
        _object(
            ("do", "hand", "square"),
            do={"const": "over"},
            hand=HAND,
            square={"anyOf": [SQUARE, {"type": "null"}]},
        ),
        lambda hand, body: HoldOver(hand, _square(body["square"])),
    ),
    "put": (
        _object(("do", "hand", "to"), do={"const": "put"}, hand=HAND, to=PLACE, push=BOOLEAN),
        lambda hand, body: Put(hand, parse_place(body["to"]), body.get("push")),
    ),
    "back": (
        _object(("do", "hand"), do={"const": "back"}, hand=HAND),
        lambda hand, _: PutBack(hand),
    ),
    "turn": (_object(("do", "hand"), do={"const": "turn"}, hand=HAND), lambda hand, _: Turn(hand)),
    "here": (_object(("do", "hand"), do={"const": "here"}, hand=HAND), lambda hand, _: Sign(hand)),
}
"""What a hand can do, by the word for it."""


def _hand(body: Body) -> TableOrder:
    _, order = _DEEDS[body["do"]]
    return order(body["hand"], body)


def _square(name: str | None) -> int | None:
    return None if name is None else parse_square(name)


def _switch(body: Body) -> BreakSwitch:
    fault = body["fault"]
    return BreakSwitch(parse_square(body["square"]), None if fault is None else ReedFault(fault))


def _players(body: Body) -> SeatPlayers:
    return SeatPlayers(frozenset(side for side in Side if body[side.value] == "simulated"))


def _throw(body: Body) -> ThrowDice:
    return ThrowDice(tuple(body.get("dice", ())), body.get("how", "thrown"))


DICE: Final[Schema] = {
    "type": "array",
    "items": {"type": "integer", "minimum": 1, "maximum": MOST_DICE},
    "maxItems": MOST_DICE,
    "uniqueItems": True,
}
POSTINGS: Final = (
    Posting(
        "/api/table/hand",
        "A hand lifts a piece, slides it, puts it down: anywhere, right or wrong.",
        {"oneOf": [schema for schema, _ in _DEEDS.values()]},
        _hand,
    ),
    Posting(
        "/api/table/throw",
        "Throw dice, all when none is named; badly, if that is wanted.",
        _object(dice=DICE, how={"type": "string", "enum": list(HOWS)}),
        _throw,
    ),
    Posting("/api/table/bump", "Knock the table.", _object(), lambda _: Bump()),
    Posting("/api/table/sweep", "Brush every piece off the board.", _object(), lambda _: Sweep()),
    Posting(
        "/api/table/switch",
        "Break the switch under a square, or repair it.",
        _object(
            ("square", "fault"),
            square=SQUARE,
            fault={"anyOf": [{"type": "string", "enum": list(FAULTS)}, {"type": "null"}]},
        ),
        _switch,
    ),
    Posting(
        "/api/table/power",
        "Cut the program's power, or switch it on again.",
        _object(("on",), on=BOOLEAN),
        lambda body: SwitchPower(body["on"]),
    ),
    Posting(
        "/api/table/hub",
        "Pull the dice hub's cable out, or put it in.",
        _object(("plugged",), plugged=BOOLEAN),
        lambda body: PlugHub(body["plugged"]),
    ),
    Posting(
        "/api/table/button",
        "Press a side's button on the board; both: the two together, long.",
        _object(("side", "press"), side=SIDE, press={"type": "string", "enum": list(PRESSES)}),
        lambda body: PressButton(Side(body["side"]), body["press"]),
    ),
    Posting(
        "/api/table/players",
        "Say whose pieces a simulated player moves.",
        _object(("light", "dark"), light=SEAT, dark=SEAT),
        _players,
    ),
    Posting(
        "/api/table/move",
        "Let the table's own hands play a legal move.",
        _object(("move",), move={"type": "string", "maxLength": 40}),
        lambda body: PlayMove(body["move"]),
    ),
    Posting(
        "/api/table/mend",
        "Let the table's own hands put every piece where the display has it.",
        _object(),
        lambda _: Mend(),
    ),
)
"""Every path that may be posted to at a virtual table."""

_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}


def check(value: Any, schema: Schema, name: str) -> None:
    """Nothing, when the value is what the schema says.

    As much of JSON Schema as is used here.

    Raises:
        UrpiError: when it is not; the message names the key, what was found and what may be.
    """
    if "oneOf" in schema:
        check(value, _one_of(value, schema["oneOf"], name), name)
    elif "anyOf" in schema:
        _check_any(value, schema["anyOf"], name)
    else:
        _check_value(value, schema, name)


def _one_of(body: Any, schemas: list[Schema], name: str) -> Schema:
    """The schema that `do` chooses."""
    words = [schema["properties"]["do"]["const"] for schema in schemas]
    word = body.get("do") if isinstance(body, dict) else None
    for choice, schema in zip(words, schemas, strict=True):
        if choice == word:
            return schema
    message = f"{name} has a key do, one of {', '.join(words)}; found {_brief(word)}."
    raise UrpiError(message)


def _check_any(value: Any, schemas: list[Schema], name: str) -> None:
    kind = next((one for one in schemas if _is(value, one["type"])), None)
    if kind is None:
        allowed = " or ".join(one["type"] for one in schemas)
        raise _wrong(name, allowed, value)
    _check_value(value, kind, name)


def _check_value(value: Any, schema: Schema, name: str) -> None:
    if "const" in schema:
        return
    kind = schema["type"]
    if not _is(value, kind):
        raise _wrong(name, f"a JSON {kind}", value)
    if "enum" in schema and value not in schema["enum"]:
        raise _wrong(name, f"one of {', '.join(schema['enum'])}", value)
    if kind == "string":
        _check_text(value, schema, name)
    elif kind == "integer":
        _check_number(value, schema, name)
    elif kind == "array":
        _check_list(value, schema, name)
    elif kind == "object":
        _check_object(value, schema, name)


def _check_text(value: str, schema: Schema, name: str) -> None:
    pattern, most = schema.get("pattern"), schema.get("maxLength")
    if pattern is not None and not re.search(pattern.removesuffix("$") + r"\Z", value):
        raise _wrong(name, f"a text like {pattern}", value)
    if most is not None and len(value) > most:
        raise _wrong(name, f"{most} characters at most", value)


def _check_number(value: int, schema: Schema, name: str) -> None:
    if not schema["minimum"] <= value <= schema["maximum"]:
        raise _wrong(name, f"from {schema['minimum']} to {schema['maximum']}", value)


def _check_list(value: list[Any], schema: Schema, name: str) -> None:
    if len(value) > schema["maxItems"]:
        raise _wrong(name, f"{schema['maxItems']} at most", value)
    for each in value:
        check(each, schema["items"], f"Each of {name}")
    if len(set(value)) < len(value):
        raise _wrong(name, "each once", value)


def _check_object(value: dict[str, Any], schema: Schema, name: str) -> None:
    properties = schema["properties"]
    for key in value:
        if key not in properties:
            raise _wrong(name, f"an object of {', '.join(properties) or 'no key'}", key)
    for key in schema["required"]:
        if key not in value:
            message = f"{name} lacks the key {key}; its keys are {', '.join(properties)}."
            raise UrpiError(message)
    for key, each in value.items():
        check(each, properties[key], key)


def _is(value: Any, kind: str) -> bool:
    if kind == "integer" and isinstance(value, bool):
        return False
    return isinstance(value, _TYPES[kind])


def _wrong(name: str, allowed: str, found: Any) -> UrpiError:
    return UrpiError(f"{name} is to be {allowed}; found {_brief(found)}.")


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
