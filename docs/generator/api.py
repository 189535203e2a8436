"""The page of the API: every path with its parameters, from the tables that define the routes."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from docs.generator import markdown
from urpi.config import Config
from urpi.core.json_schema import Schema
from urpi.http.operations import JSON, Operation
from urpi.journal import Journal
from urpi.page.actions import action_operations
from urpi.page.analysis import analysis_operations
from urpi.page.corrections import correction_operations
from urpi.page.current_state import state_operations
from urpi.page.games import game_operations
from urpi.page.invitation import invitation_operations, share_operations
from urpi.page.pictures import picture_operations
from urpi.page.players import player_operations
from urpi.page.reviews import review_operations
from urpi.page.rules import rules_operations
from urpi.page.sessions import session_operations
from urpi.page.setup import setup_operations
from urpi.page.site import Site, make_site
from urpi.page.statistics import FigureCache, figure_process, statistics_operations
from urpi.page.table_operations import table_operations
from urpi.page.virtual_bodies import POSTINGS, Posting
from urpi.rules import rule_set
from urpi.service.virtual import Setting, VirtualService
from urpi.simulation import PLAYERS, SimulatedPlayers, behaviour

_INTRODUCTION: Final = """\
The page in the browser, and any other program, can use this API: JSON over HTTP below `/api/`, at
the address set by `listen` in the `[page]` section of the [configuration](configuration.md). The
OpenAPI 3.1 description at `/api/openapi.json` is generated from the same tables as the routes."""
_WHO: Final = """\
Every client can read. To act, a client must first enter the PIN: `POST /api/session` sets a
cookie. The display shows the PIN, and `urpi demo` prints it in its link; direct connections from
this machine need none if `trust_loopback` is set. Requests that act are POSTs with
`Content-Type: application/json` from the page's own origin, or from that of `public_url`; a
program sends `Sec-Fetch-Site: none` instead of an `Origin`. GET never changes anything. A request
for a host name that is neither the machine's own, nor in `names`, nor that of `public_url` is
rejected.

A rejected request returns the reason as `{"error": SENTENCE, "code": WORD}` with the status 400
(invalid request), 401 (PIN required), 403 (forbidden), 404 (not found), 409 (not possible in the
current state), 413, 415, 421 (unknown host name), 429 (too many requests, or too many
pictures, reviews and analyses at once) or 503 (the journal is
busy)."""
_READING: Final = """\
`?name=` is a query parameter; the other keys belong to the JSON object in the request's body. Keys
in brackets are optional, and `/` separates allowed values. `{game}` and `{turn}` are numbers."""
_EVENTS: Final = """\
`GET /api/events` is a stream of server-sent events. `decision` carries one line of [the event
stream](../design/FORMATS.md#event-stream), with its number `seq`, its game, and as `text` the
sentence that players read, in the table's language. `state` carries the whole table as returned by
`GET /api/state`, without the lines of the record before `record_from`, which have been sent
already. `table`, at the virtual table only, carries the places of its pieces and dice. `id` is the
number in the journal: a client that reconnects with `Last-Event-ID`, as browsers do, or with
`?after=`, receives every decision since then without a gap, followed by the state."""


def page() -> str:
    """Return the contents of docs/reference/api.md."""
    with a_site() as site:
        figures = FigureCache(site.journal), figure_process(site)
        return markdown.page(
            "The page's API",
            "urpi/http/operations.py and the tables of operations",
            _INTRODUCTION,
            "## Permissions and errors",
            _WHO,
            "## Notation",
            _READING,
            "## The table",
            _operations(state_operations(site)),
            _EVENTS,
            "## Rules",
            _operations((*rules_operations(site), *setup_operations(site))),
            "## Games",
            _operations(
                (
                    *game_operations(site),
                    *picture_operations(site),
                    *review_operations(site),
                    *analysis_operations(site),
                    *share_operations(site),
                    *statistics_operations(site, *figures),
                )
            ),
            "## Players",
            _operations(player_operations(site, *figures)),
            "## Actions",
            _operations(
                (
                    *session_operations(site),
                    *invitation_operations(site),
                    *action_operations(site),
                    *correction_operations(site),
                )
            ),
            "## Other tables",
            _operations(table_operations(site)),
            "## The virtual table's pieces, dice and mishaps",
            "Only at a virtual table (`urpi demo`).",
            _table(_posting_row(posting) for posting in POSTINGS),
        )


@contextmanager
def a_site() -> Iterator[Site]:
    """Yield the site of a virtual table without a game; it is not served."""
    players = SimulatedPlayers(PLAYERS["greedy"], behaviour("calm"))
    setting = Setting(rule_set("finkel"), 1, players=players)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        with (
            Journal.open(path) as journal,
            VirtualService(
                setting, Config(), journal, lambda _snapshot, _decisions: None
            ) as service,
        ):
            yield make_site(service.board)


def _operations(operations: Iterable[Operation]) -> str:
    return _table(map(_operation_row, operations))


def _table(rows: Iterable[tuple[str, str, str]]) -> str:
    return markdown.table(["", "description", "parameters"], rows)


def _operation_row(operation: Operation) -> tuple[str, str, str]:
    media_type = operation.media_type.partition(";")[0]
    summary = operation.summary if media_type == JSON else f"{operation.summary} ({media_type})"
    takes = [f"`?{name}=`" for name in operation.query]
    takes += [_body(operation.body)] if operation.body is not None else []
    return f"`{operation.method} {operation.path}`", summary, ", ".join(filter(None, takes))


def _posting_row(posting: Posting) -> tuple[str, str, str]:
    return f"`POST {posting.path}`", posting.summary, _body(posting.schema)


def _body(schema: Schema) -> str:
    """Return the keys of a body with their allowed values, for each variant of the body."""
    if "oneOf" in schema and "properties" not in schema:
        kinds = schema["oneOf"]
        if all(one["properties"].keys() == kinds[0]["properties"].keys() for one in kinds):
            return _body(_merged(kinds))
        return "; or ".join(_body(one) for one in kinds)
    required = set(schema.get("required", ()))
    keys = (_key(name, value, name in required) for name, value in schema["properties"].items())
    return ", ".join(keys)


def _merged(kinds: list[Schema]) -> Schema:
    """Merge variants with the same keys; their constants become alternatives."""
    properties = {
        name: {"enum": [one["properties"][name]["const"] for one in kinds]}
        if "const" in value
        else value
        for name, value in kinds[0]["properties"].items()
    }
    return {**kinds[0], "properties": properties}


def _key(name: str, schema: Schema, required: bool) -> str:
    text = f"`{name}`: {_value(schema)}"
    return text if required else f"[{text}]"


_MOST: Final = 6
"""Maximum number of values that are listed in full; of more, the first two and the last are."""


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
