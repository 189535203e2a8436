"""The serial ports of USB devices, of which one may be the hub's."""

from typing import NamedTuple

from serial.tools import list_ports


class UsbPort(NamedTuple):
    """A port's path, and what the device says it is, such as ``USB Serial``."""

    path: str
    about: str


def usb_ports() -> tuple[UsbPort, ...]:
    """Return the serial ports of USB devices, sorted by path. Nothing is opened."""
    found = (port for port in list_ports.comports() if port.vid is not None)
    return tuple(sorted(UsbPort(port.device, port.product or "") for port in found))
