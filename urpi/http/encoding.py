"""Encoding of what browsers receive: JSON, server-sent events and PNG pictures."""

import json
from base64 import b64encode
from io import BytesIO
from typing import Any, Final

from PIL import Image

from urpi.referee.decisions import Decision
from urpi.referee.lines import decision_object
from urpi.show.words.decisions import DecisionTexts

HEARTBEAT: Final = b": \n\n"
"""An empty comment, which keeps proxies from closing an idle stream."""

_encode: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def json_bytes(document: Any) -> bytes:
    """Encode a document as compact JSON on one line."""
    return _encode(document).encode()


def event_bytes(name: str, data: bytes, seq: int | None = None) -> bytes:
    r"""Encode a server-sent event.

    Args:
        name: The type of the event.
        data: The data, on one line.
        seq: The event's id, if it has one.

    >>> event_bytes("state", b"{}", 7)
    b'event: state\nid: 7\ndata: {}\n\n'
    """
    number = b"" if seq is None else b"id: %d\n" % seq
    return b"event: %b\n%bdata: %b\n\n" % (name.encode(), number, data)


def decision_event(seq: int, game: int | None, decision: Decision, texts: DecisionTexts) -> bytes:
    """Encode a decision as an event: its fields, its place in the journal, its game, its text."""
    fields = {"seq": seq, "game": game, **decision_object(decision), "text": texts.text(decision)}
    return event_bytes("decision", json_bytes(fields), seq)


def png_bytes(picture: Image.Image) -> bytes:
    """Encode a picture as a PNG file."""
    stream = BytesIO()
    picture.save(stream, "PNG", optimize=True)
    return stream.getvalue()


def png_url(picture: Image.Image) -> str:
    """Encode a picture as a data URL that contains a PNG file."""
    return f"data:image/png;base64,{b64encode(png_bytes(picture)).decode()}"
