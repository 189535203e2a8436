"""The serial protocol's lines as values, their parser and encoder, and a reader of raw bytes.

FORMATS.md, Serial lines. Independent of ports, threads, clocks and the game. The constants are
generated from firmware/protocol.toml, as is the firmware's header.
"""

import re
from binascii import crc_hqx
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any, ClassVar, Final, TypeAlias

from urpi.core.errors import UrpiError
from urpi.hardware.protocol_constants import (
    CRC_START,
    MAX_LINE_BYTES,
    RANGES,
    STATES,
    ReportedState,
)

_LINE_END: Final = b"\r\n"


class LineError(UrpiError):
    """An invalid line.

    `reason` is ``crc`` if its CRC is wrong, ``value`` if one of its values is.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def _bad_value(key: str, found: object, allowed: str) -> LineError:
    return LineError("value", f"{key}={found} in a serial line; {key} is {allowed}.")


class _Checked:
    """A line whose values are checked when it is made."""

    __slots__ = ()

    def __post_init__(self) -> None:
        _check(self)


@dataclass(frozen=True, slots=True)
class HubLine(_Checked):
    """The hub's greeting and heartbeat.

    `proto` is the version of the protocol, `firmware` that of the hub's firmware, `hub_id` the
    hub's identity, `dice` the number of dice that it knows, and `t_ms` its time in milliseconds,
    mod 2^32. `dropped` counts what it has dropped since its start. `authenticates` is 1 if it
    verifies the dice's signatures; one without a key does not say so. `renewed` is the die whose
    new chip it waits for (`NewLine`). `error` is one of `ERRORS`, or another word from a newer
    hub. All four are None if the line does not have them.
    """

    TYPE: ClassVar = "HUB"
    KEYS: ClassVar = ("proto", "fw", "id", "dice", "t", "drop", "auth", "new", "err")

    proto: int
    firmware: str
    hub_id: str
    dice: int
    t_ms: int
    dropped: int | None = None
    authenticates: int | None = None
    renewed: int | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class DieLine:
    """A die's report.

    `seq` numbers the hub's reports (mod 65536). `state` is one of `STATES`. `throws` counts the
    die's throws (mod 65536). `kind` (4 or 6 faces) and `face` (1 to `kind`) are present if the
    die is settled. `angle_deg` is its tilt from the face's normal, `tumbles` the number of faces
    it tumbled over, `fall_ms` the duration of its free fall, and `battery_mv` its battery's
    voltage. `error` is one of `ERRORS`, or another word from a newer die. `thrown` is the die's own
    verdict, 1 if it was thrown and 0 if not; older dice have none. `t_ms` is the hub's
    time in milliseconds, mod 2^32. Values that the line does not have are None.
    """

    TYPE: ClassVar = "DIE"
    KEYS: ClassVar = (
        # In the order of the fields below.
        *("seq", "die", "st", "n", "kind", "face", "ang", "tum", "ff", "bat", "err", "thr", "t"),
    )

    seq: int
    die: int
    state: ReportedState
    throws: int | None = None
    kind: int | None = None
    face: int | None = None
    angle_deg: int | None = None
    tumbles: int | None = None
    fall_ms: int | None = None
    battery_mv: int | None = None
    error: str | None = None
    thrown: int | None = None
    t_ms: int = field(kw_only=True)

    def __post_init__(self) -> None:
        _check(self)
        if self.state == "settled" and (self.kind is None or self.face is None):
            raise LineError("value", "A settled die's line lacks its kind or its face.")
        if self.kind and self.face and self.face > self.kind:
            raise _bad_value("face", self.face, f"1 to {self.kind} on a die of that kind")


@dataclass(frozen=True, slots=True)
class AckLine(_Checked):
    """The acknowledgement of the report with the number `seq`."""

    TYPE: ClassVar = "ACK"
    KEYS: ClassVar = ("seq",)

    seq: int


@dataclass(frozen=True, slots=True)
class AskLine:
    """A request for the greeting and the last report of every die."""

    TYPE: ClassVar = "ASK"
    KEYS: ClassVar[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class CalLine(_Checked):
    """A command to calibrate a face: the die is lying on the table with this face up."""

    TYPE: ClassVar = "CAL"
    KEYS: ClassVar = ("die", "face")

    die: int
    face: int


@dataclass(frozen=True, slots=True)
class LedLine(_Checked):
    """A command to switch a die's lamp on (1) or off (0), which identifies the die."""

    TYPE: ClassVar = "LED"
    KEYS: ClassVar = ("die", "on")

    die: int
    on: int


