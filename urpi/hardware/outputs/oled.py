"""The display, 128 by 64 pixels on I2C, as an output: game, menu, reviews and notices."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from urpi.config import Config
from urpi.hardware.finding import Finding, broken, right
from urpi.hardware.outputs.output import Ends, OnFault, Output, Present

if TYPE_CHECKING:
    from urpi.hardware.screen import Screen
    from urpi.show.scene import Scene

PROBE_S: Final = 2.0
"""Seconds between two checks of whether the OLED responds."""
RENEW_S: Final = 10.0
"""Seconds after which it is set up again with its picture, which takes 1 % of the time on a bus of
100 kHz."""


class Panel:
    """The open OLED."""

    def __init__(self, screen: "Screen") -> None:
        self.screen = screen
        """The screen and its thread."""

    def show(self, scene: "Scene") -> None:
        """Show the scene; it is drawn in the screen's thread, unless a newer one follows before."""
        from urpi.show.scene import oled_picture  # noqa: PLC0415 - Pillow is slow to import

        self.screen.show_drawn(partial(oled_picture, scene))

    def wake(self) -> None:
        """Restore the display's brightness."""
        self.screen.wake()

    def close(self) -> None:
        """Switch the panel off."""
        self.screen.close()


class Oled(Output):
    """The OLED."""

    name = "oled"
    title = "OLED"
    about = "The game, the menu, the review at the end, and notices."
    library = "luma.oled"
    module = "luma/oled"
    i2c_addresses = (0x3C, 0x3D)
    retries = True

    def is_used(self, config: Config) -> bool:
        """Return whether there is a display."""
        return config.oled.driver != "none"

    def open(self, config: Config, ends: Ends, on_fault: OnFault) -> Panel:
        """Start the screen's thread, which opens the panel."""
        # A board without a display needs no luma.
        from urpi.hardware.oled import i2c_bus, open_oled  # noqa: PLC0415
        from urpi.hardware.screen import Screen  # noqa: PLC0415
        from urpi.hardware.screen_saver import ScreenSaver  # noqa: PLC0415

        oled, far_end = config.oled, ends.far_ends.get(self.name)

        def open_panel() -> Any:
            bus = far_end or i2c_bus(oled.i2c_port, oled.i2c_address)
            return open_oled(_controller(config), bus, upside_down=oled.rotate == 2)

        saver = ScreenSaver(dim_ms=1000 * oled.dim_s, blank_ms=1000 * oled.blank_s)
        screen = Screen(
            open_panel, saver=saver, probe_s=PROBE_S, renew_s=RENEW_S, on_fault=on_fault
        )
        screen.dim(oled.contrast)
        return Panel(screen)

    def i2c(self, config: Config) -> tuple[int, int] | None:
        """Return the display's bus and address."""
        return (config.oled.i2c_port, config.oled.i2c_address) if self.is_used(config) else None

    def findings(self, config: Config, present: Present) -> Iterator[Finding]:
        """Yield whether the display responds, if its bus does."""
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
        """Return a display with another address, and one that does not respond."""
        return ((Config(), Present({1: found})) for found in ((0x3D,), ()))

    def virtual(self, config: Config) -> Any:
        """Return the bus that decodes the driver's bytes; a virtual table always has a display."""
        from urpi.hardware.oled_bus import OledBus  # noqa: PLC0415 - Pillow is slow to import

        return OledBus(_controller(config))


def _controller(config: Config) -> str:
    return "ssd1306" if config.oled.driver == "none" else config.oled.driver
