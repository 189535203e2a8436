"""Operations: the table of the API's methods and paths.

The routes are generated from it, and so is the API's description (`urpi.http.openapi`).
"""

import reprlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp

from urpi.core import strict_json
from urpi.core.errors import UrpiError
from urpi.core.json_schema import Schema, check, one_of
from urpi.http.reader import BusyError, UnavailableError
from urpi.http.responses import error_response
from urpi.journal import DamagedError, DiskError
from urpi.journal.connection import LAST_ID
from urpi.rules import Side

NUMBER: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": LAST_ID}
SIDE: Final = one_of(*(side.value for side in Side))
JSON: Final = "application/json"


@dataclass(frozen=True, slots=True)
class ValidRequest:
    """A request that matches the schemas of its operation.

    Attributes:
        source: The HTTP request.
        numbers: The numbers in the path, by name.
        query: The query parameters.
        body: The JSON body.
    """

    source: Request
    numbers: Mapping[str, int] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)


Handler: TypeAlias = Callable[[ValidRequest], Awaitable[ASGIApp]]


class NotFoundError(UrpiError):
    """The requested thing does not exist; `code` is the reason."""

    def __init__(self, message: str, code: str = "not-found") -> None:
        super().__init__(message)
        self.code = code


class QueueFullError(UrpiError):
    """Too many requests wait for a process that computes the response."""


class ConflictError(UrpiError):
    """The request is impossible in the current state; `code` is the reason."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class InvalidRequestError(UrpiError):
    """The request does not match the schemas of its operation."""


def _code_of(error: UrpiError) -> str:
    """The code of an error after which a later request may succeed."""
    match error:
        case BusyError():
            return "busy"
        case UnavailableError():
            return "database"
    return "journal"


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path.

    Attributes:
        method: The HTTP method.
        path: The path; names in braces stand for whole numbers.
        summary: The description in one sentence.
        handler: Returns the response to a valid request.
        query: The schemas of the query parameters.
        body: The schema of the body, None if there is none.
        media_type: The content type of the response.
        status: The status of a successful response.
        error_statuses: The statuses of the operation's own error responses.
    """

    method: str
    path: str
    summary: str
    handler: Handler
    query: Mapping[str, Schema] = field(default_factory=dict)
    body: Schema | None = None
    media_type: str = JSON
    status: int = 200
    error_statuses: tuple[int, ...] = ()

    @property
    def route(self) -> Route:
        """The route, which maps exceptions to error responses."""

        async def endpoint(request: Request) -> ASGIApp:
            try:
                return await self.handler(await self._validate(request))
            except NotFoundError as error:
                return error_response(404, error.code, str(error))
            except InvalidRequestError as error:
                return error_response(400, "bad-request", str(error))
            except ConflictError as error:
                return error_response(409, error.code, str(error))
            except QueueFullError as error:
                response = error_response(429, "busy", str(error))
                response.headers["retry-after"] = "3"
                return response
            except (BusyError, UnavailableError, DiskError, DamagedError) as error:
                response = error_response(503, _code_of(error), str(error))
                response.headers["retry-after"] = "3"
                return response
            except UrpiError as error:
                return error_response(409, "not-now", str(error))

        return Route(self.path, endpoint, methods=[self.method])

    async def _validate(self, request: Request) -> ValidRequest:
        numbers = {name: _number(name, text) for name, text in request.path_params.items()}
        query = self._parse_query(request)
        body = {} if self.body is None else parse_body(await request.body(), self.body)
        return ValidRequest(request, numbers, query, body)

    def _parse_query(self, request: Request) -> dict[str, Any]:
        pairs = request.query_params.multi_items()
        query = dict(pairs)
        if len(query) < len(pairs):
            message = "A query parameter is given twice."
            raise InvalidRequestError(message)
        return {name: self._parse_parameter(name, text) for name, text in query.items()}

    def _parse_parameter(self, name: str, text: str) -> Any:
        if name not in self.query:
            allowed = ", ".join(self.query) or "none"
            message = (
                f"Unknown query parameter {reprlib.repr(name)}; the parameters here are {allowed}."
            )
            raise InvalidRequestError(message)
        schema = self.query[name]
        value = _parse_integer(text) if schema["type"] == "integer" else text
        _check(value, schema, name)
        return value


def _check(value: Any, schema: Schema, name: str) -> None:
    try:
        check(value, schema, name)
    except UrpiError as error:
        raise InvalidRequestError(str(error)) from error


def _parse_integer(text: str) -> int | str:
    """The number, or the text unchanged if it is not a number."""
    # `int` would accept spaces, signs and other scripts, and is slow for thousands of digits.
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else text


def _number(name: str, text: str) -> int:
    value = _parse_integer(text)
    if not isinstance(value, int) or value > LAST_ID:
        message = f"There is no {name} {reprlib.repr(text)}; it must be a number."
        raise NotFoundError(message)
    return value


def parse_body(data: bytes, schema: Schema) -> Mapping[str, Any]:
    """Parse a body and check it against a schema.

    Stricter than `json.loads`: duplicate keys, NaN and lone surrogates are invalid.

    Raises:
        InvalidRequestError: If it is not a JSON object in UTF-8, or does not match the schema.
    """
    try:
        body = strict_json.parse(data.decode() or "{}", _parse_float)
    except ValueError as error:
        message = "A body must be one JSON object in UTF-8."
        raise InvalidRequestError(message) from error
    _check(body, schema, "The body")
    return dict(body)


def _parse_float(text: str) -> int | float:
    """A number, as int if it has no fraction: in JSON Schema, 2.0 is an integer too."""
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number
