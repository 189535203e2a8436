"""What may be posted to the virtual table: each body as JSON Schema, and what it orders there.

The schemas are what bodies are checked against and what the API's description shows. They say
what can be asked for; what can be done is for the table to say.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from urpi.rules import SQUARE_NAMES, Side, parse_square
from urpi.simulation import ReedFault
from urpi.simulation.piece_layout import parse_place
from urpi.simulation.table_orders import (
    HOWS,
    PRESSES,
    BreakSwitch,
    Bump,
    HoldOver,
    KeepAlive,
    Lift,
    PlayMove,
    PlugHub,
    PressButton,
    Put,
    PutBack,
    RestoreBoard,
    SeatPlayers,
    Sweep,
    SwitchPower,
    TableOrder,
    ThrowDice,
    Turn,
)
from urpi.web.operations import MisreadError
from urpi.web.schema import Schema

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
        raise MisreadError(message)
    return Lift(hand, None if place is None else parse_place(place), body.get("count", 1), piece)


_DEEDS: Final[Mapping[str, tuple[Schema, Callable[[str, Body], TableOrder]]]] = {
    "lift": (
        {
            **_object(
                ("do", "hand"),
                do={"const": "lift"},
                hand=HAND,
                piece={"type": "string", "pattern": "^[LD][1-9][0-9]?$"},
                count={"type": "integer", "minimum": 1, "maximum": 40},
                **{"from": PLACE},
            ),
            # `_lift` sees to this, with a sentence of its own.
            "oneOf": [{"required": ["piece"]}, {"required": ["from"]}],
        },
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
    "here": (
        _object(("do", "hand"), do={"const": "here"}, hand=HAND),
        lambda hand, _: KeepAlive(hand),
    ),
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
        lambda _: RestoreBoard(),
    ),
)
"""Every path that may be posted to at a virtual table."""
