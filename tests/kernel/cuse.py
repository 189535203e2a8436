"""Character devices in user space: the kernel's CUSE protocol, spoken over ``/dev/cuse``.

From <linux/fuse.h> and fs/fuse/cuse.c of Linux 6.1. A device is asked by `ioctl`, and reaches
the caller's memory through the kernel: it says which addresses it wants to read or to fill,
and is asked again with what lies there.
"""

import errno
import os
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias

VERSION: Final = 7, 31
"""The oldest FUSE protocol that has all that is said here."""
_CUSE_INIT: Final = 4096
_OPEN, _RELEASE, _INTERRUPT, _IOCTL = 14, 18, 36, 39
_UNRESTRICTED: Final = 1
"""CUSE_UNRESTRICTED_IOCTL: the device says which memory an ioctl is about."""
_RETRY: Final = 4
"""FUSE_IOCTL_RETRY."""
_HEADER: Final = struct.Struct("=IIQQIIIHH")
_REPLY: Final = struct.Struct("=IiQ")
_INIT_IN: Final = struct.Struct("=4I")
_INIT_OUT: Final = struct.Struct("=18I")
_OPEN_OUT: Final = struct.Struct("=QII")
_IOCTL_IN: Final = struct.Struct("=QIIQII")
_IOCTL_OUT: Final = struct.Struct("=iIII")
_AREA: Final = struct.Struct("=QQ")
_LONGEST_REQUEST: Final = 1 << 18

Area: TypeAlias = tuple[int, int]
"""An address in the caller's memory and a count of bytes."""


class MoreWantedError(Exception):
    """An ioctl has to be asked again, with more of the caller's memory."""


@dataclass
class Memory:
    """The caller's memory, as much of it as the kernel has handed over.

    `given` is what lies in the areas that were asked for the last time, one behind the other,
    `room` so many bytes as the kernel takes back.
    """

    given: bytes = b""
    room: int = 0
    wanted: list[Area] = field(default_factory=list)
    to_fill: list[Area] = field(default_factory=list)

    def read(self, *areas: Area) -> list[bytes]:
        """What lies in the caller's memory; first of all that a device does.

        Raises:
            MoreWantedError: when it is not here yet.
        """
        begin = sum(length for _, length in self.wanted)
        self.wanted += areas
        if sum(length for _, length in self.wanted) > len(self.given):
            raise MoreWantedError
        found = []
        for _, length in areas:
            found.append(self.given[begin : begin + length])
            begin += length
        return found

    def reserve(self, *areas: Area) -> None:
        """Say which memory the answer goes to, before anything is done that shows.

        Raises:
            MoreWantedError: when the kernel does not know yet.
        """
        self.to_fill += areas
        if sum(length for _, length in self.to_fill) > self.room:
            raise MoreWantedError


class Device(Protocol):
    """A character device."""

    def ioctl(self, opening: int, command: int, argument: int, memory: Memory) -> bytes:
        """Do it; what goes into the reserved memory.

        `opening` tells the file descriptions apart that the device was opened with.

        Raises:
            OSError: what the caller is to be told, by its number.
        """


def serve(cuse: int, name: str, number: tuple[int, int], device: Device) -> None:
    """Be the device ``/dev/<name>`` until the file descriptor of ``/dev/cuse`` is closed.

    `number` is the device's major and minor number.
    """
    connection = Connection(name, number, device)
    while True:
        try:
            request = os.read(cuse, _LONGEST_REQUEST)
        except OSError as error:
            if error.errno in {errno.ENODEV, errno.EBADF}:
                return
            raise
        reply = connection.answer(request)
        if reply:
            os.write(cuse, reply)


class Connection:
    """Requests in, replies out."""

    def __init__(self, name: str, number: tuple[int, int], device: Device) -> None:
        self._name, self._number, self._device = name, number, device
        self._openings = 0

    def answer(self, request: bytes) -> bytes:
        """The reply to a request of the kernel; nothing when none is expected."""
        _, code, unique, *_ = _HEADER.unpack_from(request)
        if code == _INTERRUPT:
            # Everything is answered at once, so that there is nothing to break off.
            return b""
        answers: Mapping[int, Callable[[bytes], bytes]] = {
            _CUSE_INIT: self._init,
            _OPEN: self._open,
            _RELEASE: lambda _body: b"",
            _IOCTL: self._ioctl,
        }
        try:
            if code not in answers:
                raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
            body = answers[code](request[_HEADER.size :])
        except OSError as error:
            return _REPLY.pack(_REPLY.size, -(error.errno or errno.EIO), unique)
        return _REPLY.pack(_REPLY.size + len(body), 0, unique) + body

    def _init(self, body: bytes) -> bytes:
        major, minor, *_ = _INIT_IN.unpack_from(body)
        ours = (VERSION[0], min(minor, VERSION[1])) if major == VERSION[0] else VERSION
        sizes = (1 << 16, 1 << 16)
        out = _INIT_OUT.pack(*ours, 0, _UNRESTRICTED, *sizes, *self._number, *[0] * 10)
        return out + f"DEVNAME={self._name}\0".encode()

    def _open(self, _body: bytes) -> bytes:
        self._openings += 1
        return _OPEN_OUT.pack(self._openings, 0, 0)

    def _ioctl(self, body: bytes) -> bytes:
        opening, _flags, command, argument, in_size, out_size = _IOCTL_IN.unpack_from(body)
        memory = Memory(body[_IOCTL_IN.size : _IOCTL_IN.size + in_size], out_size)
        try:
            answer = self._device.ioctl(opening, command, argument, memory)
        except MoreWantedError:
            return _again(memory.wanted, memory.to_fill)
        return _IOCTL_OUT.pack(0, 0, 0, 0) + answer


def _again(wanted: Sequence[Area], to_fill: Sequence[Area]) -> bytes:
    areas = b"".join(_AREA.pack(*area) for area in (*wanted, *to_fill))
    return _IOCTL_OUT.pack(0, _RETRY, len(wanted), len(to_fill)) + areas
