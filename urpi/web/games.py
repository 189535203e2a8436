"""The stored games: what the page reads of them, all of it by the library."""

from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from starlette.responses import Response
from starlette.types import ASGIApp

from urpi import __version__
from urpi.errors import UrpiError
from urpi.evidence import Dispute, dispute_json, dispute_minute, dispute_page, dispute_turn
from urpi.journal import (
    Choice,
    DamagedError,
    DiskError,
    GameSummary,
    Journal,
    entries_of,
    find_game,
    games_before,
    stored_record,
    write_archive,
)
from urpi.journal.queries import LAST_ID
from urpi.rules.record import record_text
from urpi.web.answers import json_bytes_answer, packed
from urpi.web.documents.replay import game_document, replay_document
from urpi.web.event_lines import json_bytes
from urpi.web.operations import JSON, NUMBER, Asked, MisreadError, NotThereError, Operation
from urpi.web.page import Page
from urpi.web.replay_file import replay_page
from urpi.web.schema import Schema
from urpi.words import Words

MOST: Final = 200
USUAL: Final = 50
DAY: Final[Schema] = {"type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
NAME: Final[Schema] = {"type": "string", "maxLength": 200}
HTML: Final = "text/html; charset=utf-8"
TEXT: Final = "text/plain; charset=utf-8"
JSON_LINES: Final = "application/jsonl"
NOTHING: Final[Mapping[str, Schema]] = MappingProxyType({})
SELF_CONTAINED: Final = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'"
)
"""Of a page that is a file to keep: it is of no origin here, and runs nothing."""

_T = TypeVar("_T")
Reading: TypeAlias = Callable[[Journal, Asked, Words], bytes]


class _Read(NamedTuple):
    """A path: what it is for, what it reads, what it gives, what may be asked for."""

    path: str
    summary: str
    reading: Reading
    gives: str = JSON
    query: Mapping[str, Schema] = NOTHING


def game_operations(page: Page) -> tuple[Operation, ...]:
    """The list of games, and what can be read of one."""
    return tuple(_operation(page, read) for read in READINGS)


def _operation(page: Page, read: _Read) -> Operation:
    async def answer(asked: Asked) -> ASGIApp:
        words = page.desk.words
        body = await page.library.read(lambda journal: read.reading(journal, asked, words))
        return _answer(asked, read, body)

    refusals = (404, 503) if "{" in read.path else (503,)
    return Operation(
        "GET", read.path, read.summary, answer, read.query, gives=read.gives, refusals=refusals
    )


def _games(journal: Journal, asked: Asked, words: Words) -> bytes:
    most = asked.query.get("limit", USUAL)
    before = asked.query.get("before", LAST_ID)
    found = games_before(journal, before, most + 1, _choice(asked))
    listed = [game_document(one, words) for one in found[:most]]
    return json_bytes({"games": listed, "more": len(found) > most})


def _replay(journal: Journal, asked: Asked, words: Words) -> bytes:
    game = _game(journal, asked)
    return json_bytes(replay_document(game, entries_of(journal, game.id), words))


def _replay_file(journal: Journal, asked: Asked, words: Words) -> bytes:
    game = _game(journal, asked)
    return replay_page(game, entries_of(journal, game.id), words).encode()


def _turn(journal: Journal, asked: Asked, words: Words) -> bytes:
    return json_bytes(dispute_json(_dispute(journal, asked, asked.numbers["turn"]), words))


def _minute(journal: Journal, asked: Asked, words: Words) -> bytes:
    return json_bytes(dispute_json(dispute_minute(journal, _game(journal, asked).id), words))


def _dispute_page(journal: Journal, asked: Asked, words: Words) -> bytes:
    return dispute_page(_dispute(journal, asked, asked.query.get("turn")), words).encode()


def _record(journal: Journal, asked: Asked, _words: Words) -> bytes:
    return record_text(stored_record(journal, _game(journal, asked).id)).encode()


def _archive(journal: Journal, asked: Asked, _words: Words) -> bytes:
    lines: list[str] = []
    write_archive(journal, [_game(journal, asked).id], lines.append, __version__)
    return "".join(lines).encode()


_ONE: Final = "/api/games/{game}"
READINGS: Final = (
    _Read(
        "/api/games",
        "The stored games, the newest first.",
        _games,
        JSON,
        {
            "player": NAME,
            "rules": NAME,
            "since": DAY,
            "until": DAY,
            "limit": {"type": "integer", "minimum": 1, "maximum": MOST},
            "before": NUMBER,
        },
    ),
    _Read(_ONE, "A game to be stepped through: a frame for every throw and move.", _replay),
    _Read(f"{_ONE}/turns/{{turn}}", "A turn with all that the board saw of it.", _turn),
    _Read(f"{_ONE}/minute", "A game's last minute with all that the board saw of it.", _minute),
    _Read(
        f"{_ONE}/dispute.html",
        "A turn with all that the board saw of it, the last or another, to print.",
        _dispute_page,
        HTML,
        {"turn": NUMBER},
    ),
    _Read(
        f"{_ONE}/replay.html", "The game to be stepped through, in one file.", _replay_file, HTML
    ),
    _Read(f"{_ONE}/record.txt", "The game's record.", _record, TEXT),
    _Read(f"{_ONE}/archive.jsonl", "The game, to be kept elsewhere.", _archive, JSON_LINES),
)


def _answer(asked: Asked, read: _Read, body: bytes) -> Response:
    if read.gives == JSON:
        return packed(json_bytes_answer(body), asked.request)
    name = f"game-{asked.numbers['game']}-{read.path.rpartition('/')[2]}"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    if read.gives == HTML:
        headers["content-security-policy"] = SELF_CONTAINED
    return packed(Response(body, headers=headers, media_type=read.gives), asked.request)


def _game(journal: Journal, asked: Asked) -> GameSummary:
    number = asked.numbers["game"]
    return _or_not_there(lambda: find_game(journal, number), f"There is no game {number}.")


def _dispute(journal: Journal, asked: Asked, turn: int | None) -> Dispute:
    game = _game(journal, asked).id
    return _or_not_there(lambda: dispute_turn(journal, game, turn))


def _or_not_there(reading: Callable[[], _T], error: str = "") -> _T:
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
