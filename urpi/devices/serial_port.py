"""Serial ports: a device, a pseudo-terminal or a socket, all pyserial's, opened by one name."""

import errno
import os
import re
import socket
import sys
from typing import Final, Protocol

import serial
from serial.urlhandler import protocol_socket

from urpi.devices.protocol_constants import BAUD

if sys.platform == "win32":
    PORT_ERRORS: Final = (OSError,)
else:
    import termios

    PORT_ERRORS: Final = (OSError, termios.error)
    """What a vanishing port raises; pyserial's own are OSErrors, but termios' slips through."""

_HELD: Final = "another program has it open"
_NO_PORT: Final = "it is no serial port"
_SAID: Final = {
    errno.EAGAIN: _HELD,
    errno.EBUSY: _HELD,
    errno.ENOTTY: _NO_PORT,
    errno.EISDIR: _NO_PORT,
}
_NUMBER: Final = re.compile(r"[\[(](?:Errno )?([0-9]+)[\],]")
"""An error's number in a text of pyserial's that has been given none of its own."""

READ_S: Final = 0.1
WRITE_S: Final = 0.5
_MOST_AT_ONCE: Final = 4096


class Port(Protocol):
    """What is used of a pyserial port. `read` waits `READ_S` at most."""

    @property
    def port(self) -> str | None: ...  # noqa: D102
    @property
    def in_waiting(self) -> int: ...  # noqa: D102
    def read(self, size: int = 1, /) -> bytes: ...  # noqa: D102
    def write(self, b: bytes, /) -> int | None: ...  # noqa: D102
    def close(self) -> None: ...  # noqa: D102


class _SocketPort(protocol_socket.Serial):
    """pyserial's socket, but as quick as a device, and closed for good.

    Its own says that one byte waits however many do, keeps a short line back until the one
    before it was acknowledged, and forgets a socket that the peer has left.
    """

    _socket: socket.socket | None

    def open(self) -> None:
        super().open()
        if self._socket is not None:
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    @property
    def in_waiting(self) -> int:
        # At the end of the stream nothing waits; a read says that it has ended.
        if not super().in_waiting or self._socket is None:
            return 0
        return len(self._socket.recv(_MOST_AT_ONCE, socket.MSG_PEEK))

    def close(self) -> None:
        left = self._socket
        super().close()
        if left is not None:
            left.close()


def port_failure(error: BaseException) -> str:
    """Why a port failed, in a few words, which pyserial repeats with numbers and names.

    >>> port_failure(OSError(2, "[Errno 2] could not open port /dev/x: [Errno 2] No such file"))
    'No such file or directory'
    """
    if "returned no data" in str(error):
        return "it was unplugged"
    found = _NUMBER.search(str(error))
    number = getattr(error, "errno", None) or (int(found[1]) if found else None)
    return str(error) if number is None else _SAID.get(number) or os.strerror(number)


def open_serial(url: str) -> Port:
    """A hub's port: a device's path, or what pyserial takes, such as ``socket://host:port``.

    Opening a device flushes what it had received, and resets an Arduino. It is had alone: two
    programs on one line would each take half of what it says.

    Raises:
        OSError: when it cannot be opened (pyserial's SerialException is one), or is none.
    """
    if url.startswith("socket://"):
        return _SocketPort(url, BAUD, timeout=READ_S, write_timeout=WRITE_S)
    try:
        port: Port = serial.serial_for_url(
            url, BAUD, timeout=READ_S, write_timeout=WRITE_S, exclusive=True
        )
    except ValueError as error:
        raise OSError(errno.ENOTTY, f"{url} is no port: {error}") from error
    return port
