"""The API's description, OpenAPI 3.1: made from the table of operations that serves it."""

import re
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final

from urpi import __version__
from urpi.web.operations import JSON, NUMBER, Operation

ERROR: Final = {
    "type": "object",
    "properties": {"error": {"type": "string"}, "code": {"type": "string"}},
    "required": ["error", "code"],
    "additionalProperties": False,
}
"""One sentence that says why not, and a word for it that stays the same."""
ALWAYS: Final = (400, 405, 421, 429)
ACTING: Final = (401, 403, 408, 413, 415)
_NAMES: Final = re.compile(r"\{(\w+)\}")


def openapi_document(operations: Iterable[Operation]) -> dict[str, Any]:
    """The description."""
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
                    "name": "urpi-session",
                    "description": "Set by POST /api/session. Over HTTPS its name begins with "
                    "__Host-. Direct connections from this machine need none if trust_loopback is "
                    "set.",
                }
            },
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    document: dict[str, Any] = {
        "operationId": _name(operation),
        "summary": operation.summary,
        "parameters": [*_path_parameters(operation), *_query_parameters(operation)],
        "responses": _responses(operation),
    }
    if operation.body is not None:
        document["requestBody"] = {"required": True, "content": {JSON: {"schema": operation.body}}}
    if operation.method != "GET" and not operation.path.startswith("/api/session"):
        document["security"] = [{}, {"session": []}]
    return document


def _name(operation: Operation) -> str:
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
    gives = operation.gives.partition(";")[0]
    schema: dict[str, Any] = {"type": "object"} if gives == JSON else {"type": "string"}
    if operation.path == "/api/rulesets":
        schema = {"type": "array"}
    refusals = {*ALWAYS, *operation.refusals, *(ACTING if operation.method != "GET" else ())}
    return {
        str(operation.status): {"description": "Done.", "content": {gives: {"schema": schema}}},
        **{str(status): _refusal(status) for status in sorted(refusals)},
    }


def _refusal(status: int) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Error"}
    return {"description": HTTPStatus(status).phrase, "content": {JSON: {"schema": schema}}}
