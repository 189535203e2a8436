"""Responses: JSON documents, compressed where it pays, and errors."""

import gzip
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from urpi.http.encoding import json_bytes

COMPRESS_FROM: Final = 1400
"""Minimum length in bytes; a shorter body fits into one packet anyway."""


def json_response(document: Any, status: int = 200) -> Response:
    """Return a document as a response, by default a successful one (200)."""
    return json_bytes_response(json_bytes(document), status)


def json_bytes_response(body: bytes, status: int = 200) -> Response:
    """Return a document that is encoded already as a response."""
    return Response(body, status, {"cache-control": "no-store"}, "application/json")


def accepts_gzip(request: Request) -> bool:
    """Whether the client that made a request can decompress gzip."""
    return "gzip" in request.headers.get("accept-encoding", "")


def compressed(response: Response, request: Request) -> Response:
    """Compress a response in place if it is long and the client accepts gzip, and return it."""
    body = bytes(response.body)
    response.headers["vary"] = "accept-encoding"
    if len(body) >= COMPRESS_FROM and accepts_gzip(request):
        response.body = gzip.compress(body, 5, mtime=0)
        response.headers["content-encoding"] = "gzip"
        response.headers["content-length"] = str(len(response.body))
    return response


def error_response(status: int, code: str, error: str) -> Response:
    """Return the response to a rejected request.

    Args:
        status: The HTTP status.
        code: A stable word for the reason.
        error: The reason as one sentence.
    """
    return json_response({"error": error, "code": code}, status)
