"""The display, 128 by 64 pixels on I2C or SPI, as an output: game, menu, reviews and notices."""

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from urpi.config import Config, OledSection
from urpi.core.errors import UrpiError
from urpi.hardware.finding import Finding, broken, right
from urpi.hardware.header import SPI
from urpi.hardware.outputs.output import Ends, OnFault, Output, OutputPin, Present, spi_finding
from urpi.hardware.pins import PinMap

if TYPE_CHECKING:
    from urpi.hardware.screen import Screen
    from urpi.show.scene import Scene

PROBE_S: Final = 2.0
"""Seconds between two checks of whether the OLED responds."""
RENEW_S: Final = 10.0
"""Seconds after which it is set up again with its picture, which takes 1 % of the time on a bus of
100 kHz."""


_SPI_GPIOS: Final = (("CS", 8), ("SDA", 10), ("SCL", 11))
"""The pins of /dev/spidev0.0 by the modules' words; others are SS, MOSI or D1, and SCK or D0."""


class Panel:
    """The open OLED."""

    def __init__(self, screen: "Screen", wires: "Wires") -> None:
        self.screen = screen
        """The screen and its thread."""
        self._wires = wires

    def show(self, scene: "Scene") -> None:
        """Show the scene; it is drawn in the screen's thread, unless a newer one follows before."""
        from urpi.show.scene import oled_picture  # noqa: PLC0415 - Pillow is slow to import

        self.screen.show_drawn(partial(oled_picture, scene))

    def wake(self) -> None:
        """Restore the display's brightness."""
        self.screen.wake()

    def close(self) -> None:
        """Switch the panel off, and release its reset wire."""
        self.screen.close()
        self._wires.close()


class Wires:
    """The near end of the panel's wires: opens its bus, after a reset if it has a wire for it."""

    def __init__(self, config: Config, ends: Ends) -> None:
        self._config, self._ends = config, ends
        self._reset: Any = None

    def open_bus(self) -> Any:
        """Return luma's interface to the panel.

        Raises:
            UrpiError: If the bus or a pin cannot be opened.
        """
        # A board without a display needs neither luma nor output pins.
        from urpi.hardware.configured import usable_gpio  # noqa: PLC0415
        from urpi.hardware.oled import i2c_bus  # noqa: PLC0415
        from urpi.hardware.spi_bus import SpiBus, output_pin, pulse_reset  # noqa: PLC0415

        oled, factory = self._config.oled, self._ends.factory
        for pin in Oled().pins(self._config, self._ends.pins):
            # An output on a closed switch's pin would be shorted to ground.
            usable_gpio(pin, self._config, self._ends.pins)
        if oled.reset_pin is not None:
            if self._reset is None:
                self._reset = output_pin("the OLED's reset", oled.reset_pin, factory)
            pulse_reset(self._reset)
        if oled.interface == "i2c":
            return i2c_bus(oled.i2c_port, oled.i2c_address)
        data_pin = output_pin("the OLED's D/C", oled.dc_pin, factory)
        try:
            return SpiBus(Path(Oled.file), data_pin)
        except UrpiError:
            data_pin.close()
            raise

    def close(self) -> None:
        """Release the reset wire."""
        if self._reset is not None:
            self._reset.close()


class Oled(Output):
    """The OLED."""

    name = "oled"
    title = "OLED"
    about = "The game, the menu, the review at the end, and notices."
    library = "luma.oled"
    module = "luma/oled"
    file = "/dev/spidev0.0"
    i2c_addresses = (0x3C, 0x3D)
    retries = True

    def is_used(self, config: Config) -> bool:
        return config.oled.driver != "none"

    def open(self, config: Config, ends: Ends, on_fault: OnFault) -> Panel:
        """Start the screen's thread, which opens the panel."""
        # A board without a display needs no luma.
        from urpi.hardware.oled import open_oled  # noqa: PLC0415
        from urpi.hardware.screen import Screen  # noqa: PLC0415
        from urpi.hardware.screen_saver import ScreenSaver  # noqa: PLC0415

        oled, far_end = config.oled, ends.far_ends.get(self.name)
        wires = Wires(config, ends)

        def open_panel() -> Any:
            return open_oled(
                _controller(config),
                far_end or wires.open_bus(),
                upside_down=oled.rotate == 2,
                column_offset=oled.column_offset,
            )

        saver = ScreenSaver(dim_ms=1000 * oled.dim_s, blank_ms=1000 * oled.blank_s)
        screen = Screen(
            open_panel, saver=saver, probe_s=PROBE_S, renew_s=RENEW_S, on_fault=on_fault
        )
        screen.dim(oled.contrast)
        return Panel(screen, wires)

    def i2c(self, config: Config) -> tuple[int, int] | None:
        """Return the display's bus and address, None on SPI."""
        oled = config.oled
        on_i2c = self.is_used(config) and oled.interface == "i2c"
        return (oled.i2c_port, oled.i2c_address) if on_i2c else None

    def pins(self, config: Config, pins: PinMap) -> Iterator[OutputPin]:
        """Yield the pins of the reset wire, if there is one, and with SPI of the others."""
        oled = config.oled
        if not self.is_used(config):
            return
        if oled.reset_pin is not None:
            yield OutputPin("OLED RES", "oled.reset_pin", oled.reset_pin, "the OLED's RES")
        if oled.interface == "spi":
            yield OutputPin("OLED D/C", "oled.dc_pin", oled.dc_pin, "the OLED's D/C")
            for name, gpio in _SPI_GPIOS:
                wire, to = f"OLED {name}", f"the OLED's {name}"
                yield OutputPin(wire, "oled.interface", gpio, to, function=SPI)

    def findings(self, config: Config, present: Present) -> Iterator[Finding]:
        """Yield whether the display responds, if its bus does; with SPI, whether there is a bus."""
        if config.oled.interface == "spi":
            yield spi_finding(self.name, "the display's", self.file, present)
            return
        configured = config.oled.i2c_address
        found = present.addresses.get(config.oled.i2c_port)
        if found is None:
            return
        other = [address for address in self.i2c_addresses if address in found]
        if configured in found:
            yield right("oled", f"a device answers at the display's address 0x{configured:02X}")
        elif other:
            yield broken(
                "oled",
                f"no device answers at 0x{configured:02X}, but one does at 0x{other[0]:02X}",
                f"Set `i2c_address = 0x{other[0]:02X}` in [oled].",
            )
        else:
            yield broken(
                "oled",
                f"the display does not respond at 0x{configured:02X}",
                "Check its four wires: 3.3 V, ground, SDA on pin 3, SCL on pin 5.",
            )

    def examples(self) -> Iterable[tuple[Config, Present]]:
        """Return a display with another address, one that does not respond, and one without SPI."""
        yield from ((Config(), Present({1: found})) for found in ((0x3D,), ()))
        yield Config(oled=OledSection(interface="spi")), Present()

    def virtual(self, config: Config) -> Any:
        """Return the bus that decodes the driver's bytes; a virtual table always has a display."""
        from urpi.hardware.oled_bus import OledBus  # noqa: PLC0415 - Pillow is slow to import

        return OledBus(_controller(config), config.oled.column_offset)


def _controller(config: Config) -> str:
    return "ssd1306" if config.oled.driver == "none" else config.oled.driver