@dataclass(frozen=True, slots=True)
class BatLine(_Checked):
    """A command to calibrate the battery measurement: the cell has this voltage in millivolts."""

    TYPE: ClassVar = "BAT"
    KEYS: ClassVar = ("die", "bat")

    die: int
    battery_mv: int


@dataclass(frozen=True, slots=True)
class NewLine(_Checked):
    """A command to the hub: the die has a new chip, which may go on where its former one ended."""

    TYPE: ClassVar = "NEW"
    KEYS: ClassVar = ("die",)

    die: int


Line: TypeAlias = HubLine | DieLine | AckLine | AskLine | CalLine | LedLine | BatLine | NewLine

_CLASSES: Final[Mapping[str, type[Line]]] = {
    kind.TYPE: kind
    for kind in (HubLine, DieLine, AckLine, AskLine, CalLine, LedLine, BatLine, NewLine)
}
_WORDS: Final[Mapping[str, tuple[re.Pattern[str], str]]] = {
    "st": (re.compile("|".join(STATES)), "one of " + ", ".join(STATES)),
    "err": (re.compile(r"[a-z]{1,8}"), "1 to 8 lower-case letters"),
    "fw": (re.compile(r"[0-9A-Za-z.+-]{1,16}"), "1 to 16 letters, digits, dots, + and -"),
    "id": (re.compile(r"[0-9A-F]{4}"), "four upper-case hexadecimal digits"),
}
_KINDS: Final = (4, 6)


def _keyed(line: Any) -> Iterable[tuple[str, int | str | None]]:
    # `KEYS` and the fields of each class are in the same order.
    values = (getattr(line, field.name) for field in fields(line))
    return zip(line.KEYS, values, strict=True)


def _check(line: Any) -> None:
    for key, value in _keyed(line):
        if value is not None:
            _check_value(key, value)


def _check_value(key: str, value: int | str) -> None:
    if key in _WORDS:
        pattern, allowed = _WORDS[key]
        if not pattern.fullmatch(str(value)):
            raise _bad_value(key, value, allowed)
    elif key == "kind":
        if value not in _KINDS:
            raise _bad_value(key, value, "4 or 6")
    else:
        low, high = RANGES[key]
        if not low <= int(value) <= high:
            raise _bad_value(key, value, f"{low} to {high}")


def encode(kind: str, values: Mapping[str, int | str]) -> bytes:
    r"""Return a line of any type and keys, with its CRC and line end.

    Raises:
        UrpiError: If it is longer than `MAX_LINE_BYTES`, or a text contains one of the
            characters that delimit the parts of a line.

    >>> encode("ACK", {"seq": 18})
    b'$ACK,seq=18*1124\r\n'
    """
    words = [kind, *(f"{key}={value}" for key, value in values.items())]
    for word in words:
        if not re.fullmatch(r"[!-~]+", word) or set("$*,") & set(word):
            message = f"{word!r} is invalid in a serial line; leave out spaces, $, * and commas."
            raise UrpiError(message)
    body = ",".join(words).encode("ascii")
    line = b"$%s*%04X" % (body, crc_hqx(body, CRC_START)) + _LINE_END
    if len(line) > MAX_LINE_BYTES:
        message = f"A serial line of {len(line)} bytes is too long; {MAX_LINE_BYTES} is the limit."
        raise UrpiError(message)
    return line


def line_bytes(line: Line) -> bytes:
    r"""Return a line as the bytes that are sent.

    >>> line_bytes(AskLine())
    b'$ASK*4442\r\n'
    """
    return encode(line.TYPE, {key: value for key, value in _keyed(line) if value is not None})


