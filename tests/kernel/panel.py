"""The display's end of the I2C bus: a program that serves ``/dev/i2c-1`` with an SSD1306.

`python -m tests.kernel.panel FILE` records every write with its time. The pictures are derived from
that afterwards (`shown`), so that the panel responds as quickly as a real one.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TextIO

from PIL import Image

from tests.kernel.cuse import serve
from tests.kernel.i2c import I2C_MAJOR, Adapter
from urpi.hardware.oled_bus import OledBus

PORT, ADDRESS = 1, 0x3C
_CONTINUES: Final = 0x80
"""Co: one byte follows the control byte, then another control byte."""
_DATA: Final = 0x40
"""D/C#: the following bytes are for the RAM."""


class Panel:
    """Records the bytes received, with the monotonic time in nanoseconds of the last one."""

    def __init__(self, notes: TextIO) -> None:
        self._notes = notes

    def write(self, data: bytes) -> None:
        """Accept control bytes and the bytes after them."""
        json.dump([time.monotonic_ns(), data.hex()], self._notes)
        self._notes.write("\n")
        self._notes.flush()

    def read(self, count: int) -> bytes:
        """Return the status; bit 6 is set if the display is off."""
        return bytes(count)


@dataclass(frozen=True)
class Write:
    """A write to the panel. `changed` is whether it changed the picture on the glass."""

    t_ns: int
    size: int
    changed: bool


@dataclass(frozen=True)
class Shown:
    """All writes up to a time, and the picture on the glass then."""

    writes: tuple[Write, ...]
    picture: Image.Image


def shown(notes: Path, until_ns: int) -> Shown:
    """Return the picture on the glass at a time, and the writes before."""
    bus = OledBus("ssd1306")
    writes = []
    before = bus.picture().tobytes()
    for t_ns, data in _recorded(notes):
        if t_ns > until_ns:
            break
        feed(bus, data)
        after = bus.picture().tobytes()
        writes.append(Write(t_ns, len(data), after != before))
        before = after
    return Shown(tuple(writes), bus.picture())


def shown_again_ns(notes: Path, since_ns: int, picture: Image.Image) -> int | None:
    """Return when a program that was started after a time had set up the panel and drawn a picture.

    None if it has not yet.
    """
    bus, was_dark = OledBus("ssd1306"), False
    for t_ns, data in _recorded(notes):
        feed(bus, data)
        was_dark = t_ns > since_ns and (was_dark or not bus.lit)
        if was_dark and bus.picture().tobytes() == picture.tobytes():
            return t_ns
    return None


def _recorded(notes: Path) -> Iterator[tuple[int, bytes]]:
    # The last line may not be complete yet.
    *lines, _ = notes.read_text().split("\n")
    for line in lines:
        t_ns, text = json.loads(line)
        yield t_ns, bytes.fromhex(text)


def feed(bus: OledBus, data: bytes) -> None:
    """Pass a write to the controller as in the data sheet, rev. 1.1, 8.1.5.2."""
    for control, part in _parts(data):
        if control & _DATA:
            bus.data(part)
        else:
            bus.command(*part)


def _parts(data: bytes) -> Iterator[tuple[int, bytes]]:
    while data:
        control = data[0]
        end = 2 if control & _CONTINUES else len(data)
        yield control, data[1:end]
        data = data[end:]


def main() -> None:
    """Serve the bus until the program is ended."""
    with Path(sys.argv[1]).open("w") as notes:
        cuse = os.open("/dev/cuse", os.O_RDWR)
        serve(cuse, f"i2c-{PORT}", (I2C_MAJOR, PORT), Adapter({ADDRESS: Panel(notes)}, time.sleep))


if __name__ == "__main__":
    main()
