"""Messages between tables round-trip, and anything else is rejected with a message of one line."""

import json
from typing import Any

import pytest

from urpi.core.errors import UrpiError
from urpi.link.remote.events import (
    SharedAbandoning,
    SharedDraw,
    SharedMove,
    SharedResignation,
    SharedTakeback,
    SharedThrow,
)
from urpi.link.remote.messages import (
    MAX_BYTES,
    MAX_EVENTS,
    Accepted,
    Declined,
    Invited,
    Progress,
    Proposed,
    Replied,
    TableMessage,
    Unknown,
    encode,
    invited_game,
    parse_table_message,
)
from urpi.rules import Side

LIGHT, DARK = Side
GAME = "0123456789abcdef" * 2
EVENTS = (
    SharedThrow(LIGHT, "gs--"),
    SharedThrow(LIGHT, "gs--"),
    SharedMove(LIGHT, "+A3", "inferred"),
    SharedTakeback(LIGHT, "+A3"),
    SharedResignation(DARK),
    SharedDraw("agreed"),
    SharedAbandoning(),
)
PROGRESS = Progress(GAME, 9, GAME, 3, GAME, EVENTS)
MESSAGES: list[TableMessage] = [
    PROGRESS,
    Progress(GAME, 0, GAME, 1, GAME),
    Proposed(GAME, GAME, "takeback", 7),
    Replied(GAME, GAME, accepted=False),
    Unknown(GAME, "missing"),
    Invited(GAME, "murray[exit_row=opponent]", DARK, "Zoë", LIGHT, "2026.11.20"),
    Accepted(GAME, ""),
    Declined(GAME, "busy"),
    Unknown(GAME, "diverged"),
]


@pytest.mark.parametrize("message", MESSAGES)
def test_a_message_round_trips(message: TableMessage) -> None:
    assert parse_table_message(encode(message)) == message


def changed(message: TableMessage, **values: Any) -> bytes:
    return json.dumps({**json.loads(encode(message)), **values}).encode()


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "one JSON object"),
        (b"\xff", "UTF-8"),
        (b" " * (MAX_BYTES + 1), f"at most {MAX_BYTES} bytes"),
        (changed(PROGRESS, type="lines"), "one of progress, seal, propose"),
        (changed(PROGRESS, format=2), "format of .* must be 1; found 2"),
        (changed(PROGRESS, more=1), "more"),
        (changed(PROGRESS, game="5f"), "game"),
        (changed(PROGRESS, events={}), "a list of at most"),
        (changed(PROGRESS, events=[{"type": "abandon"}] * (MAX_EVENTS + 1)), "at most 100"),
        (changed(PROGRESS, events=[{"type": "won"}]), "one of throw, move"),
        (changed(PROGRESS, events=[{"type": "throw", "side": "red", "faces": ""}]), "side"),
        (changed(PROGRESS, have=8), "cannot send event 9 if it has 8"),
        (changed(PROGRESS, first=0), "cannot send event"),
        (changed(MESSAGES[5], rules="chess"), "chess"),
        (changed(MESSAGES[5], date="20.11.2026"), "date"),
        (changed(MESSAGES[2], what="win"), "what"),
    ],
)
def test_anything_else_is_rejected(data: bytes, found: str) -> None:
    with pytest.raises(UrpiError, match=found) as raised:
        parse_table_message(data)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("name", ["x" * 41, "\u200b"])
def test_a_name_is_one_that_every_display_can_show(name: str) -> None:
    with pytest.raises(UrpiError, match="name"):
        parse_table_message(changed(Accepted(GAME, ""), name=name))
    assert parse_table_message(changed(Accepted(GAME, ""), name=" Be\u0301la ")) == Accepted(
        GAME, "Béla"
    )


def test_the_game_of_an_invitation_of_a_later_format() -> None:
    later = changed(MESSAGES[5], format=2, more=1)
    assert invited_game(later) == GAME
    for other in (
        b"",
        b"\xff",
        b"[]",
        changed(MESSAGES[5], game="5f"),
        changed(PROGRESS, format=2),
    ):
        assert invited_game(other) is None
