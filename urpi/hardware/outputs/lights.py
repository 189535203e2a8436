"""The lights below the squares as an output: twenty WS2812B or SK6812 on the data wire of SPI."""

import os
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from urpi.config import Config, GpioSection, LightsSection
from urpi.hardware.finding import Finding
from urpi.hardware.header import SPI
from urpi.hardware.outputs.output import Ends, OnFault, Output, OutputPin, Present, spi_finding
from urpi.hardware.pins import PinMap

if TYPE_CHECKING:
    from urpi.hardware.led_bus import LedBus
    from urpi.hardware.led_chain import Bus, LedChain
    from urpi.show.scene import Scene

DATA_GPIO: Final = 10
"""MOSI of /dev/spidev0.0."""


class SpiWire:
    """The kernel's SPI device, of which only the data wire is used.

    Raises:
        UrpiError: If it cannot be opened.
    """

    def __init__(self, device: Path, speed_hz: int) -> None:
        from urpi.hardware.spi_bus import open_spi, set_speed  # noqa: PLC0415 - imports gpiozero

        self._file = open_spi(device, partial(set_speed, speed_hz=speed_hz))

    def write(self, data: bytes) -> None:
        """Send bytes without a pause between them: in one transfer."""
        if os.write(self._file, data) != len(data):
            message = "SPI has taken only a part of a picture"
            raise OSError(message)

    def close(self) -> None:
        """Close the device."""
        os.close(self._file)


class ShiningLights:
    """The open lights."""

    def __init__(self, chain: "LedChain") -> None:
        self._chain = chain

    def show(self, scene: "Scene") -> None:
        """Show the squares that matter now; they are chosen in the chain's thread."""
        self._chain.show(scene.snapshot)

    def wake(self) -> None:
        """Do nothing: at night they are off."""

    def close(self) -> None:
        """Switch them off."""
        self._chain.close()


class Lights(Output):
    """The lights."""

    name = "lights"
    title = "LED chain"
    about = "Where a piece may go, what to move, fill and clear, the last move: on the squares."
    file = "/dev/spidev0.0"
    on_5v = True
    retries = True

    def is_used(self, config: Config) -> bool:
        """Return whether there are lights."""
        return config.lights.on

    def open(self, config: Config, ends: Ends, on_fault: OnFault) -> ShiningLights:
        """Start the thread, which opens SPI."""
        # A board without lights needs no pictures of them.
        from urpi.hardware.led_chain import LedChain  # noqa: PLC0415

        def open_bus() -> "Bus":
            far_end: Bus | None = ends.far_ends.get(self.name)
            return far_end or open_wire(config, ends.pins)

        return ShiningLights(LedChain(open_bus, config.lights, on_fault, _local_hour))

    def pins(self, config: Config, pins: PinMap) -> Iterator[OutputPin]:
        """Yield the data wire. SPI must be enabled for it."""
        if config.lights.on:
            to = "DIN of the first LED, at A1, through a 74AHCT125 on 5 V and 330 Ohm"
            yield OutputPin("the LEDs' data", "lights.on", DATA_GPIO, to, SPI)

    def findings(self, config: Config, present: Present) -> Iterator[Finding]:
        """Yield whether there is SPI; who looks at the board finds the rest (`--lights`)."""
        yield spi_finding(self.name, "the lights'", self.file, present)

    def examples(self) -> Iterable[tuple[Config, Present]]:
        """Return a board on expanders, which leave SPI's pins free, with SPI disabled."""
        config = Config(gpio=GpioSection(wiring="expander"), lights=LightsSection(on=True))
        return ((config, Present({1: (0x20, 0x21, 0x3C)})),)

    def virtual(self, config: Config) -> "LedBus | None":
        """Return the LEDs of the virtual table."""
        from urpi.hardware.led_bus import LedBus  # noqa: PLC0415

        return LedBus() if config.lights.on else None


def open_wire(config: Config, pins: PinMap) -> SpiWire:
    """Open the data wire.

    Raises:
        UrpiError: If another wire is on its pin, or SPI cannot be opened.
    """
    from urpi.hardware.configured import usable_gpio  # noqa: PLC0415 - it imports the outputs
    from urpi.hardware.led_chain import SPEED_HZ  # noqa: PLC0415

    for pin in Lights().pins(config, pins):
        # Data for a display on SPI would be colours for the LEDs.
        usable_gpio(pin, config, pins)
    return SpiWire(Path(Lights.file), SPEED_HZ)


def _local_hour() -> int:
    return datetime.now().astimezone().hour
