"""Server-sent events as bytes, and JSON as it is sent."""

import json
from typing import Any, Final, NamedTuple

from urpi.referee.decisions import Decision
from urpi.referee.lines import decision_object
from urpi.web.documents.said import Teller

HEARTBEAT: Final = b": \n\n"
"""A comment: it keeps what lies between open."""

_encode: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


class Placed(NamedTuple):
    """A decision, and its place in the journal."""

    seq: int
    decision: Decision


def json_bytes(document: Any) -> bytes:
    """Compact JSON on one line."""
    return _encode(document).encode()


def event_bytes(name: str, data: bytes, seq: int | None = None) -> bytes:
    r"""A server-sent event; `data` is one line.

    >>> event_bytes("state", b"{}", 7)
    b'event: state\nid: 7\ndata: {}\n\n'
    """
    number = b"" if seq is None else b"id: %d\n" % seq
    return b"event: %b\n%bdata: %b\n\n" % (name.encode(), number, data)


def decision_event(seq: int, game: int | None, decision: Decision, teller: Teller) -> bytes:
    """The event of a decision: its line's object with its place, its game, and in words."""
    told = {"seq": seq, "game": game, **decision_object(decision), "said": teller.say(decision)}
    return event_bytes("decision", json_bytes(told), seq)
