"""Wires: the cable between the virtual hub and the program, which opens it with pyserial.

``pty`` is a pseudo-terminal behind a path that stays the same over unplugging; ``socket`` is
a loopback socket, for machines that have no pseudo-terminals. Chosen by name, never tried in
turn. Nothing here blocks; what nobody takes is lost, as on a real line.
"""

import os
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Final, Protocol

from urpi.errors import UrpiError

_CHUNK: Final = 4096


class Wire(Protocol):
    """One end of a cable: the hub's."""

    @property
    def address(self) -> str:
        """What pyserial's `serial_for_url` opens; it stays the same."""

    @property
    def plugged(self) -> bool:
        """Whether the cable is in."""

    @property
    def drained(self) -> bool:
        """Whether the program has taken everything, as far as this end can know."""

    def plug(self) -> None:
        """Put the cable in, again or for the first time."""

    def unplug(self) -> None:
        """Pull the cable out: the program's end hangs up."""

    def write(self, data: bytes) -> None:
        """Send what can be sent at once."""

    def read(self) -> bytes:
        """What has come, at once; nothing when nothing has."""


class PtyWire:
    """A pseudo-terminal. `address` is a symbolic link in `folder` that each plug renews."""

    def __init__(self, folder: Path) -> None:
        self._link = folder / "urpi-hub"
        self._ends: tuple[int, int] | None = None
        """Our end and the program's; holding that too keeps ours usable between two openings."""
        self.plug()

    @property
    def address(self) -> str:
        """The link's path."""
        return str(self._link)

    @property
    def plugged(self) -> bool:
        """Whether the cable is in."""
        return self._ends is not None

    @property
    def drained(self) -> bool:
        """Whether nothing waits in the terminal for the program."""
        if not self._ends:
            return True
        import fcntl  # noqa: PLC0415 - there is none on some systems, which take the socket
        import termios  # noqa: PLC0415

        waiting = bytearray(4)
        fcntl.ioctl(self._ends[1], termios.FIONREAD, waiting)
        return not any(waiting)

    def plug(self) -> None:
        """Make a new pseudo-terminal behind the same path.

        Raises:
            UrpiError: when the system gives none, or the folder cannot be written.
        """
        if self._ends:
            return
        try:
            self._ends = _raw_pty()
            self._point_at(os.ttyname(self._ends[1]))
        except (OSError, ImportError) as error:
            self.unplug()
            message = (
                f"No pseudo-terminal can be had at {self._link}: {error}; take the wire socket."
            )
            raise UrpiError(message) from error

    def unplug(self) -> None:
        """Close it; the path is gone until the next plug."""
        ends, self._ends = self._ends, None
        for end in ends or ():
            os.close(end)
        self._link.unlink(missing_ok=True)

    def write(self, data: bytes) -> None:
        """Send it; what finds the line's buffer full is lost."""
        if self._ends:
            with suppress(BlockingIOError):
                os.write(self._ends[0], data)

    def read(self) -> bytes:
        """What has come."""
        if not self._ends:
            return b""
        try:
            return os.read(self._ends[0], _CHUNK)
        except BlockingIOError:
            return b""

    def _point_at(self, terminal: str) -> None:
        # Made aside and moved, so that the path never shows half a link.
        aside = self._link.with_suffix(".new")
        aside.unlink(missing_ok=True)
        aside.symlink_to(terminal)
        aside.replace(self._link)


def _raw_pty() -> tuple[int, int]:
    import tty  # noqa: PLC0415 - there is none on some systems, which take the socket

    ours, theirs = os.openpty()
    tty.setraw(theirs)
    os.set_blocking(ours, False)
    return ours, theirs


