"""The messages between a table and its club (FORMATS.md, Club), as values that encode themselves.

A message is one JSON object on one line. `Lines` and `Offer` have further lines after it, which are
not escaped in any way; the classes `LinesHead` and `OfferHead` are their objects.
`urpi.link.protocol.message_parsers` reads them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from urpi.core.codec import (
    REQUIRED,
    WRITTEN,
    Codec,
    Kind,
    Named,
    Type,
    json_line,
    list_of,
    matching,
    nested,
    parse_text,
    reject,
    short_text,
    whole,
)
from urpi.core.errors import UrpiError
from urpi.core.names import MAX_NAME, normalised_name
from urpi.link.protocol.chain import CHECKSUM, Checksum, game_key, next_chain

FORMAT: Final = 1
MAX_BYTES: Final = 512 * 1024
"""Size limit of a message. The longest line of a game fits into it with every head."""
MAX_LINES: Final = 2000
"""Maximum number of lines of a game in one message."""
MAX_OFFERED: Final = 200
"""Maximum number of games in an offer."""
MAX_BLOCKS: Final = MAX_OFFERED
"""Maximum number of blocks in a digest."""
MAX_AGREED: Final = 1000
"""Maximum number of names in an offer."""

LAST_NUMBER: Final = 2**53 - 1
"""The greatest number of a game or line: the greatest integer that every reader of JSON has."""

RejectionCode: TypeAlias = Literal["malformed", "forged", "too-many"]
_TEXT: Final = short_text(200)
_LONGEST_REASON: Final = 500
_REASON: Final = short_text(_LONGEST_REASON)
_NUMBER: Final = whole(1, LAST_NUMBER)


def _parse_settings(value: Any) -> dict[str, str]:
    if type(value) is not dict or len(value) > 100:
        reject()
    return {parse_text(name): _TEXT.parse(text) for name, text in value.items()}


def _parse_names(value: Any) -> dict[str, str]:
    if type(value) is not dict or not value.keys() <= {"light", "dark"}:
        reject()
    return {side: _TEXT.parse(name) for side, name in value.items()}


def _parse_name(value: Any) -> str:
    # Displays show it as it is.
    text = parse_text(value)
    return text if 0 < len(text) <= MAX_NAME and normalised_name(text) == text else reject()


Text: TypeAlias = Annotated[str, _TEXT]
Name: TypeAlias = Annotated[
    str, Kind(f"a name of at most {MAX_NAME} characters that can be seen", _parse_name)
]
Moment: TypeAlias = Annotated[
    str,
    matching(
        r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d", "a time such as 2026-11-20T19:02:11+01:00"
    ),
]
GameSettings: TypeAlias = Annotated[
    Mapping[str, str],
    Kind("an object of at most 100 names and short texts", _parse_settings, dict),
]
Number: TypeAlias = Annotated[int, _NUMBER]
Total: TypeAlias = Annotated[int, whole(0, LAST_NUMBER)]
_NAMES: Final = Kind("an object of the names of light and dark", _parse_names, dict)
_MISSING: Final = list_of(
    CHECKSUM, f"a list of at most {MAX_OFFERED} checksums, all different", MAX_OFFERED, unique=True
)
_AGREED: Final = list_of(
    _TEXT, f"a list of at most {MAX_AGREED} names, all different", MAX_AGREED, unique=True
)


@dataclass(frozen=True)
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

    @cached_property
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
        return self.first - 1 + len(self.lines)

    def encode(self) -> bytes:
        head = LinesHead(
            self.number,
            self.key,
            self.first,
            len(self.lines),
            self.before,
            None if self.head is None else self.head.about,
            None if self.head is None else self.names,
            self.finished,
        )
        return "\n".join([FROM_TABLE.line_of(head), *self.lines]).encode()


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

    number: Annotated[int, _NUMBER, Named("game")]
    key: Checksum
    lines: Total
    chain: Checksum
    finished: bool
    pruned: Annotated[bool, WRITTEN] = False
    names: Annotated[Mapping[str, str], _NAMES, REQUIRED] = field(default_factory=dict)


OFFERED_GAME: Final = Type("", OfferedGame)


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
        head = OfferHead(self.offer, len(self.games), self.agreed)
        games = (json_line(OFFERED_GAME.object_of(game)) for game in self.games)
        return "\n".join([FROM_TABLE.line_of(head), *games]).encode()


@dataclass(frozen=True, slots=True)
class Block:
    """The games of a table with consecutive numbers whose end the club has acknowledged.

    Attributes:
        first: The first number.
        last: The last number.
        checksum: The checksum of the games (`block_checksum`).
    """

    first: Number
    last: Number
    checksum: Checksum


class FinishedGame(NamedTuple):
    """A game whose end is stored, as both sides know it."""

    number: int
    key: str
    lines: int
    chain: str
    names: Mapping[str, str]


def block_checksum(games: Iterable[FinishedGame]) -> str:
    """The checksum of finished games, in any order: that of a line of JSON for each, sorted."""
    sides = "light", "dark"
    lines = (json_line([*game[1:4], *map(game.names.get, sides)]) for game in games)
    return next_chain("", sorted(lines))


@dataclass(frozen=True, slots=True)
class Digest:
    """Many finished games, to be compared with what the club has stored without naming each.

    Attributes:
        offer: Identifies the answer, which contains the checksums of the blocks that differ.
        blocks: The blocks, in the order of their numbers, at most `MAX_BLOCKS`.
    """

    offer: Text
    blocks: Annotated[
        tuple[Block, ...],
        list_of(
            nested(Block, "a block of games"), f"a list of at most {MAX_BLOCKS} blocks", MAX_BLOCKS
        ),
    ]

    def encode(self) -> bytes:
        return FROM_TABLE.line_of(self).encode()


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

    key: Checksum
    lines: Total
    chain: Checksum
    finished: bool
    stored: bool

    def encode(self) -> bytes:
        return FROM_CLUB.line_of(self).encode()


@dataclass(frozen=True, slots=True)
class Compared:
    """The club's answer to `Offer` or `Digest`.

    Attributes:
        offer: That of the offer.
        missing: The keys of the games that must be sent from their beginning, or the checksums of
            the blocks whose games must be offered.
    """

    offer: Text
    missing: Annotated[tuple[str, ...], _MISSING]

    def encode(self) -> bytes:
        return FROM_CLUB.line_of(self).encode()


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
    text: Annotated[str, Kind(_REASON.allowed, _REASON.parse, lambda text: text[:_LONGEST_REASON])]
    key: Checksum | None = None

    def encode(self) -> bytes:
        return FROM_CLUB.line_of(self).encode()


@dataclass(frozen=True, slots=True)
class Hello:
    """The club has started, perhaps with an older database: tables compare what is stored.

    Attributes:
        run: Differs in every message. Tables do not use it.
    """

    run: Text

    def encode(self) -> bytes:
        return HELLO.line_of(self).encode()


@dataclass(frozen=True, slots=True)
class Online:
    """Whether a table is connected, and the version of its program; its last will if it is not."""

    online: bool
    program: Text

    def encode(self) -> bytes:
        return ONLINE.line_of(self).encode()


@dataclass(frozen=True, slots=True)
class Free:
    """Whether a table can be invited to a game."""

    free: bool

    def encode(self) -> bytes:
        return FREE.line_of(self).encode()


@dataclass(frozen=True, slots=True)
class NextGame:
    """The pairing of a tournament that is to be played next at a table.

    Attributes:
        tournament: The tournament's number at the club.
        name: The tournament's name.
        round: The round, from 1.
        board: The pairing in the round, from 1.
        light: Light's name.
        dark: Dark's name.
        rules: The RULES word, None for any rules.
    """

    tournament: Number
    name: Name
    round: Number
    board: Number
    light: Name
    dark: Name
    rules: Text | None = None

    def encode(self) -> bytes:
        return NEXT.line_of(self).encode()


FromTable: TypeAlias = Lines | Offer | Digest
FromClub: TypeAlias = Ack | Compared | Rejected


@dataclass(frozen=True, slots=True)
class _About:
    started: Moment
    program: Text
    rules: Text
    settings: GameSettings


_ABOUT: Final = nested(_About, "an object of what is known of the game", "the head of a game")


def _parse_about(value: Any) -> dict[str, Any]:
    _ABOUT.parse(value)
    found: dict[str, Any] = value
    return found


@dataclass(frozen=True, slots=True)
class LinesHead:
    """The first line of a message of `Lines`, which `count` lines follow."""

    game: Number
    key: Checksum
    first: Number
    count: Annotated[int, whole(0, MAX_LINES)]
    before: Checksum
    head: Annotated[Mapping[str, Any] | None, Kind(_ABOUT.allowed, _parse_about)] = None
    names: Annotated[Mapping[str, str] | None, _NAMES] = None
    finished: Moment | None = None


@dataclass(frozen=True, slots=True)
class OfferHead:
    """The first line of a message of `Offer`, which `count` games follow."""

    offer: Text
    count: Annotated[int, whole(0, MAX_OFFERED)]
    agreed: Annotated[tuple[str, ...], _AGREED]


def _check_begun(lines: LinesHead) -> None:
    if (lines.head is not None) != (lines.first == 1):
        message = "A message of lines must have a head if it begins with line 1, and only then."
        raise UrpiError(message)
    if lines.head is None and lines.names is not None:
        message = "A message of lines must have names only if it begins with line 1."
        raise UrpiError(message)


def _codec(*types: Type) -> Codec[Any]:
    return Codec("a message of type {}", types, constants={"format": FORMAT}, strict=True)


def _check_blocks(digest: Digest) -> None:
    # Overlapping ones would cost the club more than the message costs its sender.
    numbers = [number for block in digest.blocks for number in (block.first, block.last + 1)]
    if numbers != sorted(numbers):
        message = "The blocks of a digest must follow each other; found one before another's end."
        raise UrpiError(message)


FROM_TABLE: Final[Codec[LinesHead | OfferHead | Digest]] = _codec(
    Type("lines", LinesHead, _check_begun),
    Type("offer", OfferHead),
    Type("digest", Digest, _check_blocks),
)
FROM_CLUB: Final[Codec[FromClub]] = _codec(
    Type("ack", Ack), Type("compared", Compared), Type("rejected", Rejected, first=("key",))
)
HELLO: Final[Codec[Hello]] = _codec(Type("hello", Hello))
ONLINE: Final[Codec[Online]] = _codec(Type("online", Online))
FREE: Final[Codec[Free]] = _codec(Type("free", Free))
NEXT: Final[Codec[NextGame]] = Codec(
    # Tables of a club are not updated at once: they play what a later club adds keys to.
    "a message of type {}",
    [Type("next", NextGame)],
    constants={"format": FORMAT},
)
