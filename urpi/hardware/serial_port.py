"""Serial ports opened by name: a device, a pseudo-terminal or a socket, through pyserial."""

import errno
import os
import re
import socket
import sys
from typing import Final, NamedTuple, Protocol

import serial
from serial.tools import list_ports
from serial.urlhandler import protocol_socket

from urpi.hardware.protocol_constants import BAUD

if sys.platform == "win32":
    PORT_ERRORS: Final = (OSError,)
else:
    import termios

    PORT_ERRORS: Final = (OSError, termios.error)
    """Raised when a port disappears. pyserial's errors are OSErrors, but it lets termios' pass."""

# The reasons as players read them; errno's own texts ("Resource temporarily unavailable") mislead.
_HELD: Final = "another program has it open"
_NO_PORT: Final = "it is not a serial port"
_REASONS: Final = {
    errno.EAGAIN: _HELD,
    errno.EBUSY: _HELD,
    errno.ENOTTY: _NO_PORT,
    errno.EISDIR: _NO_PORT,
}
_NUMBER: Final = re.compile(r"[\[(](?:Errno )?([0-9]+)[\],]")
"""The error number within the text of a pyserial error that has no `errno`."""

# Short, because the thread that reads also sends acknowledgements and notices `close`.
READ_S: Final = 0.1
"""Timeout of a read, in seconds."""
WRITE_S: Final = 0.5
"""Timeout of a write, in seconds."""
# More than a hub can send within one timeout at 115200 baud (1152 bytes).
_PEEK_BYTES: Final = 4096


class Port(Protocol):
    """The part of a pyserial port that is used. `read` waits at most `READ_S` seconds."""

    @property
    def port(self) -> str | None: ...
    @property
    def in_waiting(self) -> int: ...
    def read(self, size: int = 1, /) -> bytes: ...
    def write(self, b: bytes, /) -> int | None: ...
    def close(self) -> None: ...


class _SocketPort(protocol_socket.Serial):
    """pyserial's socket port with three faults corrected.

    The original reports at most one waiting byte, delays short writes by Nagle's algorithm, and
    does not close the socket if the peer has disconnected.
    """

    _socket: socket.socket | None

    def open(self) -> None:
        super().open()
        if self._socket is not None:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    @property
    def in_waiting(self) -> int:
        # At the end of the stream `recv` returns no bytes; the next read then raises.
        if not super().in_waiting or self._socket is None:
            return 0
        return len(self._socket.recv(_PEEK_BYTES, socket.MSG_PEEK))

    def close(self) -> None:
        connected = self._socket
        super().close()
        if connected is not None:
            connected.close()


def port_failure(error: BaseException) -> str:
    """Return the reason why a port failed, without pyserial's repeated numbers and names.

    >>> port_failure(OSError(2, "[Errno 2] could not open port /dev/x: [Errno 2] No such file"))
    'No such file or directory'
    """
    # pyserial raises this without an errno when a device disappears during a read.
    if "returned no data" in str(error):
        return "it was unplugged"
    found = _NUMBER.search(str(error))
    number = getattr(error, "errno", None) or (int(found[1]) if found else None)
    return str(error) if number is None else _REASONS.get(number) or os.strerror(number)


def open_serial(url: str, baud: int = BAUD) -> Port:
    """Open a hub's port.

    Opening a device discards its received bytes, and resets an Arduino. The port is opened
    exclusively, because two programs reading one line would each receive a part of it.

    Args:
        url: A device's path, or a URL that pyserial accepts, such as ``socket://host:port``.
        baud: Bits per second.

    Raises:
        OSError: If it cannot be opened (pyserial's SerialException is one) or is not a port.
    """
    if url.startswith("socket://"):
        return _SocketPort(url, baud, timeout=READ_S, write_timeout=WRITE_S)
    try:
        port: Port = serial.serial_for_url(
            url, baud, timeout=READ_S, write_timeout=WRITE_S, exclusive=True
        )
    # pyserial's error for an unknown scheme or parameter of a URL.
    except ValueError as error:
        raise OSError(errno.ENOTTY, f"{url} is not a port: {error}") from error
    return port


class UsbPort(NamedTuple):
    """A port's path, and what the device says it is, such as ``USB Serial``."""

    path: str
    about: str


def usb_ports() -> tuple[UsbPort, ...]:
    """Return the serial ports of USB devices, sorted by path. Nothing is opened."""
    found = (port for port in list_ports.comports() if port.vid is not None)
    return tuple(sorted(UsbPort(port.device, port.product or "") for port in found))
