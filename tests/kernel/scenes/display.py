"""The display alone: transfers on a real bus, and a panel that is disconnected and reconnected."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Final

from PIL import Image, ImageDraw

from tests.kernel.cuse import serve
from tests.kernel.findings import Findings, play
from tests.kernel.i2c import I2C_MAJOR, Adapter
from tests.kernel.panel import ADDRESS, PORT, feed
from urpi.core.errors import UrpiError
from urpi.hardware import Screen, i2c_bus, open_oled
from urpi.hardware.oled_bus import OledBus

SIZE: Final = (128, 64)
WITHIN_S: Final = 60.0
RETRY_S: Final = 0.2
LINE_MS: Final = 6.0
FRAME_MS: Final = 25.0
NOTHING_MS: Final = 0.3
"""Interval in seconds at which the program checks whether the panel responds."""


class Glass:
    """A panel that can be disconnected; after reconnection its memory is empty."""

    def __init__(self) -> None:
        self.bus = OledBus()

    def write(self, data: bytes) -> None:
        """Accept control bytes and the bytes after them."""
        feed(self.bus, data)

    def read(self, count: int) -> bytes:
        """Return the status."""
        return bytes(count)


class Wires:
    """The bus with the panel; `took_s` is the time for which it has been busy."""

    def __init__(self) -> None:
        self.glass = Glass()
        self.chips = {ADDRESS: self.glass}
        self.took_s = 0.0
        cuse = os.open("/dev/cuse", os.O_RDWR)
        adapter = Adapter(self.chips, self._wait)
        number = (I2C_MAJOR, PORT)
        Thread(target=serve, args=(cuse, f"i2c-{PORT}", number, adapter), daemon=True).start()
        assert wait(Path(f"/dev/i2c-{PORT}").exists)

    def pull(self) -> None:
        """Disconnect the panel."""
        del self.chips[ADDRESS]

    def put_back(self) -> None:
        """Connect a panel."""
        self.glass = Glass()
        self.chips[ADDRESS] = self.glass

    def _wait(self, seconds: float) -> None:
        self.took_s += seconds
        time.sleep(seconds)


def wait(reached: Callable[[], bool]) -> bool:
    """Return whether a condition comes to hold in time."""
    deadline = time.monotonic() + WITHIN_S
    while not reached():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


def picture(line: int, height: int) -> Image.Image:
    """Return a frame with a line of a number of pixels from the top of a page; each differs."""
    image = Image.new("1", SIZE)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 127, 63), outline=1)
    for column in range(4 + line, 124, 2 + line):
        draw.line((column, 24, column, 24 + height - 1), fill=1)
    return image


def act(findings: Findings) -> None:
    """Test the display."""
    wires = Wires()
    faults: list[UrpiError | None] = []

    screen = Screen(
        lambda: open_oled("ssd1306", i2c_bus(PORT, ADDRESS)),
        on_fault=faults.append,
        retry_s=RETRY_S,
        probe_s=RETRY_S,
    )

    def cost_ms(image: Image.Image) -> float:
        before = wires.took_s
        screen.show(image)
        screen.flush(WITHIN_S)
        return (wires.took_s - before) * 1000

    noise = Image.effect_noise(SIZE, 100).convert("1")
    cost_ms(picture(0, 8))
    line = cost_ms(picture(1, 8))
    findings.check(f"a line of a page takes less than {LINE_MS:.0f} ms of the bus", line < LINE_MS)
    findings.check("an unchanged picture takes none", cost_ms(picture(1, 8)) < NOTHING_MS)
    cost_ms(picture(0, 16))
    higher = cost_ms(picture(1, 16))
    frame = cost_ms(noise)
    findings.check(f"a full frame takes {FRAME_MS:.0f} ms of the bus at most", frame <= FRAME_MS)
    times = f"a line of one page {line:.1f} ms, of two {higher:.1f} ms, a full frame {frame:.1f} ms"
    findings.figure("bus time at 400 kHz", times)
    findings.check("the panel is there", not faults, faults)
    wires.pull()
    findings.check("a panel that is pulled is missed", wait(lambda: bool(faults)))
    screen.show(noise)
    wires.put_back()
    findings.check("its return is reported", wait(lambda: faults[-1] is None))
    same = wait(lambda: wires.glass.bus.picture().tobytes() == noise.tobytes())
    findings.check("and it shows the newest picture", same)
    screen.close()
    findings.check("it is left dark", wait(lambda: not wires.glass.bus.lit))


if __name__ == "__main__":
    play("display", act)
