"""Recordings of the messages of dice with Bluetooth (FORMATS.md, Dice recordings). Pure.

The bytes are what the radio received. Owners attach such files to reports, so they contain no
address, no name and no serial number.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Final, TypeAlias

from urpi.core import strict_json
from urpi.core.codec import Codec, FormatError, Kind, Type, matching, short_text, whole
from urpi.core.errors import UrpiError
from urpi.hardware import godice, pixels
from urpi.hardware.bluetooth_link import BluetoothLink, PairedDie
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.die_reports import FACES, Brand, Identity, Motion, Report, numbers_of
from urpi.referee.facts import Die

LONGEST_MESSAGE: Final = 244
"""Maximum number of bytes in a notification: an ATT_MTU of 247 without its header of 3 bytes."""
MAX_BYTES: Final = 1 << 22
"""Maximum size of a file in bytes; an evening of throws has a tenth of it."""


def _bytes(value: object) -> bytes:
    # bytes.fromhex also accepts other white space.
    if not isinstance(value, str) or any(c.isspace() and c != " " for c in value):
        raise ValueError
    found = bytes.fromhex(value)
    if not 0 < len(found) <= LONGEST_MESSAGE:
        raise ValueError
    return found


FIRMWARE: Final = matching(r"(v[0-9]{1,4})?", "a version such as v04, the end of the die's name")
"""The firmware of a GoDice, empty if it is unknown."""
_NUMBER: Final = whole(1, 99)
_SHOWN: Final = whole(0, max(FACES))
_FACES: Final = Kind(
    " or ".join(map(str, FACES)), lambda value: FACES[FACES.index(whole(1, 20).parse(value))]
)
_BYTES: Final = Kind(
    f"1 to {LONGEST_MESSAGE} bytes in hexadecimal, such as 54 53 3d",
    _bytes,
    lambda data: data.hex(" "),
)


@dataclass(frozen=True, slots=True)
class About:
    """The first line of a recording.

    `recorded` is its date, such as ``2026-11-27``. `source` is where its owner published it, empty
    if it is not published. `firmware` is that of the GoDice, empty if it is unknown; Pixels report
    theirs.
    """

    recorded: Annotated[str, matching(r"\d{4}-\d\d-\d\d", "a date such as 2026-11-27")]
    source: Annotated[str, short_text(500)] = ""
    firmware: Annotated[str, FIRMWARE] = ""


@dataclass(frozen=True, slots=True)
class RecordedDie:
    """A die of a recording: its number on the table, its brand and its number of faces."""

    die: Annotated[int, _NUMBER]
    brand: Brand
    faces: Annotated[int, _FACES]


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a die.

    `t` is the time in milliseconds since the recording began. `shows` is the number that a person
    read on the die at rest, None if nobody did.
    """

    t: Annotated[int, whole(0, 2**31)]
    die: Annotated[int, _NUMBER]
    data: Annotated[bytes, _BYTES]
    shows: Annotated[int | None, _SHOWN] = None


Entry: TypeAlias = About | RecordedDie | Message
_ENTRIES: Final[Codec[Entry]] = Codec(
    "a line of type {}",
    [Type("recording", About), Type("die", RecordedDie), Type("message", Message)],
    strict=True,
)


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording: the dice by number, and their messages in the order of their times."""

    about: About
    dice: dict[int, RecordedDie]
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Replayed:
    """A message, the reports that it contains, and the facts that follow from them."""

    message: Message
    reports: tuple[Report, ...]
    facts: tuple[Die, ...]

    @property
    def value(self) -> int | None:
        """The number that the die lies on, None if the message reports none."""
        values = [each.value for each in self.reports if isinstance(each, Motion)]
        return values[-1] if values else None

    @property
    def differs(self) -> bool:
        """Whether a person read another number on the die."""
        return self.message.shows is not None and self.message.shows != self.value


def firmware_of(recording: Recording, die: int) -> str:
    """Return a die's firmware: a version, for Pixels the day on which it was built, or empty."""
    known = recording.dice[die]
    if known.brand == "godice":
        return recording.about.firmware
    link = BluetoothLink([PairedDie(die, known.brand, "", known.faces)], DieFaces())
    for message in recording.messages:
        for report in link.parse(die, message.data) if message.die == die else ():
            if isinstance(report, Identity) and report.built is not None:
                return datetime.fromtimestamp(report.built, UTC).date().isoformat()
    return ""


def entry_line(entry: Entry) -> str:
    """Return a line of a recording, without a newline.

    >>> entry_line(Message(40, 1, b"S" + bytes([0, 0, 64]), shows=2))
    '{"type":"message","t":40,"die":1,"data":"53 00 00 40","shows":2}'
    """
    return _ENTRIES.line_of(entry)


def parse_recording(text: str) -> Recording:
    """Parse the content of a file.

    Raises:
        UrpiError: If it is invalid; the message names the line, the value found and the allowed
            values.
    """
    about: About | None = None
    dice: dict[int, RecordedDie] = {}
    messages: list[Message] = []
    # `str.splitlines` also divides at characters that a line may contain.
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        try:
            entry = _ENTRIES.parse(strict_json.parse(line))
            if isinstance(entry, About) != (about is None):
                raise FormatError("the first line, and no other, must be of type recording.")
            match entry:
                case About():
                    about = entry
                case RecordedDie():
                    dice[entry.die] = entry
                case Message():
                    _check_message(entry, dice, messages)
                    messages.append(entry)
        except UrpiError as error:
            message = f"Line {number}: {error}"
            raise UrpiError(message) from error
        except ValueError as error:
            message = f"Line {number}: a line must be one JSON object ({error})."
            raise UrpiError(message) from error
    assert about is not None
    return Recording(about, dice, tuple(messages))


def _check_message(message: Message, dice: dict[int, RecordedDie], earlier: list[Message]) -> None:
    if message.die not in dice:
        text = f"die must be one of an earlier line of type die; found {message.die}."
        raise FormatError(text)
    allowed = numbers_of(dice[message.die].faces)
    if message.shows is not None and message.shows not in allowed:
        text = f"shows must be {allowed[0]} to {allowed[-1]}; found {message.shows}."
        raise FormatError(text)
    if earlier and message.t < earlier[-1].t:
        text = f"t must not decrease; found {message.t} after {earlier[-1].t}."
        raise FormatError(text)


def without_personal_details(brand: Brand, data: bytes) -> bytes:
    """Return a message with zeros for a die's serial number and name, and for unknown messages."""
    if brand == "pixels":
        return pixels.without_personal_details(data)
    return godice.without_personal_details(data)


def replay(recording: Recording, faces: DieFaces) -> Iterator[Replayed]:
    """Yield each message with what the program reads in it.

    Args:
        recording: The recording. All its dice are connected from the beginning.
        faces: What the faces of tetrahedral dice show.
    """
    link = BluetoothLink(
        [PairedDie(one.die, one.brand, "", one.faces) for one in recording.dice.values()], faces
    )
    for number in recording.dice:
        link.on_connect(number, 0)
    for message in recording.messages:
        reports = link.parse(message.die, message.data)
        facts = _facts(link, message, reports)
        yield Replayed(message, reports, tuple(facts))


def _facts(link: BluetoothLink, message: Message, reports: Iterable[Report]) -> list[Die]:
    return [fact for report in reports for fact in link.on_report(message.die, report, message.t)]
