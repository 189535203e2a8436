"""Answers as JSON, refusals too."""

from typing import Any

from starlette.responses import Response

from urpi.web.event_lines import json_bytes


def json_answer(document: Any, status: int = 200) -> Response:
    """A document."""
    return json_bytes_answer(json_bytes(document), status)


def json_bytes_answer(body: bytes, status: int = 200) -> Response:
    """A document that is JSON already."""
    return Response(body, status, {"cache-control": "no-store"}, "application/json")


def refused(status: int, code: str, error: str) -> Response:
    """Why not, in one sentence and as a code."""
    return json_answer({"error": error, "code": code}, status)
