"""The stored games: what the page reads of them, all of it by the library."""

from collections.abc import Callable
from datetime import date
from typing import Any, Final

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi import __version__
from urpi.errors import UrpiError
from urpi.evidence import dispute_json, dispute_minute, dispute_page, dispute_turn
from urpi.journal import (
    Choice,
    DamagedError,
    DiskError,
    Journal,
    find_game,
    games_before,
    stored_record,
    write_archive,
)
from urpi.journal.queries import LAST_ID
from urpi.rules.record import record_text
from urpi.web.answers import json_bytes_answer, packed
from urpi.web.documents.games import summary_document
from urpi.web.event_lines import json_bytes
from urpi.web.operations import NUMBER, Asked, MisreadError, NotThereError, Operation
from urpi.web.page import Page
from urpi.web.schema import Schema

MOST: Final = 200
USUAL: Final = 50
DAY: Final[Schema] = {"type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
NAME: Final[Schema] = {"type": "string", "maxLength": 200}
SELF_CONTAINED: Final = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
"""Of a page that is a file to keep: it is of no origin here, and runs nothing."""

Reading = Callable[[Journal, Asked], bytes]


def game_operations(page: Page) -> tuple[Operation, ...]:
    """The list of games, and what can be read of one."""

    def get(
        path: str,
        summary: str,
        reading: Reading,
        gives: str = "application/json",
        **query: Schema,
    ) -> Operation:
        async def answer(asked: Asked) -> ASGIApp:
            body = await page.library.read(lambda journal: reading(journal, asked))
            return _answer(asked, path, body, gives)

        refusals = (404, 503) if "{" in path else (400, 503)
        return Operation("GET", path, summary, answer, query, gives=gives, refusals=refusals)

    def words() -> Any:
        return page.desk.words

    def games(journal: Journal, asked: Asked) -> bytes:
        most = asked.query.get("limit", USUAL)
        before = asked.query.get("before", LAST_ID)
        found = games_before(journal, before, most + 1, _choice(asked))
        listed = [summary_document(one, words()) for one in found[:most]]
        return json_bytes({"games": listed, "more": len(found) > most})

    def turn(journal: Journal, asked: Asked) -> bytes:
        game = _game(journal, asked)
        dispute = _or_not_there(lambda: dispute_turn(journal, game, asked.numbers["turn"]))
        return json_bytes(dispute_json(dispute, words()))

    def minute(journal: Journal, asked: Asked) -> bytes:
        dispute = dispute_minute(journal, _game(journal, asked))
        return json_bytes(dispute_json(dispute, words()))

    def dispute(journal: Journal, asked: Asked) -> bytes:
        game, number = _game(journal, asked), asked.query.get("turn")
        return dispute_page(
            _or_not_there(lambda: dispute_turn(journal, game, number)), words()
        ).encode()

    def record(journal: Journal, asked: Asked) -> bytes:
        return record_text(stored_record(journal, _game(journal, asked))).encode()

    def archive(journal: Journal, asked: Asked) -> bytes:
        lines: list[str] = []
        write_archive(journal, [_game(journal, asked)], lines.append, __version__)
        return "".join(lines).encode()

    one = "/api/games/{game}"
    return (
        get(
            "/api/games",
            "The stored games, the newest first.",
            games,
            player=NAME,
            rules=NAME,
            since=DAY,
            until=DAY,
            limit={"type": "integer", "minimum": 1, "maximum": MOST},
            before=NUMBER,
        ),
        get(f"{one}/turns/{{turn}}", "A turn with all that the board saw of it.", turn),
        get(f"{one}/minute", "A game's last minute with all that the board saw of it.", minute),
        get(
            f"{one}/dispute.html",
            "A turn, the last or another, to print.",
            dispute,
            HTML,
            turn=NUMBER,
        ),
        get(f"{one}/record.txt", "The game's record.", record, "text/plain; charset=utf-8"),
        get(f"{one}/archive.jsonl", "The game to be kept elsewhere.", archive, JSON_LINES),
    )


HTML: Final = "text/html; charset=utf-8"
JSON_LINES: Final = "application/jsonl"


def _answer(asked: Asked, path: str, body: bytes, gives: str) -> Response:
    if gives == "application/json":
        return packed(json_bytes_answer(body), asked.request)
    name = path.rpartition("/")[2]
    headers = {"content-disposition": f'attachment; filename="game-{asked.numbers["game"]}-{name}"'}
    if gives == HTML:
        headers["content-security-policy"] = SELF_CONTAINED
    return packed(Response(body, headers=headers, media_type=gives), asked.request)


def _game(journal: Journal, asked: Asked) -> int:
    number = asked.numbers["game"]
    _or_not_there(lambda: find_game(journal, number), f"There is no game {number}.")
    return number


def _or_not_there(reading: Callable[[], Any], error: str = "") -> Any:
    try:
        return reading()
    except (DiskError, DamagedError):
        raise
    except UrpiError as none:
        raise NotThereError(error or str(none)) from none


def _choice(asked: Asked) -> Choice:
    query = asked.query
    return Choice(
        query.get("player"), query.get("rules"), _day(query, "since"), _day(query, "until")
    )


def _day(query: Any, name: str) -> date | None:
    if name not in query:
        return None
    try:
        return date.fromisoformat(query[name])
    except ValueError as error:
        message = f"{name} is a day such as 2026-11-20; found {query[name]}."
        raise MisreadError(message) from error
