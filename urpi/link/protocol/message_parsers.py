"""Parsers of the messages between a table and its club, with their schemas (FORMATS.md, Club).

Only what a schema allows is accepted: the other side may be another version, or an attacker.
"""

from collections.abc import Sequence
from typing import Any, Final

from urpi.core.errors import UrpiError
from urpi.core.json_schema import Schema, check, object_of, one_of
from urpi.link.protocol.chain import HEX
from urpi.link.protocol.json_lines import parse_object
from urpi.link.protocol.messages import (
    FORMAT,
    MAX_AGREED,
    MAX_BYTES,
    MAX_LINES,
    MAX_OFFERED,
    Ack,
    Compared,
    FromClub,
    FromTable,
    GameHead,
    Hello,
    Lines,
    Offer,
    OfferedGame,
    Rejected,
)

LAST_NUMBER: Final = 2**53 - 1
"""The greatest number of a game or line: the greatest integer that every reader of JSON has."""

_TEXT: Final[Schema] = {"type": "string", "maxLength": 200}
_TIME: Final[Schema] = {
    "type": "string",
    "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$",
}
_CHAIN: Final[Schema] = {"type": "string", "pattern": HEX}
_FLAG: Final[Schema] = {"type": "boolean"}
_FORMAT: Final[Schema] = {"const": FORMAT}


def _number(least: int, most: int = LAST_NUMBER) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most}


def _message(kind: str, required: tuple[str, ...], **properties: Schema) -> Schema:
    keys = {"type": {"const": kind}, "format": _FORMAT, **properties}
    return object_of(("type", "format", *required), **keys)


HEAD: Final = object_of(
    ("started", "program", "rules", "settings"),
    started=_TIME,
    program=_TEXT,
    rules=_TEXT,
    settings={
        "type": "object",
        "properties": {},
        "required": [],
        "maxProperties": 100,
        "additionalProperties": _TEXT,
    },
)
NAMES: Final = object_of(light=_TEXT, dark=_TEXT)
LINES: Final = _message(
    "lines",
    ("game", "key", "first", "count", "before"),
    game=_number(1),
    key=_CHAIN,
    first=_number(1),
    count=_number(0, MAX_LINES),
    before=_CHAIN,
    head=HEAD,
    names=NAMES,
    finished=_TIME,
)
OFFER: Final = _message(
    "offer",
    ("offer", "count", "agreed"),
    offer=_TEXT,
    count=_number(0, MAX_OFFERED),
    agreed={"type": "array", "items": _TEXT, "maxItems": MAX_AGREED},
)
OFFERED_GAME: Final = object_of(
    ("game", "key", "lines", "chain", "finished", "names"),
    game=_number(1),
    key=_CHAIN,
    lines=_number(0),
    chain=_CHAIN,
    finished=_FLAG,
    pruned=_FLAG,
    names=NAMES,
)
ACK: Final = _message(
    "ack",
    ("key", "lines", "chain", "finished", "stored"),
    key=_CHAIN,
    lines=_number(0),
    chain=_CHAIN,
    finished=_FLAG,
    stored=_FLAG,
)
COMPARED: Final = _message(
    "compared",
    ("offer", "missing"),
    offer=_TEXT,
    missing={"type": "array", "items": _CHAIN, "maxItems": MAX_OFFERED},
)
REJECTED: Final = _message(
    "rejected",
    ("code", "text"),
    key=_CHAIN,
    code=one_of("malformed", "forged", "too-many"),
    text={"type": "string", "maxLength": 500},
)
ONLINE: Final = _message("online", ("online", "program"), online=_FLAG, program=_TEXT)
FREE: Final = _message("free", ("free",), free=_FLAG)
HELLO_MESSAGE: Final = _message("hello", ("run",), run=_TEXT)


def parse_from_table(data: bytes) -> FromTable:
    """Return a table's message.

    The lines themselves are not checked; `urpi.link.protocol.line_checks` does.

    Raises:
        UrpiError: If it is not one.
    """
    head, lines = _split(data)
    if head.get("type") == "offer":
        check(head, OFFER, "An offer")
        _check_count(head["count"], lines)
        games = tuple(_offered(line) for line in lines)
        return Offer(head["offer"], games, tuple(head["agreed"]))
    check(head, LINES, "A message of a table")
    _check_count(head["count"], lines)
    about = head.get("head")
    if (about is not None) != (head["first"] == 1):
        message = "A message of lines must have a head if it begins with line 1, and only then."
        raise UrpiError(message)
    if about is None and "names" in head:
        message = "A message of lines must have names only if it begins with line 1."
        raise UrpiError(message)
    return Lines(
        head["game"],
        head["key"],
        head["first"],
        head["before"],
        tuple(lines),
        None if about is None else GameHead(head["game"], **about),
        head.get("names", {}),
        head.get("finished"),
    )


def parse_from_club(data: bytes) -> FromClub:
    """Return a message of the club to a table.

    Raises:
        UrpiError: If it is not one.
    """
    found, lines = _split(data)
    _check_count(0, lines)
    match found.get("type"):
        case "ack":
            check(found, ACK, "An acknowledgement")
            names = ("key", "lines", "chain", "finished", "stored")
            return Ack(**{name: found[name] for name in names})
        case "compared":
            check(found, COMPARED, "An answer")
            return Compared(found["offer"], tuple(found["missing"]))
        case _:
            check(found, REJECTED, "A message of the club")
            return Rejected(found["code"], found["text"], found.get("key"))


def parse_hello(data: bytes) -> Hello:
    """Return the announcement of a start.

    Raises:
        UrpiError: If it is not one.
    """
    found, lines = _split(data)
    _check_count(0, lines)
    check(found, HELLO_MESSAGE, "A hello")
    return Hello(found["run"])


def parse_online(data: bytes) -> bool:
    """Return whether a table is connected.

    Raises:
        UrpiError: If the message is invalid.
    """
    found, lines = _split(data)
    _check_count(0, lines)
    check(found, ONLINE, "An online message")
    return bool(found["online"])


def _offered(line: str) -> OfferedGame:
    found = parse_object(line)
    check(found, OFFERED_GAME, "An offered game")
    return OfferedGame(
        found["game"],
        found["key"],
        found["lines"],
        found["chain"],
        found["finished"],
        found.get("pruned", False),
        found["names"],
    )


def _check_count(count: int, lines: Sequence[str]) -> None:
    if len(lines) != count:
        message = f"{count} lines must follow; found {len(lines)}."
        raise UrpiError(message)


def _split(data: bytes) -> tuple[dict[str, Any], list[str]]:
    """Return the object of the first line, and the other lines."""
    if len(data) > MAX_BYTES:
        message = f"A message must have at most {MAX_BYTES} bytes; found {len(data)}."
        raise UrpiError(message)
    try:
        first, *others = data.decode().split("\n")
    except ValueError as error:
        message = f"A message must be UTF-8; found {data[:20]!r}."
        raise UrpiError(message) from error
    return parse_object(first), others


def parse_free(data: bytes) -> bool:
    """Return whether a table can be invited to a game.

    Raises:
        UrpiError: If the message is invalid.
    """
    found, lines = _split(data)
    _check_count(0, lines)
    check(found, FREE, "A free message")
    return bool(found["free"])
