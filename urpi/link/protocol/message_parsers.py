"""Parsers of the messages between a table and its club (FORMATS.md, Club).

Only what their classes allow is accepted: the other side may be another version, or an attacker.
"""

from collections.abc import Sequence
from typing import Any

from urpi.core.codec import Codec, Value
from urpi.core.errors import UrpiError
from urpi.core.strict_json import parse_object
from urpi.link.protocol.messages import (
    FREE,
    FROM_CLUB,
    FROM_TABLE,
    HELLO,
    MAX_BYTES,
    NEXT,
    OFFERED_GAME,
    ONLINE,
    Digest,
    FromClub,
    FromTable,
    GameHead,
    Hello,
    Lines,
    NextGame,
    Offer,
    OfferedGame,
    OfferHead,
)


def parse_from_table(data: bytes) -> FromTable:
    """A table's message.

    The lines themselves are not checked; `urpi.link.protocol.line_checks` does.

    Raises:
        UrpiError: If it is not one.
    """
    found, lines = _split(data)
    head = FROM_TABLE.parse(found)
    if isinstance(head, Digest):
        _check_count(0, lines)
        return head
    _check_count(head.count, lines)
    if isinstance(head, OfferHead):
        return Offer(head.offer, tuple(map(_parse_offered, lines)), head.agreed)
    about = None if head.head is None else GameHead(head.game, **head.head)
    return Lines(
        head.game,
        head.key,
        head.first,
        head.before,
        tuple(lines),
        about,
        head.names or {},
        head.finished,
    )


def parse_from_club(data: bytes) -> FromClub:
    """A message of the club to a table.

    Raises:
        UrpiError: If it is not one.
    """
    return _parse_line(data, FROM_CLUB)


def parse_hello(data: bytes) -> Hello:
    """The announcement of a start.

    Raises:
        UrpiError: If it is not one.
    """
    return _parse_line(data, HELLO)


def parse_online(data: bytes) -> bool:
    """Whether a table is connected.

    Raises:
        UrpiError: If the message is invalid.
    """
    return _parse_line(data, ONLINE).online


def parse_free(data: bytes) -> bool:
    """Whether a table can be invited to a game.

    Raises:
        UrpiError: If the message is invalid.
    """
    return _parse_line(data, FREE).free


def parse_next(data: bytes) -> NextGame:
    """The pairing that is to be played next at a table.

    Raises:
        UrpiError: If the message is invalid.
    """
    return _parse_line(data, NEXT)


def _parse_line(data: bytes, codec: Codec[Value]) -> Value:
    found, lines = _split(data)
    _check_count(0, lines)
    return codec.parse(found)


def _parse_offered(line: str) -> OfferedGame:
    found: OfferedGame = OFFERED_GAME.parse(parse_object(line), "an offered game", ())
    return found


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
