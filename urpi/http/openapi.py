"""The API's description in OpenAPI 3.1, generated from the table of operations."""

import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final

from urpi import __version__
from urpi.http.operations import JSON, NUMBER, Operation

ERROR: Final = {
    "type": "object",
    "properties": {"error": {"type": "string"}, "code": {"type": "string"}},
    "required": ["error", "code"],
    "additionalProperties": False,
}
"""The schema of an error response: the reason as one sentence, and a stable word for it."""
ALL_ERRORS: Final = (400, 405, 421, 429)
"""Statuses of the error responses that any operation may return."""
ACTION_ERRORS: Final = (401, 403, 408, 413, 415)
"""Statuses of the error responses that any action may return."""
_NAMES: Final = re.compile(r"\{(\w+)\}")


def openapi_document(operations: Iterable[Operation], cookie: str) -> dict[str, Any]:
    """The description of the operations.

    Args:
        operations: The operations.
        cookie: The name of the session's cookie.
    """
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "urpi",
            "version": __version__,
            "summary": "A table at which the Royal Game of Ur is refereed.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {
            "schemas": {"Error": ERROR},
            "securitySchemes": {
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": cookie,
                    "description": "Set by POST /api/session. Its name ends with the port. Over "
                    "HTTPS it begins with __Host-. Direct connections from this machine need none "
                    "if trust_loopback is set.",
                }
            },
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    document: dict[str, Any] = {
        "operationId": _id(operation),
        "summary": operation.summary,
        "parameters": [*_path_parameters(operation), *_query_parameters(operation)],
        "responses": _responses(operation),
    }
    if operation.body is not None:
        document["requestBody"] = {"required": True, "content": {JSON: {"schema": operation.body}}}
    if operation.method != "GET" and not operation.path.startswith("/api/session"):
        # The empty one: on this machine no session may be needed (`trust_loopback`).
        document["security"] = [{}, {"session": []}]
    return document


def _id(operation: Operation) -> str:
    words = re.findall(r"[A-Za-z]+", operation.path.removeprefix("/api/"))
    return operation.method.lower() + "".join(word.capitalize() for word in words)


def _path_parameters(operation: Operation) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": NUMBER}
        for name in _NAMES.findall(operation.path)
    ]


def _query_parameters(operation: Operation) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "query", "required": False, "schema": dict(schema)}
        for name, schema in operation.query.items()
    ]


def _responses(operation: Operation) -> dict[str, Any]:
    media_type = operation.media_type.partition(";")[0]
    schema: dict[str, Any] = {"type": "object"} if media_type == JSON else {"type": "string"}
    if operation.path == "/api/rulesets":
        schema = {"type": "array"}
    action_errors = ACTION_ERRORS if operation.method != "GET" else ()
    errors = {*ALL_ERRORS, *operation.error_statuses, *action_errors}
    content = {media_type: {"schema": schema}}
    return {
        str(operation.status): {"description": "Done.", "content": content},
        **{str(status): _error(status) for status in sorted(errors)},
    }


def _error(status: int) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Error"}
    return {"description": HTTPStatus(status).phrase, "content": {JSON: {"schema": schema}}}
