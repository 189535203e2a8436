"""The display on SPI: its serial interface for luma's drivers, and the pulse on its reset wire.

The kernel's device ``/dev/spidev0.N`` takes the bytes and drives clock, data and chip select; the
wire D/C (low for commands, high for data) and the reset wire are GPIOs. luma's own interface needs
the library spidev and `RPi.GPIO`, which no longer works on every Pi.
"""

import os
import struct
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from gpiozero import DigitalOutputDevice

from urpi.core.errors import UrpiError
from urpi.hardware.gpio import open_pin

SPEED_HZ: Final = 8_000_000
"""The clock. SSD1306, SSD1309 and SH1106 take at least 100 ns for a cycle, in some data sheets
250 ns at 3.3 V; a full frame takes 1 ms."""
_SET_SPEED: Final = 0x40046B04
"""SPI_IOC_WR_MAX_SPEED_HZ (linux/spi/spidev.h)."""
RESET_S: Final = 0.001
"""The data sheets ask for at least 3 to 10 microseconds, and as long before the first command."""


def set_speed(file: int, speed_hz: int = SPEED_HZ) -> None:
    """Set the clock of an open ``/dev/spidev*``."""
    import fcntl  # noqa: PLC0415 - not on every system that plays the virtual table

    fcntl.ioctl(file, _SET_SPEED, struct.pack("=I", speed_hz))


def output_pin(what: str, gpio: int, factory: Any) -> DigitalOutputDevice:
    """Open a pin as an output that is high; see `open_pin`."""
    return open_pin(
        what, gpio, lambda: DigitalOutputDevice(gpio, initial_value=True, pin_factory=factory)
    )


def pulse_reset(pin: Any) -> None:
    """Reset a panel by its wire, which is low for a moment."""
    pin.off()
    time.sleep(RESET_S)
    pin.on()
    time.sleep(RESET_S)


def open_spi(device: Path, speed: Callable[[int], None] = set_speed) -> int:
    """Open the kernel's device and set its clock.

    Raises:
        UrpiError: If that is not possible.
    """
    try:
        file = os.open(device, os.O_WRONLY | os.O_CLOEXEC)
    except OSError as error:
        raise _unusable(device, error) from error
    try:
        speed(file)
    except OSError as error:
        os.close(file)
        raise _unusable(device, error) from error
    return file


class SpiBus:
    """A panel's serial interface: what luma's drivers need of a bus.

    Args:
        device: The kernel's device, such as ``/dev/spidev0.0``.
        data_pin: The open output of the wire D/C.
        speed: Sets the clock of the open device.

    Raises:
        UrpiError: If the device cannot be opened.
    """

    def __init__(
        self, device: Path, data_pin: Any, speed: Callable[[int], None] = set_speed
    ) -> None:
        self._data_pin = data_pin
        self._file = open_spi(device, speed)

    def command(self, *cmd: int) -> None:
        """Send command bytes."""
        self._data_pin.off()
        self._write(bytes(cmd))

    def data(self, data: Sequence[int]) -> None:
        """Send bytes for the panel's RAM."""
        self._data_pin.on()
        self._write(bytes(data))

    def _write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._file, data) :]

    def cleanup(self) -> None:
        """Close the device and the wire D/C."""
        with suppress(OSError):
            os.close(self._file)
        self._data_pin.close()


def _unusable(device: Path, error: OSError) -> UrpiError:
    return UrpiError(
        f"{device} cannot be opened: {error}; switch SPI on (sudo raspi-config nonint do_spi 0),"
        " restart, and put the user into the group spi."
    )