class SocketWire:
    """A loopback socket that takes one caller at a time, the newest."""

    def __init__(self) -> None:
        self._port = 0
        self._door: socket.socket | None = None
        self._caller: socket.socket | None = None
        self.plug()

    @property
    def address(self) -> str:
        """The socket as pyserial names it."""
        return f"socket://127.0.0.1:{self._port}"

    @property
    def plugged(self) -> bool:
        """Whether the cable is in."""
        return self._door is not None

    @property
    def drained(self) -> bool:
        """True: a socket does not tell what the other end has yet to take."""
        return True

    def plug(self) -> None:
        """Listen, on the same port as before.

        Raises:
            UrpiError: when another program has taken the port since.
        """
        if self._door:
            return
        try:
            self._door = socket.create_server(("127.0.0.1", self._port))
        except OSError as error:
            message = f"Port {self._port} of 127.0.0.1 is taken: {error}; end what listens there."
            raise UrpiError(message) from error
        self._door.setblocking(False)
        self._port = self._door.getsockname()[1]

    def unplug(self) -> None:
        """Hang up and listen no more."""
        # Who still waits at the door is let in, to hear us hang up.
        self._answer_door()
        self._hang_up()
        if self._door:
            self._door.close()
            self._door = None

    def write(self, data: bytes) -> None:
        """Send it; what the caller does not take is lost."""
        self._answer_door()
        if self._caller:
            try:
                self._caller.send(data)
            except BlockingIOError:
                pass
            except OSError:
                self._hang_up()

    def read(self) -> bytes:
        """What has come."""
        self._answer_door()
        if not self._caller:
            return b""
        try:
            data = self._caller.recv(_CHUNK)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._hang_up()
        return data

    def _answer_door(self) -> None:
        if not self._door:
            return
        with suppress(BlockingIOError):
            caller, _ = self._door.accept()
            self._hang_up()
            caller.setblocking(False)
            # A line is one write; none waits for the acknowledgement of the one before.
            caller.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._caller = caller

    def _hang_up(self) -> None:
        if self._caller:
            self._caller.close()
            self._caller = None


@dataclass(frozen=True, slots=True)
class WireFaults:
    """The chance, for each piece that is sent or has come, to be lost, changed or cut short."""

    drop: float = 0.0
    garble: float = 0.0
    cut: float = 0.0


class FaultyWire:
    """A wire with a loose contact, both ways."""

    def __init__(self, wire: Wire, rng: Random, faults: WireFaults) -> None:
        self.faults = faults
        self._wire = wire
        self._rng = rng

    @property
    def address(self) -> str:
        """The wire's."""
        return self._wire.address

    @property
    def plugged(self) -> bool:
        """Whether the cable is in."""
        return self._wire.plugged

    @property
    def drained(self) -> bool:
        """The wire's."""
        return self._wire.drained

    def plug(self) -> None:
        """Put the cable in."""
        self._wire.plug()

    def unplug(self) -> None:
        """Pull the cable out."""
        self._wire.unplug()

    def write(self, data: bytes) -> None:
        """Send what the faults leave of it, line by line."""
        for line in data.splitlines(keepends=True):
            self._wire.write(self._spoil(line))

    def read(self) -> bytes:
        """What the faults leave of what has come."""
        return b"".join(self._spoil(line) for line in self._wire.read().splitlines(keepends=True))

    def _spoil(self, line: bytes) -> bytes:
        chance, faults = self._rng.random(), self.faults
        place = self._rng.randrange(len(line))
        if chance < faults.drop:
            return b""
        if chance < faults.drop + faults.garble:
            changed = line[place] ^ 1 << self._rng.randrange(8)
            return line[:place] + bytes([changed]) + line[place + 1 :]
        return line[:place] if chance < faults.drop + faults.garble + faults.cut else line


WIRES: Final[Mapping[str, Callable[[Path], Wire]]] = MappingProxyType(
    {"pty": PtyWire, "socket": lambda _folder: SocketWire()}
)
"""Every kind of wire by name; each is given a folder that it may keep its path in."""


def open_wire(name: str, folder: Path) -> Wire:
    """A wire of that kind, plugged in.

    Raises:
        UrpiError: when there is no such kind, or this machine has none.
    """
    if name not in WIRES:
        message = f"There is no wire {name!r}; the wires are {', '.join(WIRES)}."
        raise UrpiError(message)
    return WIRES[name](folder)
