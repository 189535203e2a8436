"""The messages between two tables, and their parser with its schemas (FORMATS.md, Two tables)."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, TypeAlias, get_args

from urpi.core.errors import UrpiError
from urpi.core.json_schema import Schema, check, object_of, one_of
from urpi.core.names import MAX_NAME, normalised_name
from urpi.link.protocol.chain import HEX
from urpi.link.protocol.json_lines import parse_object
from urpi.link.remote.events import (
    SharedEnd,
    SharedEvent,
    SharedMove,
    SharedTakeback,
    SharedThrow,
    event_object,
)
from urpi.referee.facts import Confidence
from urpi.rules import Side, parse_rules

FORMAT: Final = 1
MAX_BYTES: Final = 64 * 1024
"""Maximum size of a message, in bytes."""
MAX_EVENTS: Final = 100
"""Maximum number of events in one message."""

ProposalCode: TypeAlias = Literal["takeback", "draw", "abandon", "resign"]
DeclineCode: TypeAlias = Literal["declined", "busy", "withdrawn", "unsupported"]
"""Why a game does not begin: a player there declined, a game is in progress there, the player who
invited has withdrawn the invitation, or the program there is of a version without such games."""
UnknownCode: TypeAlias = Literal["missing", "diverged"]
"""Why a game cannot continue: the table does not have it or has begun another one, or its journal
has other events of it."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a table has of a game, and events that the other one lacks.

    Attributes:
        game: The identity of the game.
        have: Number of events in the journal.
        chain: The checksum after them.
        first: The number of the first event that follows, from 1.
        before: The checksum before it.
        events: The events.
    """

    game: str
    have: int
    chain: str
    first: int
    before: str
    events: tuple[SharedEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposed:
    """A player proposes something, or resigns while the other table decides what happens next.

    Attributes:
        game: The identity of the game.
        number: The identity of the proposal within the game.
        what: What is proposed; ``resign`` needs no reply.
        at: Number of events that the table had. A take-back concerns the last of them.
    """

    game: str
    number: str
    what: ProposalCode
    at: int


@dataclass(frozen=True, slots=True)
class Replied:
    """The reply to a proposal."""

    game: str
    number: str
    accepted: bool


@dataclass(frozen=True, slots=True)
class Unknown:
    """The table cannot continue this game; `code` is the reason."""

    game: str
    code: UnknownCode


@dataclass(frozen=True, slots=True)
class Invited:
    """A player invites to a game.

    Attributes:
        game: The identity of the game, if it is accepted.
        rules: The RULES word.
        side: The side of the player who invites.
        name: Its name, which may be empty.
        first: The side that begins.
        date: The date at the table of that player, as in a record.
    """

    game: str
    rules: str
    side: Side
    name: str
    first: Side
    date: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """An invitation is accepted, by a player of this name."""

    game: str
    name: str


@dataclass(frozen=True, slots=True)
class Declined:
    """An invitation is declined, or withdrawn."""

    game: str
    code: DeclineCode


TableMessage: TypeAlias = Progress | Proposed | Replied | Unknown | Invited | Accepted | Declined

_SIDE: Final = one_of(*(side.value for side in Side))
_ID: Final[Schema] = {"type": "string", "pattern": HEX}
_NAME: Final[Schema] = {"type": "string", "maxLength": MAX_NAME}
_TEXT: Final[Schema] = {"type": "string", "maxLength": 100}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 1_000_000}
_DATE: Final[Schema] = {"type": "string", "pattern": r"^\d{4}\.\d\d\.\d\d$"}


def _event(kind: str, **keys: Schema) -> Schema:
    return object_of(("type", *keys), type={"const": kind}, **keys)


EVENTS: Final[Mapping[str, Schema]] = {
    "throw": _event("throw", side=_SIDE, faces={"type": "string", "maxLength": 8}),
    "move": _event("move", side=_SIDE, move=_TEXT, confidence=one_of(*get_args(Confidence))),
    "takeback": _event("takeback", side=_SIDE, move=_TEXT),
    "resign": _event("resign", side=_SIDE),
    "draw": _event("draw", code=_TEXT),
    "abandon": _event("abandon"),
}
"""The schemas of the events, by type."""


def _message(kind: str, **keys: Schema) -> Schema:
    return object_of(
        ("type", "format", "game", *keys),
        type={"const": kind},
        format={"const": FORMAT},
        game=_ID,
        **keys,
    )


MESSAGES: Final[Mapping[str, Schema]] = {
    "progress": _message(
        "progress",
        have=_COUNT,
        chain=_ID,
        first=_COUNT,
        before=_ID,
    ),
    "propose": _message("propose", number=_ID, what=one_of(*get_args(ProposalCode)), at=_COUNT),
    "reply": _message("reply", number=_ID, accepted={"type": "boolean"}),
    "unknown": _message("unknown", code=one_of(*get_args(UnknownCode))),
    "invite": _message("invite", rules=_TEXT, side=_SIDE, name=_NAME, first=_SIDE, date=_DATE),
    "accept": _message("accept", name=_NAME),
    "decline": _message("decline", code=one_of(*get_args(DeclineCode))),
}
"""The schemas of the messages, by type; that of ``progress`` without its list `events`."""

_KINDS: Final[Mapping[str, type[TableMessage]]] = {
    "progress": Progress,
    "propose": Proposed,
    "reply": Replied,
    "unknown": Unknown,
    "invite": Invited,
    "accept": Accepted,
    "decline": Declined,
}
_TYPES: Final = {kind: name for name, kind in _KINDS.items()}


def encode(message: TableMessage) -> bytes:
    """Return a message as it is sent."""
    keys = {each.name: getattr(message, each.name) for each in fields(message)}
    content = {"type": _TYPES[type(message)], "format": FORMAT}
    content |= {name: _plain(value) for name, value in keys.items()}
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def _plain(value: Any) -> Any:
    if isinstance(value, Side):
        return value.value
    return [event_object(event) for event in value] if isinstance(value, tuple) else value


def parse_table_message(data: bytes) -> TableMessage:
    """Return a message of another table.

    Raises:
        UrpiError: If it is not one.
    """
    if len(data) > MAX_BYTES:
        message = f"A message must have at most {MAX_BYTES} bytes; found {len(data)}."
        raise UrpiError(message)
    try:
        text = data.decode()
    except ValueError as error:
        message = f"A message must be UTF-8; found {data[:20]!r}."
        raise UrpiError(message) from error
    found = parse_object(text)
    # Equal events may follow each other, which a list of the schema does not allow.
    events = _parse_events(found.pop("events", [])) if found.get("type") == "progress" else ()
    check(found, {"oneOf": [*MESSAGES.values()]}, "A message of another table")
    name = found["type"]
    values = {key: value for key, value in found.items() if key not in {"type", "format"}}
    for side in ("side", "first"):
        if isinstance(values.get(side), str):
            values[side] = Side(values[side])
    if name == "progress":
        values["events"] = events
        _check_numbers(values)
    if name == "invite":
        parse_rules(values["rules"])
    if "name" in values:
        values["name"] = normalised_name(values["name"])
    return _KINDS[name](**values)


def invited_game(data: bytes) -> str | None:
    """Return the game of an invitation that `parse_table_message` rejects, None for other messages.

    It may be one of a later version of the program.
    """
    try:
        found = parse_object(data[:MAX_BYTES].decode())
    except (ValueError, UrpiError):
        return None
    game = found.get("game")
    is_game = isinstance(game, str) and re.fullmatch(HEX, game) is not None
    return game if found.get("type") == "invite" and is_game else None


def _check_numbers(values: Mapping[str, Any]) -> None:
    last = values["first"] + len(values["events"]) - 1
    if values["first"] < 1 or last > values["have"]:
        message = f"A table cannot send event {last} if it has {values['have']}."
        raise UrpiError(message)


def _parse_events(found: Any) -> tuple[SharedEvent, ...]:
    if not isinstance(found, list) or len(found) > MAX_EVENTS:
        message = f"The events must be a list of at most {MAX_EVENTS}."
        raise UrpiError(message)
    for one in found:
        check(one, {"oneOf": [*EVENTS.values()]}, "An event")
    return tuple(map(_parse_event, found))


def _parse_event(found: Mapping[str, Any]) -> SharedEvent:
    match found["type"]:
        case "throw":
            return SharedThrow(Side(found["side"]), found["faces"])
        case "move":
            return SharedMove(Side(found["side"]), found["move"], found["confidence"])
        case "takeback":
            return SharedTakeback(Side(found["side"]), found["move"])
        case "resign":
            return SharedEnd("resign", Side(found["side"]))
        case "draw":
            return SharedEnd("draw", code=found["code"])
        case _:
            return SharedEnd("abandon")
