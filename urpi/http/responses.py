"""What browsers receive: JSON, events and pictures, compressed where it pays, and errors."""

import gzip
import json
from base64 import b64encode
from io import BytesIO
from typing import Any, Final

from PIL import Image
from starlette.requests import Request
from starlette.responses import Response

from urpi.referee.decisions import Decision
from urpi.referee.lines import decision_object
from urpi.show.words.decisions import DecisionTexts

COMPRESS_FROM: Final = 1400
"""Minimum length in bytes; a shorter body fits into one packet anyway."""
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


def json_response(document: Any, status: int = 200) -> Response:
    """A document as a response, by default a successful one (200)."""
    return json_bytes_response(json_bytes(document), status)


def json_bytes_response(body: bytes, status: int = 200) -> Response:
    """A document that is encoded already as a response."""
    return Response(body, status, {"cache-control": "no-store"}, "application/json")


def accepts_gzip(request: Request) -> bool:
    """Whether the client that made a request can decompress gzip."""
    return "gzip" in request.headers.get("accept-encoding", "")


def compressed(response: Response, request: Request) -> Response:
    """Compress a response in place if it is long and the client accepts gzip, and return it."""
    body = bytes(response.body)
    response.headers["vary"] = "accept-encoding"
    if len(body) >= COMPRESS_FROM and accepts_gzip(request):
        # Level 5, because this happens while a browser waits; files are compressed once, with level
        # 9.
        response.body = gzip.compress(body, 5, mtime=0)
        response.headers["content-encoding"] = "gzip"
        response.headers["content-length"] = str(len(response.body))
    return response


def error_response(status: int, code: str, error: str) -> Response:
    """The response to a rejected request.

    Args:
        status: The HTTP status.
        code: A stable word for the reason.
        error: The reason as one sentence.
    """
    return json_response({"error": error, "code": code}, status)
