"""The page's API: every path and what it takes, from the tables that the server serves by."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from docs.generator import markdown
from urpi.config import Config
from urpi.journal import Journal
from urpi.rules import rule_set
from urpi.service.virtual import Setting, VirtualService
from urpi.table import PLAYERS, People, behaviour
from urpi.web.acting import acting_operations, session_operations
from urpi.web.desk import BoardDesk
from urpi.web.games import game_operations
from urpi.web.operations import JSON, Operation
from urpi.web.page import Page, make_page
from urpi.web.schema import Schema
from urpi.web.table_bodies import POSTINGS, Posting
from urpi.web.watching import watching_operations

_INTRODUCTION: Final = """\
What the page in the browser asks of the program, and any other program may: JSON over HTTP, below
`/api/`, where `listen` in `[page]` of the [configuration](configuration.md) serves it. The same as
OpenAPI 3.1 is at `/api/openapi.json`, made from the tables that the routes are made from."""
_WHO: Final = """\
Anybody in reach may look. Where the page is served to this machine alone (loopback), anybody on it
may act; elsewhere whoever has entered the PIN that the display shows: `POST /api/session` sets a
cookie. What acts is a POST with `Content-Type: application/json` from the page's own origin; a
program says `Sec-Fetch-Site: none` in place of an `Origin`. Nothing acts on GET. A request for a
host name that is neither the machine's own nor in `names` is refused.

What is refused says why: `{"error": SENTENCE, "code": WORD}` with the status 400 (not what may be
sent), 401 (the PIN first), 403, 404, 409 (not now), 413, 415, 421 (another host), 429 (too often)
or 503 (the journal is busy)."""
_READING: Final = """\
`?name=` stands in the address; the other keys are those of a JSON object that is sent. What stands
in brackets may be left out, and `/` parts what may be chosen from. `{game}` and `{turn}` are
numbers."""
_EVENTS: Final = """\
`GET /api/events` is a stream of server-sent events. `decision` carries one line of
[the event stream](../design/FORMATS.md#event-stream) with its sentence; `state` the whole table, as
`GET /api/state` gives it, but for older lines of the record: those before `record_from` were told
before. `table`, at the virtual table, where its pieces and dice lie. `id` is the
number in the journal: who comes back with `Last-Event-ID`, as browsers do, or `?after=`, gets every
decision since, without a gap, and then the state."""


def page() -> str:
    """docs/reference/api.md."""
    with a_page() as served:
        return markdown.page(
            "The page's API",
            "urpi/web/operations.py and where its tables are",
            _INTRODUCTION,
            "## Who may do what",
            _WHO,
            "## How to read the tables",
            _READING,
            "## The table",
            _operations(watching_operations(served)),
            _EVENTS,
            "## Games",
            _operations(game_operations(served)),
            "## Acting",
            _operations((*session_operations(served), *acting_operations(served))),
            "## The virtual table's pieces, dice and mishaps",
            "Only where the table is virtual (`urpi demo`).",
            _table(_posting_row(posting) for posting in POSTINGS),
        )


@contextmanager
def a_page() -> Iterator[Page]:
    """The page of a table at which nobody has sat down yet; it is not served."""
    people = People(PLAYERS["greedy"], behaviour("calm"))
    setting = Setting(rule_set("finkel"), 1, people)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        with (
            Journal.open(path) as journal,
            VirtualService(
                setting, Config(), journal, lambda _snapshot, _decisions: None
            ) as service,
        ):
            yield make_page(BoardDesk(service.board, path, "virtual"))


def _operations(operations: Iterable[Operation]) -> str:
    return _table(map(_operation_row, operations))


def _table(rows: Iterable[tuple[str, str, str]]) -> str:
    return markdown.table(["", "what it does", "what it takes"], rows)


def _operation_row(operation: Operation) -> tuple[str, str, str]:
    gives = operation.gives.partition(";")[0]
    summary = operation.summary if gives == JSON else f"{operation.summary} ({gives})"
    takes = [f"`?{name}=`" for name in operation.query]
    takes += [_body(operation.body)] if operation.body is not None else []
    return f"`{operation.method} {operation.path}`", summary, ", ".join(filter(None, takes))


def _posting_row(posting: Posting) -> tuple[str, str, str]:
    return f"`POST {posting.path}`", posting.summary, _body(posting.schema)


def _body(schema: Schema) -> str:
    """The keys of a body, and what each may be; several kinds of body one behind the other."""
    if "oneOf" in schema and "properties" not in schema:
        kinds = schema["oneOf"]
        if all(one["properties"].keys() == kinds[0]["properties"].keys() for one in kinds):
            return _body(_merged(kinds))
        return "; or ".join(_body(one) for one in kinds)
    required = set(schema.get("required", ()))
    keys = (_key(name, told, name in required) for name, told in schema["properties"].items())
    return ", ".join(keys)


def _merged(kinds: list[Schema]) -> Schema:
    """One for all of the same keys: what says of which kind a body is may be any of them."""
    properties = {
        name: {"enum": [one["properties"][name]["const"] for one in kinds]}
        if "const" in told
        else told
        for name, told in kinds[0]["properties"].items()
    }
    return {**kinds[0], "properties": properties}


def _key(name: str, schema: Schema, required: bool) -> str:
    said = f"`{name}`: {_value(schema)}"
    return said if required else f"[{said}]"


_MOST: Final = 6
"""So many values are listed; of more, the first and the last are."""


def _value(schema: Schema) -> str:
    match schema:
        case {"const": value}:
            return f"`{json.dumps(value)}`" if isinstance(value, bool) else f"`{value}`"
        case {"enum": values}:
            return _choice([f"`{value}`" for value in values])
        case {"anyOf": schemas}:
            return " or ".join(_value(one) for one in schemas)
        case {"type": "array", "items": items}:
            return f"a list of {_value(items)}"
        case {"type": "integer", "minimum": low, "maximum": high}:
            return f"{low} to {high}"
        case {"type": str(kind)}:
            return _KINDS[kind]
    raise AssertionError(schema)


_KINDS: Final[dict[str, str]] = {
    "string": "a text",
    "boolean": "true or false",
    "object": "an object",
    "integer": "a number",
    "null": "null",
}


def _choice(values: list[str]) -> str:
    if len(values) > _MOST:
        values = [*values[:2], "...", values[-1]]
    return " / ".join(values)
