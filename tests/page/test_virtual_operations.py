"""The operations of the virtual table, with hands that only record their orders."""

import asyncio
import json
from concurrent.futures import Future
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.types import ASGIApp, Message

from urpi.core.errors import UrpiError
from urpi.page.virtual_bodies import POSTINGS, virtual_operations
from urpi.rules import Side, parse_square
from urpi.simulation import ReedFault
from urpi.simulation.interactive_table import InteractiveTable as Table
from urpi.simulation.piece_layout import ImpossibleError, parse_place
from urpi.simulation.table_orders import BeginLesson, SwitchPower, TableOrder, act

B4 = parse_square("B4")


class RecordingHands:
    """Hands that record every order, and fail with `error` if it is given."""

    def __init__(self, error: Exception | None = None) -> None:
        self.orders: list[TableOrder] = []
        self._error = error

    def order(self, order: TableOrder) -> Future[None]:
        self.orders.append(order)
        done: Future[None] = Future()
        if isinstance(self._error, asyncio.CancelledError):
            done.cancel()
        elif self._error is not None:
            done.set_exception(self._error)
        else:
            done.set_result(None)
        return done


def app_of(hands: RecordingHands) -> ASGIApp:
    return Starlette(routes=[operation.route for operation in virtual_operations(hands)])


def post(hands: RecordingHands, path: str, body: bytes) -> tuple[int, Any]:
    """Return the status and the body of the response to a POST request."""
    sent: list[Message] = []
    scope = {
        "type": "http",
        "method": "POST",
        "path": f"/api/table/{path}",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json")],
    }

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(app_of(hands)(scope, receive, send))
    body = b"".join(message.get("body", b"") for message in sent)
    return sent[0]["status"], json.loads(body)


@pytest.mark.parametrize(
    ("path", "body", "order"),
    [
        (
            "hand",
            {"do": "lift", "hand": "a1", "from": "B4"},
            act(Table.lift, "a1", parse_place("B4"), 1),
        ),
        ("hand", {"do": "lift", "hand": "a1", "piece": "L3"}, act(Table.lift_named, "a1", "L3")),
        (
            "hand",
            {"do": "lift", "hand": "a1", "from": "hand:dark", "count": 2},
            act(Table.lift, "a1", parse_place("hand:dark"), 2),
        ),
        ("hand", {"do": "over", "hand": "a1", "square": "B4"}, act(Table.hold_over, "a1", B4)),
        ("hand", {"do": "over", "hand": "a1", "square": None}, act(Table.hold_over, "a1", None)),
        (
            "hand",
            {"do": "put", "hand": "a1", "to": "aside"},
            act(Table.put, "a1", parse_place("aside"), push=None, move=None),
        ),
        (
            "hand",
            {"do": "put", "hand": "a1", "to": "B4", "push": True},
            act(Table.put, "a1", parse_place("B4"), push=True, move=None),
        ),
        ("hand", {"do": "back", "hand": "a1"}, act(Table.put_back, "a1")),
        ("hand", {"do": "turn", "hand": "a1"}, act(Table.turn, "a1")),
        ("hand", {"do": "here", "hand": "a1"}, act(Table.keep_alive, "a1")),
        ("throw", {}, act(Table.throw, (), "thrown")),
        ("throw", {"dice": [1, 3], "how": "cocked"}, act(Table.throw, (1, 3), "cocked")),
        ("bump", {}, act(Table.bump)),
        ("sweep", {}, act(Table.sweep)),
        (
            "switch",
            {"square": "B4", "fault": "flicker"},
            act(Table.break_switch, B4, ReedFault.FLICKER),
        ),
        ("switch", {"square": "B4", "fault": None}, act(Table.break_switch, B4, None)),
        ("power", {"on": False}, SwitchPower(on=False)),
        ("hub", {"plugged": True}, act(Table.plug_hub, plugged=True)),
        ("button", {"side": "dark", "press": "both"}, act(Table.press, Side.DARK, "both")),
        (
            "players",
            {"light": "hands", "dark": "simulated"},
            act(Table.seat_players, frozenset({Side.DARK})),
        ),
        ("move", {"move": "A4-A2"}, act(Table.move, "A4-A2")),
        ("restore", {}, act(Table.restore_board)),
        ("lesson", {}, BeginLesson()),
    ],
)
def test_a_body_becomes_an_order(path: str, body: object, order: TableOrder) -> None:
    hands = RecordingHands()

    assert post(hands, path, json.dumps(body).encode()) == (200, {"done": True})
    assert hands.orders == [order]


@pytest.mark.parametrize(
    ("path", "body", "names"),
    [
        ("hand", {"do": "lift", "hand": "a1"}, "either the piece"),
        ("hand", {"do": "lift", "hand": "a1", "piece": "L1", "from": "B4"}, "either the piece"),
        ("hand", {"do": "lift", "hand": "a1", "from": "Z9"}, "'Z9'"),
        ("hand", {"do": "lift", "hand": "a b", "from": "B4"}, "hand"),
        ("hand", {"do": "lift", "hand": "x" * 41, "from": "B4"}, "hand"),
        ("hand", {"do": "lift", "hand": "a1", "piece": "Q1"}, "piece"),
        ("hand", {"do": "lift", "hand": "a1", "from": "B4", "count": 0}, "count"),
        ("hand", {"do": "dance", "hand": "a1"}, "'dance'"),
        ("hand", {"do": "put", "hand": "a1"}, "to"),
        ("hand", {"do": "over", "hand": "a1", "square": 4}, "square"),
        ("hand", [], "do"),
        ("throw", {"dice": [0]}, "dice"),
        ("throw", {"dice": [1, 1]}, "dice"),
        ("throw", {"dice": list(range(1, 14))}, "dice"),
        ("throw", {"dice": [True]}, "dice"),
        ("throw", {"how": "far"}, "how"),
        ("bump", {"hard": True}, "hard"),
        ("switch", {"square": "B4"}, "fault"),
        ("switch", {"square": "B4", "fault": "lost-edge"}, "fault"),
        ("power", {"on": "yes"}, "on"),
        ("hub", {}, "plugged"),
        ("button", {"side": "green", "press": "short"}, "side"),
        ("players", {"light": "hands"}, "dark"),
        ("move", {"move": "x" * 41}, "move"),
    ],
)
def test_an_invalid_body_is_rejected_with_the_name_of_the_key(
    path: str, body: object, names: str
) -> None:
    hands = RecordingHands()
    status, answer = post(hands, path, json.dumps(body).encode())

    assert status == 400
    assert names in answer["error"]
    assert answer["error"].endswith(".")
    assert hands.orders == []


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[" * 5000, b'{"on": NaN}', b"null"])
def test_a_body_that_is_not_a_json_object_is_rejected(body: bytes) -> None:
    assert post(RecordingHands(), "power", body)[0] == 400


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (ImpossibleError("There lies none."), 409, "impossible"),
        (UrpiError("There is no die 9."), 409, "not-there"),
        (asyncio.CancelledError(), 503, "stopping"),
    ],
)
def test_an_error_of_the_table_is_returned(error: Exception, status: int, code: str) -> None:
    found, answer = post(RecordingHands(error), "bump", b"{}")

    assert (found, answer["code"]) == (status, code)


def test_every_path_has_a_summary_and_rejects_unknown_keys() -> None:
    for posting in POSTINGS:
        assert posting.summary.endswith(".")
        kinds = posting.schema.get("oneOf", [posting.schema])
        assert all(kind["additionalProperties"] is False for kind in kinds)
