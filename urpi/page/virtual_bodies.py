"""The bodies of POST requests to the virtual table: JSON Schemas, and the table orders they make.

The schemas validate the bodies and are part of the API's description. The operations pass orders to
the table's thread. A body that does not match its schema is answered with status 400, an action
that the table finds physically impossible with 409, each with a one-sentence error message.
"""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi.core.errors import UrpiError
from urpi.core.json_schema import Schema, object_of, one_of
from urpi.http.operations import SIDE, InvalidRequestError, Operation, ValidRequest
from urpi.http.responses import error_response, json_response
from urpi.rules import SQUARE_NAMES, Side, parse_square
from urpi.simulation import ReedFault
from urpi.simulation.interactive_table import InteractiveTable as Table
from urpi.simulation.piece_layout import ImpossibleError, parse_place
from urpi.simulation.table_orders import (
    HOWS,
    PRESSES,
    Act,
    BeginLesson,
    SwitchPower,
    TableOrder,
    act,
)

Body: TypeAlias = Mapping[str, Any]

MAX_DICE: Final = 12
HAND: Final[Schema] = {"type": "string", "pattern": "^[0-9A-Za-z-]{1,40}$"}
"""The name of a hand, which its client chooses; each open page uses a different one."""
SQUARE: Final = one_of(*SQUARE_NAMES)
PLACE: Final = one_of(
    *SQUARE_NAMES,
    "aside",
    *(f"{row}:{side.value}" for row in ("hand", "home") for side in Side),
)
FAULTS: Final = ("stuck-on", "stuck-off", "flicker")
SEAT: Final = one_of("hands", "simulated")
BOOLEAN: Final[Schema] = {"type": "boolean"}
MOVE: Final[Schema] = {"type": "string", "maxLength": 40}


@dataclass(frozen=True, slots=True)
class Posting:
    """A path with its description, the schema of its body, and the order that a body makes."""

    path: str
    summary: str
    schema: Schema
    order: Callable[[Body], TableOrder]


def _lift(hand: str, body: Body) -> Act:
    piece, place = body.get("piece"), body.get("from")
    if (piece is None) == (place is None):
        message = "The body must contain either the piece to lift or the place to lift it from."
        raise InvalidRequestError(message)
    if piece is not None:
        return act(Table.lift_named, hand, piece)
    return act(Table.lift, hand, parse_place(str(place)), body.get("count", 1))


def _put(hand: str, body: Body) -> Act:
    place = parse_place(body["to"])
    return act(Table.put, hand, place, push=body.get("push"), move=body.get("move"))


_HAND_ACTIONS: Final[Mapping[str, tuple[Schema, Callable[[str, Body], TableOrder]]]] = {
    "lift": (
        {
            **object_of(
                ("do", "hand"),
                do={"const": "lift"},
                hand=HAND,
                piece={"type": "string", "pattern": "^[LD][1-9][0-9]?$"},
                count={"type": "integer", "minimum": 1, "maximum": 40},
                **{"from": PLACE},
            ),
            # `schema.check` ignores this; `_lift` checks it, with a clearer error message.
            "oneOf": [{"required": ["piece"]}, {"required": ["from"]}],
        },
        _lift,
    ),
    "over": (
        object_of(
            ("do", "hand", "square"),
            do={"const": "over"},
            hand=HAND,
            square={"anyOf": [SQUARE, {"type": "null"}]},
        ),
        lambda hand, body: act(Table.hold_over, hand, _square(body["square"])),
    ),
    "put": (
        object_of(
            ("do", "hand", "to"),
            do={"const": "put"},
            hand=HAND,
            to=PLACE,
            push=BOOLEAN,
            move=MOVE,
        ),
        _put,
    ),
    "back": (
        object_of(("do", "hand"), do={"const": "back"}, hand=HAND),
        lambda hand, _: act(Table.put_back, hand),
    ),
    "turn": (
        object_of(("do", "hand"), do={"const": "turn"}, hand=HAND),
        lambda hand, _: act(Table.turn, hand),
    ),
    "here": (
        object_of(("do", "hand"), do={"const": "here"}, hand=HAND),
        lambda hand, _: act(Table.keep_alive, hand),
    ),
}
"""The schema and the order of each action of a hand, by its `do`."""


def _hand(body: Body) -> TableOrder:
    _, order = _HAND_ACTIONS[body["do"]]
    return order(body["hand"], body)


def _square(name: str | None) -> int | None:
    return None if name is None else parse_square(name)