def parse_line(data: bytes) -> Line | None:
    r"""Parse one complete line, from ``$`` to the CRC.

    Returns:
        The line, or None if its type is unknown.

    Raises:
        LineError: If the CRC or a value is wrong, or a required key is missing.

    >>> parse_line(b"$ACK,seq=18*1124")
    AckLine(seq=18)
    """
    body, star, crc = data.removeprefix(b"$").rpartition(b"*")
    if not star or crc != b"%04X" % crc_hqx(body, CRC_START):
        message = f"The CRC of the serial line {data[:MAX_LINE_BYTES]!r} is wrong."
        raise LineError("crc", message)
    # Latin-1 decodes every byte, so that a wrong character is reported as a wrong value.
    kind, *words = body.decode("latin-1").split(",")
    return _CLASSES[kind](**_arguments(_CLASSES[kind], words)) if kind in _CLASSES else None


def _arguments(line_class: type[Line], words: Iterable[str]) -> dict[str, Any]:
    members = dict(zip(line_class.KEYS, fields(line_class), strict=True))
    found: dict[str, int | str] = {}
    for word in words:
        key, equals, text = word.partition("=")
        if not equals or (key in members and members[key].name in found):
            message = f"{word!r} in a serial line; it must be KEY=VALUE, with each key once."
            raise LineError("value", message)
        if key in members:
            found[members[key].name] = text if key in _WORDS else _whole(key, text)
    for key, member in members.items():
        if member.name not in found and member.default is MISSING:
            raise LineError("value", f"A {line_class.TYPE} line lacks its {key}.")
    return found


def _whole(key: str, text: str) -> int:
    # `int` would accept signs, spaces, underscores and digits of other scripts.
    if not re.fullmatch("[0-9]{1,10}", text):
        raise _bad_value(key, text, "a whole number")
    return int(text)


@dataclass(frozen=True, slots=True)
class LineCounts:
    """The numbers of lines read and dropped by a reader.

    `lines` counts the valid lines, and `noise_bytes` the bytes between lines. Of the dropped
    lines, `half` were interrupted by another line's ``$``, `too_long` had no end within
    `MAX_LINE_BYTES`, `crc` and `value` failed as in `LineError`, and `unknown` have a type that
    this version does not know.
    """

    lines: int = 0
    noise_bytes: int = 0
    half: int = 0
    too_long: int = 0
    crc: int = 0
    value: int = 0
    unknown: int = 0

    @property
    def dropped(self) -> int:
        """The number of invalid lines; unknown types are not counted."""
        return self.half + self.too_long + self.crc + self.value


class LineReader:
    r"""A parser of a stream of bytes, which can arrive in any pieces with noise between lines.

    >>> reader = LineReader()
    >>> reader.feed(b"boot... $ACK,seq=18*11")
    []
    >>> reader.feed(b"24\r\n")
    [AckLine(seq=18)]
    >>> reader.counts.noise_bytes
    8
    """

    def __init__(self) -> None:
        self.counts = LineCounts()
        self._line = b""

    def feed(self, data: bytes) -> list[Line]:
        """Add received bytes, and return the lines completed by them, in order."""
        return list(self._lines(data))

    def reset(self) -> None:
        """Discard an incomplete line, for example because the port was closed."""
        if self._line:
            self._count("too_long" if self._too_long else "half")
        self._line = b""

    @property
    def _too_long(self) -> bool:
        return len(self._line) + len(_LINE_END) > MAX_LINE_BYTES

    def _lines(self, data: bytes) -> Iterator[Line]:
        # A "$" always begins a new line, also within another one: its end was lost.
        for piece in re.findall(rb"[$]|[\r\n]|[^$\r\n]+", data):
            if piece == b"$":
                self.reset()
                self._line = piece
            elif piece in _LINE_END:
                yield from self._whole_line()
            elif self._line:
                # Bounded, so that noise without a line end does not fill the memory.
                self._line = (self._line + piece)[:MAX_LINE_BYTES]
            else:
                self._count("noise_bytes", len(piece))

    def _whole_line(self) -> Iterator[Line]:
        if not self._line or self._too_long:
            self.reset()
            return
        data, self._line = self._line, b""
        try:
            line = parse_line(data)
        except LineError as error:
            self._count(error.reason)
            return
        self._count("lines" if line else "unknown")
        if line:
            yield line

    def _count(self, what: str, more: int = 1) -> None:
        self.counts = replace(self.counts, **{what: getattr(self.counts, what) + more})
