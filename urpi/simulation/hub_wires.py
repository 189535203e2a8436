"""Wires: the cable between the virtual hub and the program, which opens it with pyserial.

``pty`` is a pseudo-terminal with a path that stays the same when it is unplugged; ``socket`` is a
loopback socket, for systems without pseudo-terminals. The user selects one; there is no fallback.
Nothing here blocks: data that the program does not read are lost, as on a real serial line.
"""

import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol

from urpi.core.errors import UrpiError

_CHUNK: Final = 4096


class HubWire(Protocol):
    """The hub's end of a cable."""

    @property
    def address(self) -> str:
        """The address for pyserial's `serial_for_url`; it never changes."""

    @property
    def plugged(self) -> bool:
        """Whether the cable is plugged in."""

    @property
    def drained(self) -> bool:
        """Whether the program has read everything, as far as this end can know."""

    def plug(self) -> None:
        """Plug the cable in."""

    def unplug(self) -> None:
        """Pull the cable out, which closes the program's connection."""

    def write(self, data: bytes) -> None:
        """Send as much as can be sent without blocking."""

    def read(self) -> bytes:
        """Return what has been received, empty if nothing has."""


class PtyWire:
    """A pseudo-terminal. `address` is a symbolic link in `folder` to the current one."""

    def __init__(self, folder: Path) -> None:
        self._link = folder / "urpi-hub"
        self._ends: tuple[int, int] | None = None
        """The local end and the program's. The latter stays open to keep the local one usable."""
        self.plug()

    @property
    def address(self) -> str:
        """The path of the link."""
        return str(self._link)

    @property
    def plugged(self) -> bool:
        return self._ends is not None

    @property
    def drained(self) -> bool:
        """Whether no data wait in the terminal for the program."""
        if not self._ends:
            return True
        import fcntl  # noqa: PLC0415 - missing on some systems, which use the socket
        import termios  # noqa: PLC0415

        waiting = bytearray(4)
        fcntl.ioctl(self._ends[1], termios.FIONREAD, waiting)
        return not any(waiting)

    def plug(self) -> None:
        """Open a new pseudo-terminal at the same path.

        Raises:
            UrpiError: If the system has none, or the folder cannot be written.
        """
        if self._ends:
            return
        try:
            self._ends = _raw_pty()
            self._point_at(os.ttyname(self._ends[1]))
        except (OSError, ImportError) as error:
            self.unplug()
            message = (
                f"No pseudo-terminal can be opened at {self._link}: {error}; use --wire socket."
            )
            raise UrpiError(message) from error

    def unplug(self) -> None:
        """Close the pseudo-terminal and remove its path until the next plug."""
        ends, self._ends = self._ends, None
        for end in ends or ():
            os.close(end)
        self._link.unlink(missing_ok=True)

    def write(self, data: bytes) -> None:
        """Send data; what does not fit into the buffer is lost."""
        if self._ends:
            with suppress(BlockingIOError):
                os.write(self._ends[0], data)

    def read(self) -> bytes:
        """Return what has been received."""
        if not self._ends:
            return b""
        try:
            return os.read(self._ends[0], _CHUNK)
        except BlockingIOError:
            return b""

    def _point_at(self, terminal: str) -> None:
        # Created under another name and renamed, so that the path never leads nowhere.
        aside = self._link.with_suffix(".new")
        aside.unlink(missing_ok=True)
        aside.symlink_to(terminal)
        aside.replace(self._link)


def _raw_pty() -> tuple[int, int]:
    import tty  # noqa: PLC0415 - missing on some systems, which use the socket

    local, remote = os.openpty()
    tty.setraw(remote)
    os.set_blocking(local, False)
    return local, remote


class SocketWire:
    """A loopback socket with one client at a time, the newest."""

    def __init__(self) -> None:
        self._port = 0
        self._server: socket.socket | None = None
        self._client: socket.socket | None = None
        self.plug()

    @property
    def address(self) -> str:
        """The socket's URL for pyserial."""
        return f"socket://127.0.0.1:{self._port}"

    @property
    def plugged(self) -> bool:
        return self._server is not None

    @property
    def drained(self) -> bool:
        """Always True: a socket does not report what the client has yet to read."""
        return True

    def plug(self) -> None:
        """Listen, on the same port as before.

        Raises:
            UrpiError: If another program uses the port now.
        """
        if self._server:
            return
        try:
            self._server = socket.create_server(("127.0.0.1", self._port))
        except OSError as error:
            message = (
                f"Port {self._port} of 127.0.0.1 is in use: {error}; stop the program that uses it."
            )
            raise UrpiError(message) from error
        self._server.setblocking(False)
        self._port = self._server.getsockname()[1]

    def unplug(self) -> None:
        """Close the connection and stop listening."""
        # A client that still waits to be accepted must see its connection close, too.
        self._accept()
        self._hang_up()
        if self._server:
            self._server.close()
            self._server = None

    def write(self, data: bytes) -> None:
        """Send data; what the client does not receive is lost."""
        self._accept()
        if self._client:
            try:
                self._client.send(data)
            except BlockingIOError:
                pass
            except OSError:
                self._hang_up()

    def read(self) -> bytes:
        """Return what has been received."""
        self._accept()
        if not self._client:
            return b""
        try:
            data = self._client.recv(_CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._hang_up()
        return data

    def _accept(self) -> None:
        if not self._server:
            return
        with suppress(BlockingIOError):
            client, _ = self._server.accept()
            self._hang_up()
            client.setblocking(False)
            # A line is one write; none waits for the acknowledgement of the one before.
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._client = client

    def _hang_up(self) -> None:
        if self._client:
            self._client.close()
            self._client = None


WIRES: Final[Mapping[str, Callable[[Path], HubWire]]] = MappingProxyType(
    {"pty": PtyWire, "socket": lambda _folder: SocketWire()}
)
"""All kinds of wires by name. Each is given a folder that it may use for its path."""


def open_wire(name: str, folder: Path) -> HubWire:
    """Return a wire of a kind, plugged in.

    Raises:
        UrpiError: If there is no such kind, or this machine does not support it.
    """
    if name not in WIRES:
        message = f"There is no wire {name!r}; the wires are {', '.join(WIRES)}."
        raise UrpiError(message)
    return WIRES[name](folder)
