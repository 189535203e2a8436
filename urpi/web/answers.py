"""Answers as JSON, refusals too."""

import gzip
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from urpi.web.event_lines import json_bytes

WORTH_PACKING: Final = 1400
"""Bytes; what is shorter goes in one packet anyway."""


def json_answer(document: Any, status: int = 200) -> Response:
    """A document."""
    return json_bytes_answer(json_bytes(document), status)


def json_bytes_answer(body: bytes, status: int = 200) -> Response:
    """A document that is JSON already."""
    return Response(body, status, {"cache-control": "no-store"}, "application/json")


def packed(answer: Response, request: Request) -> Response:
    """The same answer, packed where the browser can unpack it and it is long."""
    body = bytes(answer.body)
    answer.headers["vary"] = "accept-encoding"
    if len(body) >= WORTH_PACKING and "gzip" in request.headers.get("accept-encoding", ""):
        answer.body = gzip.compress(body, 5, mtime=0)
        answer.headers["content-encoding"] = "gzip"
        answer.headers["content-length"] = str(len(answer.body))
    return answer


def refused(status: int, code: str, error: str) -> Response:
    """Why not, in one sentence and as a code."""
    return json_answer({"error": error, "code": code}, status)
