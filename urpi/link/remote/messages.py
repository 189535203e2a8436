"""The messages between two tables, and their parser (FORMATS.md, Two tables)."""

import re
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

from urpi.core.codec import WRITTEN, Codec, Kind, Type, list_of, matching, short_text, whole
from urpi.core.errors import UrpiError
from urpi.core.names import MAX_NAME, normalised_name
from urpi.core.strict_json import parse_object
from urpi.link.protocol.chain import HEX, Checksum
from urpi.link.remote.events import EVENTS, SharedEvent, ShortText
from urpi.rules import Side, parse_rules

FORMAT: Final = 1
MAX_BYTES: Final = 64 * 1024
"""Maximum size of a message, in bytes."""
MAX_EVENTS: Final = 100
"""Maximum number of events in one message."""

ProposalCode: TypeAlias = Literal["takeback", "draw", "abandon", "resign", "claim"]
DeclineCode: TypeAlias = Literal["declined", "busy", "withdrawn", "unsupported"]
"""Why a game does not begin: a player there declined, a game is in progress there, the player who
invited has withdrawn the invitation, or the program there is of a version without such games."""
UnknownCode: TypeAlias = Literal["missing", "diverged"]
"""Why a game cannot continue: the table does not have it or has begun another one, or its journal
has other events of it."""

_ENTERED: Final = short_text(MAX_NAME)
_NAME: Final = Kind(
    f"a name of at most {MAX_NAME} characters, empty or with one that can be seen",
    lambda value: normalised_name(_ENTERED.parse(value)),
)
_EVENT: Final = Kind("an event", EVENTS.parse, EVENTS.object_of)
_EVENTS: Final = list_of(_EVENT, f"a list of at most {MAX_EVENTS} events", MAX_EVENTS)
_DATE: Final = matching(r"\d{4}\.\d\d\.\d\d", "a date such as 2026.11.20")

EventCount: TypeAlias = Annotated[int, whole(0, 1_000_000)]


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
        seal: What only the sender can compute of `have` and `chain`; empty without a key.
    """

    game: Checksum
    have: EventCount
    chain: Checksum
    first: EventCount
    before: Checksum
    events: Annotated[tuple[SharedEvent, ...], _EVENTS, WRITTEN] = ()
    seal: Checksum = ""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A player proposes something, or has ended the game alone: by giving up, or by a claim.

    Attributes:
        game: The identity of the game.
        number: The identity of the proposal within the game.
        what: What is proposed; ``resign`` and ``claim`` need no consent.
        at: Number of events that the table had. A take-back concerns the last of them.
    """

    game: Checksum
    number: Checksum
    what: ProposalCode
    at: EventCount


@dataclass(frozen=True, slots=True)
class Replied:
    """The reply to a proposal."""

    game: Checksum
    number: Checksum
    accepted: bool


@dataclass(frozen=True, slots=True)
class Unknown:
    """The table cannot continue this game; `code` is the reason."""

    game: Checksum
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

    game: Checksum
    rules: ShortText
    side: Side
    name: Annotated[str, _NAME]
    first: Side
    date: Annotated[str, _DATE]


@dataclass(frozen=True, slots=True)
class Accepted:
    """An invitation is accepted, by a player of this name."""

    game: Checksum
    name: Annotated[str, _NAME]


@dataclass(frozen=True, slots=True)
class Declined:
    """An invitation is declined, or withdrawn."""

    game: Checksum
    code: DeclineCode


@dataclass(frozen=True, slots=True)
class Sealed:
    """The receiver had events stored, of which its journal has lost some: a seal of its `Progress`.

    Attributes:
        game: The identity of the game.
        have: Number of events that it had.
        chain: The checksum after them.
        seal: What only the receiver can compute of these.
    """

    game: Checksum
    have: EventCount
    chain: Checksum
    seal: Checksum


TableMessage: TypeAlias = (
    Progress | Sealed | Proposed | Replied | Unknown | Invited | Accepted | Declined
)


def _check_progress(progress: Progress) -> None:
    last = progress.first + len(progress.events) - 1
    if progress.first < 1 or last > progress.have:
        message = f"A table cannot send event {last} if it has {progress.have}."
        raise UrpiError(message)


def _check_invitation(invited: Invited) -> None:
    # A rule set of a later version: the message is rejected, and answered as `unsupported`.
    parse_rules(invited.rules)


_MESSAGES: Final[Codec[TableMessage]] = Codec(
    "a message of type {}",
    (
        Type("progress", Progress, _check_progress),
        Type("seal", Sealed),
        Type("propose", Proposed),
        Type("reply", Replied),
        Type("unknown", Unknown),
        Type("invite", Invited, _check_invitation),
        Type("accept", Accepted),
        Type("decline", Declined),
    ),
    constants={"format": FORMAT},
    strict=True,
)


def encode(message: TableMessage) -> bytes:
    return _MESSAGES.line_of(message).encode()


def parse_table_message(data: bytes) -> TableMessage:
    """A message of another table.

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
    return _MESSAGES.parse(parse_object(text))


def invited_game(data: bytes) -> str | None:
    """The game of an invitation that `parse_table_message` rejects, None for other messages.

    It may be one of a later version of the program.
    """
    try:
        found = parse_object(data[:MAX_BYTES].decode())
    except (ValueError, UrpiError):
        return None
    game = found.get("game")
    is_game = isinstance(game, str) and re.fullmatch(HEX, game) is not None
    return game if found.get("type") == "invite" and is_game else None
