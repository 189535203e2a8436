"""Operations: one table of what can be asked of the page's server.

The routes are made from it, and the API's description too (`urpi.web.openapi`).
"""

import json
import reprlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from starlette.requests import Request
from starlette.routing import Route
from starlette.types import ASGIApp

from urpi.errors import UrpiError
from urpi.journal import DamagedError, DiskError
from urpi.journal.queries import LAST_ID
from urpi.web.answers import refused
from urpi.web.library import BusyError
from urpi.web.schema import Schema, check

NUMBER: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": LAST_ID}
JSON: Final = "application/json"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request whose numbers, query and body are what they may be."""

    request: Request
    numbers: Mapping[str, int] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)


Answer: TypeAlias = Callable[[Asked], Awaitable[ASGIApp]]


class NotThereError(UrpiError):
    """What is asked for is not there."""


class NowNotError(UrpiError):
    """What is asked for cannot be done as things stand; `code` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class MisreadError(UrpiError):
    """What was sent is not what may be sent."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path: what it is for, what it takes, what it gives.

    `path` has names of whole numbers in braces. `gives` is the type of what is answered,
    `status` that of success, `refusals` those that the operation itself may give.
    """

    method: str
    path: str
    summary: str
    answer: Answer
    query: Mapping[str, Schema] = field(default_factory=dict)
    body: Schema | None = None
    gives: str = JSON
    status: int = 200
    refusals: tuple[int, ...] = ()

    @property
    def route(self) -> Route:
        """The route."""

        async def endpoint(request: Request) -> ASGIApp:
            try:
                return await self.answer(await self._asked(request))
            except NotThereError as error:
                return refused(404, "not-found", str(error))
            except MisreadError as error:
                return refused(400, "bad-request", str(error))
            except NowNotError as error:
                return refused(409, error.code, str(error))
            except (BusyError, DiskError, DamagedError) as error:
                code = "busy" if isinstance(error, BusyError) else "journal"
                answer = refused(503, code, str(error))
                answer.headers["retry-after"] = "3"
                return answer
            except UrpiError as error:
                return refused(409, "not-now", str(error))

        return Route(self.path, endpoint, methods=[self.method])

    async def _asked(self, request: Request) -> Asked:
        numbers = {name: _number(name, text) for name, text in request.path_params.items()}
        query = self._read_query(request)
        body = {} if self.body is None else _read_body(await request.body(), self.body)
        return Asked(request, numbers, query, body)

    def _read_query(self, request: Request) -> dict[str, Any]:
        pairs = request.query_params.multi_items()
        query = dict(pairs)
        if len(query) < len(pairs):
            message = "A name stands once in an address's query."
            raise MisreadError(message)
        return {name: self._read_parameter(name, text) for name, text in query.items()}

    def _read_parameter(self, name: str, text: str) -> Any:
        if name not in self.query:
            allowed = ", ".join(self.query) or "nothing"
            message = f"The query here has {allowed}; found {reprlib.repr(name)}."
            raise MisreadError(message)
        schema = self.query[name]
        value = _whole(text) if schema["type"] == "integer" else text
        _check(value, schema, name)
        return value


def _check(value: Any, schema: Schema, name: str) -> None:
    try:
        check(value, schema, name)
    except UrpiError as error:
        raise MisreadError(str(error)) from error


def _whole(text: str) -> int | str:
    """The number, or the text where it is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else text


def _number(name: str, text: str) -> int:
    value = _whole(text)
    if not isinstance(value, int) or value > LAST_ID:
        message = f"There is no {name} {reprlib.repr(text)}; it is a number."
        raise NotThereError(message)
    return value


def _read_body(data: bytes, schema: Schema) -> Mapping[str, Any]:
    try:
        body = json.loads(
            data.decode() or "{}",
            object_pairs_hook=_once,
            parse_constant=_none,
            parse_float=_whole_or_not,
        )
        # A half of a pair of UTF-16 is no text, and no file takes it.
        json.dumps(body, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        message = "A body is one JSON object in UTF-8."
        raise MisreadError(message) from error
    _check(body, schema, "The body")
    return dict(body)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        message = "a key stands twice"
        raise ValueError(message)
    return found


def _whole_or_not(text: str) -> int | float:
    """To JSON Schema, 2.0 is a whole number too."""
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def _none(name: str) -> None:
    message = f"{name} is no JSON"
    raise ValueError(message)