def _switch(body: Body) -> Act:
    fault = body["fault"]
    fault = None if fault is None else ReedFault(fault)
    return act(Table.break_switch, parse_square(body["square"]), fault)


def _players(body: Body) -> Act:
    simulated = frozenset(side for side in Side if body[side.value] == "simulated")
    return act(Table.seat_players, simulated)


def _throw(body: Body) -> Act:
    return act(Table.throw, tuple(body.get("dice", ())), body.get("how", "thrown"))


DICE: Final[Schema] = {
    "type": "array",
    "items": {"type": "integer", "minimum": 1, "maximum": MAX_DICE},
    "maxItems": MAX_DICE,
    "uniqueItems": True,
}
POSTINGS: Final = (
    Posting(
        "/api/table/hand",
        "Lift, slide or put down pieces with a hand, anywhere, whether legal or not.",
        {"oneOf": [schema for schema, _ in _HAND_ACTIONS.values()]},
        _hand,
    ),
    Posting(
        "/api/table/throw",
        "Throw dice, by default all of them; `how` selects a bad throw.",
        object_of(dice=DICE, how=one_of(*HOWS)),
        _throw,
    ),
    Posting("/api/table/bump", "Knock the table.", object_of(), lambda _: act(Table.bump)),
    Posting(
        "/api/table/sweep",
        "Brush every piece off the board.",
        object_of(),
        lambda _: act(Table.sweep),
    ),
    Posting(
        "/api/table/switch",
        "Break the switch under a square, or repair it.",
        object_of(
            ("square", "fault"),
            square=SQUARE,
            fault={"anyOf": [one_of(*FAULTS), {"type": "null"}]},
        ),
        _switch,
    ),
    Posting(
        "/api/table/power",
        "Cut the program's power, or restore it.",
        object_of(("on",), on=BOOLEAN),
        lambda body: SwitchPower(body["on"]),
    ),
    Posting(
        "/api/table/hub",
        "Unplug the dice hub's cable, or plug it in.",
        object_of(("plugged",), plugged=BOOLEAN),
        lambda body: act(Table.plug_hub, plugged=body["plugged"]),
    ),
    Posting(
        "/api/table/button",
        "Press a side's button on the board; both: the two together, long.",
        object_of(("side", "press"), side=SIDE, press=one_of(*PRESSES)),
        lambda body: act(Table.press, Side(body["side"]), body["press"]),
    ),
    Posting(
        "/api/table/players",
        "Choose the sides whose pieces a simulated player moves.",
        object_of(("light", "dark"), light=SEAT, dark=SEAT),
        _players,
    ),
    Posting(
        "/api/table/move",
        "Let the table's own hands play a legal move.",
        object_of(("move",), move=MOVE),
        lambda body: act(Table.move, body["move"]),
    ),
    Posting(
        "/api/table/restore",
        "Let the table's own hands put every piece where the display shows it.",
        object_of(),
        lambda _: act(Table.restore_board),
    ),
    Posting(
        "/api/table/lesson",
        "Begin a lesson in place of the current game: a prepared position with prepared throws.",
        object_of(),
        lambda _: BeginLesson(),
    ),
)
"""All paths of the virtual table."""


TIMEOUT_S: Final = 5.0
"""Timeout for the table's thread, which takes milliseconds unless it has stopped."""


class Hands(Protocol):
    """Carries out table orders from any thread."""

    def order(self, order: TableOrder) -> Future[None]:
        """Carry out an order; the future raises the `UrpiError` if that is not possible."""


def virtual_operations(hands: Hands) -> tuple[Operation, ...]:
    """The operations of a virtual table, below ``/api/table/``."""
    return tuple(_operation(posting, hands) for posting in POSTINGS)


def _operation(posting: Posting, hands: Hands) -> Operation:
    async def handle(request: ValidRequest) -> ASGIApp:
        return await _response(hands.order(posting.order(request.body)))

    return Operation(
        "POST",
        posting.path,
        posting.summary,
        handle,
        body=posting.schema,
        error_statuses=(400, 409, 503),
    )


async def _response(future: Future[None]) -> Response:
    try:
        async with asyncio.timeout(TIMEOUT_S):
            await asyncio.wrap_future(future)
    except ImpossibleError as error:
        return error_response(409, "impossible", str(error))
    except UrpiError as error:
        return error_response(409, "not-there", str(error))
    # The table's thread cancels the orders that wait when it ends.
    except (CancelledError, asyncio.CancelledError, TimeoutError):
        return error_response(
            503, "stopping", "The table does not respond; it may just be stopping."
        )
    return json_response({"done": True})
