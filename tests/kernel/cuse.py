"""Character devices in user space, by the kernel's CUSE protocol over ``/dev/cuse``.

Source: <linux/fuse.h> and fs/fuse/cuse.c of Linux 6.1. A device receives an `ioctl` and accesses
the caller's memory through the kernel: it replies with the addresses to read or to write, and
receives the request again with their content.
"""

import errno
import os
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias

VERSION: Final = 7, 31
"""The oldest version of the FUSE protocol with all messages used here."""
_CUSE_INIT: Final = 4096
_OPEN, _RELEASE, _INTERRUPT, _IOCTL = 14, 18, 36, 39
_UNRESTRICTED: Final = 1
"""CUSE_UNRESTRICTED_IOCTL: the device determines the memory that an ioctl uses."""
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
# The kernel refuses a buffer that is smaller than its longest request.
_LONGEST_REQUEST: Final = 1 << 18

Area: TypeAlias = tuple[int, int]
"""An address in the caller's memory and a number of bytes."""


class MoreWantedError(Exception):
    """An ioctl must be sent again, with more of the caller's memory."""


@dataclass
class Memory:
    """The part of the caller's memory that the kernel has passed.

    `given` is the content of the areas that were requested before, concatenated. `room` is the
    number of bytes that the kernel accepts in the reply.
    """

    given: bytes = b""
    room: int = 0
    requested: list[Area] = field(default_factory=list)
    to_fill: list[Area] = field(default_factory=list)

    def read(self, *areas: Area) -> list[bytes]:
        """Return the content of memory areas; called by a device before anything else.

        Raises:
            MoreWantedError: If it has not been passed yet.
        """
        # The kernel passes all areas again, concatenated in the order of the requests.
        begin = sum(length for _, length in self.requested)
        self.requested += areas
        if sum(length for _, length in self.requested) > len(self.given):
            raise MoreWantedError
        found = []
        for _, length in areas:
            found.append(self.given[begin : begin + length])
            begin += length
        return found

    def reserve(self, *areas: Area) -> None:
        """Specify the memory for the reply, before any visible effect.

        Raises:
            MoreWantedError: If the kernel does not know it yet.
        """
        self.to_fill += areas
        if sum(length for _, length in self.to_fill) > self.room:
            raise MoreWantedError


class Device(Protocol):
    """A character device."""

    def ioctl(self, opening: int, command: int, argument: int, memory: Memory) -> bytes:
        """Carry out an ioctl and return the content for the reserved memory.

        `opening` identifies the open file description of the request.

        Raises:
            OSError: With the error number for the caller.
        """


def serve(cuse: int, name: str, number: tuple[int, int], device: Device) -> None:
    """Serve the device ``/dev/<name>`` until the file descriptor of ``/dev/cuse`` is closed.

    `number` is the device's major and minor number.
    """
    connection = Connection(name, number, device)
    while True:
        try:
            request = os.read(cuse, _LONGEST_REQUEST)
        except OSError as error:
            # ENODEV: the device is gone; EBADF: this process has closed it.
            if error.errno in {errno.ENODEV, errno.EBADF}:
                return
            raise
        reply = connection.answer(request)
        if reply:
            os.write(cuse, reply)


class Connection:
    """Reads requests and writes replies."""

    def __init__(self, name: str, number: tuple[int, int], device: Device) -> None:
        self._name, self._number, self._device = name, number, device
        self._openings = 0

    def answer(self, request: bytes) -> bytes:
        """Return the reply to a request of the kernel, None if none is expected."""
        _, code, unique, *_ = _HEADER.unpack_from(request)
        if code == _INTERRUPT:
            # Every request is answered at once, so there is never one to interrupt.
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
            # FUSE expects the negated number.
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
            return _again(memory.requested, memory.to_fill)
        return _IOCTL_OUT.pack(0, 0, 0, 0) + answer


def _again(requested: Sequence[Area], to_fill: Sequence[Area]) -> bytes:
    areas = b"".join(_AREA.pack(*area) for area in (*requested, *to_fill))
    return _IOCTL_OUT.pack(0, _RETRY, len(requested), len(to_fill)) + areas
