"""The messages between a table and its club (FORMATS.md, Club), as values that encode themselves.

A message is one JSON object on one line. `Lines` and `Offer` have further lines after it, which are
not escaped in any way. `urpi.link.protocol.message_parsers` reads them.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from urpi.link.protocol.chain import game_key

FORMAT: Final = 1
MAX_BYTES: Final = 512 * 1024
"""Size limit of a message. The longest line of a game fits into it with every head."""
MAX_LINES: Final = 2000
"""Maximum number of lines of a game in one message."""
MAX_OFFERED: Final = 200
"""Maximum number of games in an offer."""
MAX_AGREED: Final = 1000
"""Maximum number of names in an offer."""

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
        before: The checksum before it (`urpi.link.protocol.chain`).
        lines: The lines, an empty one where one has been removed.
        head: What is known of the game, exactly if `first` is 1.
        names: The names of the players that agreed to publish them, if `first` is 1.
        finished: When the game ended, if it ended after these lines; by default it goes on.
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
        pruned: Whether lines were removed from the table's journal. Defaults to False.
        names: The names of the players that agree to publish them, by side; none by default, so
            that consent is always explicit.
    """

    number: int
    key: str
    lines: int
    chain: str
    finished: bool
    pruned: bool = False
    names: Mapping[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """Return the values for JSON."""
        return {
            "game": self.number,
            "key": self.key,
            "lines": self.lines,
            "chain": self.chain,
            "finished": self.finished,
            "pruned": self.pruned,
            "names": dict(self.names),
        }


@dataclass(frozen=True, slots=True)
class Offer:
    """Games to be compared with what the club has stored.

    Attributes:
        offer: Identifies the answer.
        games: The games, at most `MAX_OFFERED`.
        agreed: The names of all players of the table that agree to publish them, at most
            `MAX_AGREED`; none by default. The club erases all others, also in games that the
            journal lacks by now.
    """

    offer: str
    games: tuple[OfferedGame, ...]
    agreed: tuple[str, ...] = ()

    def encode(self) -> bytes:
        """Return the message."""
        head = {
            "type": "offer",
            "format": FORMAT,
            "offer": self.offer,
            "count": len(self.games),
            "agreed": list(self.agreed),
        }
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
        run: Differs in every message. Tables do not use it.
    """

    run: str

    def encode(self) -> bytes:
        """Return the message."""
        return _encode("hello", run=self.run)


FromTable: TypeAlias = Lines | Offer
FromClub: TypeAlias = Ack | Compared | Rejected


def online_message(online: bool, program: str) -> bytes:
    """Return the message of whether a table is connected; the last will if it is not."""
    return _encode("online", online=online, program=program)


def free_message(free: bool) -> bytes:
    """Return the message of whether a table can be invited to a game."""
    return _encode("free", free=free)


def _encode(kind: str, **values: Any) -> bytes:
    return _dump({"type": kind, "format": FORMAT, **values}).encode()


def _dump(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
