"""The messages between a table and its club, as text and as values (FORMATS.md, Club).

A message is one JSON object on one line. `Lines` and `Offer` have further lines after it, which are
not escaped in any way.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NoReturn, TypeAlias

from urpi.club.chain import HEX, game_key
from urpi.errors import UrpiError
from urpi.rules import Side
from urpi.web.schema import Schema, check, object_of, one_of

FORMAT: Final = 1
MOST_BYTES: Final = 512 * 1024
"""Size limit of a message. The longest line of a game fits into it with every head."""
MOST_LINES: Final = 2000
"""Maximum number of lines of a game in one message."""
MOST_OFFERED: Final = 200
"""Maximum number of games in an offer."""
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
_SIDES: Final[Schema] = {
    "type": "array",
    "items": one_of(*(side.value for side in Side)),
    "maxItems": 2,
}


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
    count=_number(0, MOST_LINES),
    before=_CHAIN,
    head=HEAD,
    names=NAMES,
    finished=_TIME,
)
OFFER: Final = _message("offer", ("offer", "count"), offer=_TEXT, count=_number(0, MOST_OFFERED))
OFFERED_GAME: Final = object_of(
    ("game", "key", "lines", "chain", "finished", "names"),
    game=_number(1),
    key=_CHAIN,
    lines=_number(0),
    chain=_CHAIN,
    finished=_FLAG,
    pruned=_FLAG,
    names=_SIDES,
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
    missing={"type": "array", "items": _CHAIN, "maxItems": MOST_OFFERED},
)
REJECTED: Final = _message(
    "rejected",
    ("code", "text"),
    key=_CHAIN,
    code=one_of("malformed", "forged", "too-many"),
    text={"type": "string", "maxLength": 500},
)
ONLINE: Final = _message("online", ("online", "program"), online=_FLAG, program=_TEXT)
HELLO_MESSAGE: Final = _message("hello", ("run",), run=_TEXT)

RejectionCode: TypeAlias = Literal["malformed", "forged", "too-many"]


@dataclass(frozen=True, slots=True)
class GameHead:
    """What is known of a game at its beginning, without its players.

    Attributes:
        number: The game's number in the table's journal.
        started: The local time, ISO 8601 with the offset from UTC.
        program: The version of the program that referees it.
        rules: The RULES word.
        settings: What a replay needs to reach the same decisions, by name.
    """

    number: int
    started: str
    program: str
    rules: str
    settings: Mapping[str, str]

    @property
    def key(self) -> str:
        """The checksum that identifies the game among those of its table."""
        return game_key({"game": self.number, **self.about})

    @property
    def about(self) -> dict[str, Any]:
        """The values for JSON, without the number."""
        return {
            "started": self.started,
            "program": self.program,
            "rules": self.rules,
            "settings": dict(self.settings),
        }


@dataclass(frozen=True, slots=True)
class Lines:
    """Consecutive lines of a game.

    Attributes:
        number: The game's number in the table's journal.
        key: The game's key.
        first: The number of the first line, from 1.
        before: The checksum before it (`urpi.club.chain`).
        lines: The lines, an empty one where one has been removed.
        head: What is known of the game, exactly if `first` is 1.
        names: The names of the players that agreed to publish them, if `first` is 1.
        finished: When the game ended, if it ended after these lines.
    """

    number: int
    key: str
    first: int
    before: str
    lines: tuple[str, ...]
    head: GameHead | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    finished: str | None = None

    @property
    def last(self) -> int:
        """The number of the last line."""
        return self.first - 1 + len(self.lines)

    def encode(self) -> bytes:
        """Return the message."""
        head: dict[str, Any] = {
            "type": "lines",
            "format": FORMAT,
            "game": self.number,
            "key": self.key,
            "first": self.first,
            "count": len(self.lines),
            "before": self.before,
        }
        if self.head is not None:
            head |= {"head": self.head.about, "names": dict(self.names)}
        if self.finished is not None:
            head["finished"] = self.finished
        return "\n".join([_dump(head), *self.lines]).encode()


@dataclass(frozen=True, slots=True)
class OfferedGame:
    """A game of which the table believes that the club has stored it up to a line.

    Attributes:
        number: The game's number in the table's journal.
        key: The game's key.
        lines: Number of lines that the club acknowledged.
        chain: The checksum after them.
        finished: Whether the club acknowledged its end.
        pruned: Whether the table's journal lacks some of its lines by now.
        names: The sides that agree to publish their names.
    """

    number: int
    key: str
    lines: int
    chain: str
    finished: bool
    pruned: bool = False
    names: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """Return the values for JSON."""
        return {
            "game": self.number,
            "key": self.key,
            "lines": self.lines,
            "chain": self.chain,
            "finished": self.finished,
            "pruned": self.pruned,
            "names": list(self.names),
        }


@dataclass(frozen=True, slots=True)
class Offer:
    """Games to be compared with what the club has stored.

    Attributes:
        offer: Identifies the answer.
        games: The games, at most `MOST_OFFERED`.
    """

    offer: str
    games: tuple[OfferedGame, ...]

    def encode(self) -> bytes:
        """Return the message."""
        head = {"type": "offer", "format": FORMAT, "offer": self.offer, "count": len(self.games)}
        return "\n".join([_dump(head), *(_dump(game.document()) for game in self.games)]).encode()


@dataclass(frozen=True, slots=True)
class Ack:
    """The club's answer to `Lines`, sent after the commit.

    Attributes:
        key: The game's key.
        lines: The number of the last line of the message that is answered.
        chain: The checksum after it.
        finished: Whether the message contained the game's end.
        stored: Whether all lines up to this one are stored. If not, lines before the message are
            missing, and the game must be sent from its beginning.
    """

    key: str
    lines: int
    chain: str
    finished: bool
    stored: bool

    def encode(self) -> bytes:
        """Return the message."""
        return _encode(
            "ack",
            key=self.key,
            lines=self.lines,
            chain=self.chain,
            finished=self.finished,
            stored=self.stored,
        )


@dataclass(frozen=True, slots=True)
class Compared:
    """The club's answer to `Offer`.

    Attributes:
        offer: That of the offer.
        missing: The keys of the games that must be sent from their beginning.
    """

    offer: str
    missing: tuple[str, ...]

    def encode(self) -> bytes:
        """Return the message."""
        return _encode("compared", offer=self.offer, missing=list(self.missing))


@dataclass(frozen=True, slots=True)
class Rejected:
    """The club's answer to a message that it does not accept.

    Attributes:
        code: ``malformed``: it violates FORMATS.md; ``forged``: the game's key does not belong to
            its head, or a line is not one of a game; ``too-many``: the game has too many lines.
        text: What was found and what is allowed.
        key: The key of the game that is no longer accepted, None if the message could not be read.
    """

    code: RejectionCode
    text: str
    key: str | None = None

    def encode(self) -> bytes:
        """Return the message."""
        key = {} if self.key is None else {"key": self.key}
        return _encode("rejected", **key, code=self.code, text=self.text[:500])


@dataclass(frozen=True, slots=True)
class Hello:
    """The club has started, perhaps with an older database: tables compare what is stored.

    Attributes:
        run: Differs at every start.
    """

    run: str

    def encode(self) -> bytes:
        """Return the message."""
        return _encode("hello", run=self.run)


FromTable: TypeAlias = Lines | Offer
FromClub: TypeAlias = Ack | Compared | Rejected


def parse_from_table(data: bytes) -> FromTable:
    """Return a table's message.

    The lines themselves are not checked; `urpi.club.line_checks` does.

    Raises:
        UrpiError: If it is not one.
    """
    head, lines = _split(data)
    if head.get("type") == "offer":
        check(head, OFFER, "An offer")
        _check_count(head["count"], lines)
        return Offer(head["offer"], tuple(_offered(line) for line in lines))
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


def online_message(online: bool, program: str) -> bytes:
    """Return the message of whether a table is connected; the last will if it is not."""
    return _encode("online", online=online, program=program)


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
    found = _load(line)
    check(found, OFFERED_GAME, "An offered game")
    return OfferedGame(
        found["game"],
        found["key"],
        found["lines"],
        found["chain"],
        found["finished"],
        found.get("pruned", False),
        tuple(found["names"]),
    )


def _check_count(count: int, lines: Sequence[str]) -> None:
    if len(lines) != count:
        message = f"{count} lines must follow; found {len(lines)}."
        raise UrpiError(message)


def _split(data: bytes) -> tuple[dict[str, Any], list[str]]:
    """Return the object of the first line, and the other lines."""
    if len(data) > MOST_BYTES:
        message = f"A message must have at most {MOST_BYTES} bytes; found {len(data)}."
        raise UrpiError(message)
    try:
        first, *others = data.decode().split("\n")
    except ValueError as error:
        message = f"A message must be UTF-8; found {data[:20]!r}."
        raise UrpiError(message) from error
    return _load(first), others


def _load(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line, object_pairs_hook=_unique, parse_constant=_reject_constant)
        # A lone surrogate passes json.loads, but no file could store it.
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        message = f"A line must be one JSON object; found {line[:60]!r}."
        raise UrpiError(message) from error
    if not isinstance(found, dict):
        message = f"A line must be one JSON object; found {line[:60]!r}."
        raise UrpiError(message)
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        message = "duplicate key"
        raise ValueError(message)
    return found


def _reject_constant(name: str) -> NoReturn:
    message = f"{name} is not valid JSON"
    raise ValueError(message)


def _encode(kind: str, **values: Any) -> bytes:
    return _dump({"type": kind, "format": FORMAT, **values}).encode()


def _dump(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
