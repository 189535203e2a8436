"""An I2C adapter with the ioctls of i2c-dev for ``/dev/i2c-N``, and chips at addresses.

Source: <linux/i2c-dev.h>, <linux/i2c.h> and Documentation/i2c/smbus-protocol.rst. The ioctls
contain pointers, which `cuse.Memory` resolves.
"""

import errno
import os
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from tests.kernel.cuse import Memory

I2C_MAJOR: Final = 89
RETRIES, TIMEOUT, SLAVE, FUNCS, SLAVE_FORCE = 0x701, 0x702, 0x703, 0x705, 0x706
RDWR, SMBUS = 0x707, 0x720
FUNCTIONS: Final = 0x0C7F0001
"""I2C_FUNC_I2C, and of SMBus the functions of `_LENGTHS` and I2C blocks."""
READ: Final = 1
"""I2C_M_RD, and I2C_SMBUS_READ."""
QUICK, BYTE, BYTE_DATA, WORD_DATA, I2C_BLOCK = 0, 1, 2, 3, 8
_LENGTHS: Final = {QUICK: 0, BYTE: 1, BYTE_DATA: 1, WORD_DATA: 2}
_SMBUS: Final = struct.Struct("=BB2xIQ")
_RDWR: Final = struct.Struct("=QI4x")
_MESSAGE: Final = struct.Struct("=HHH2xQ")
_LONGEST_BLOCK: Final = 32
_BLOCK_AREA: Final = _LONGEST_BLOCK + 2
"""Number of bytes of a block that i2c-dev copies, whatever its length."""
_BITS_PER_BYTE: Final = 9
"""Eight bits and the acknowledgement."""


class Chip(Protocol):
    """A device at an address."""

    def write(self, data: bytes) -> None:
        """Accept the bytes written after the address."""

    def read(self, count: int) -> bytes:
        """Return a number of bytes."""


@dataclass(frozen=True)
class Message:
    """One message of a transfer: `data` is written, or `count` bytes are read."""

    address: int
    data: bytes = b""
    count: int = 0
    reads: bool = False


class Adapter:
    """A bus with `chips` by address, whose transfers take the time that follows from `hertz`.

    `wait` is called with the duration of each transfer in seconds.
    """

    def __init__(
        self, chips: Mapping[int, Chip], wait: Callable[[float], None], hertz: int = 400_000
    ) -> None:
        self._chips, self._wait, self._hertz = chips, wait, hertz
        self._addresses: dict[int, int] = {}

    def ioctl(self, opening: int, command: int, argument: int, memory: Memory) -> bytes:
        """Carry out an ioctl of i2c-dev."""
        if command in {SLAVE, SLAVE_FORCE}:
            self._addresses[opening] = argument
            return b""
        if command in {RETRIES, TIMEOUT}:
            return b""
        if command == FUNCS:
            memory.reserve((argument, 8))
            return struct.pack("=Q", FUNCTIONS)
        if command == SMBUS:
            return self._smbus(self._addresses.get(opening, 0), argument, memory)
        if command == RDWR:
            return self._rdwr(argument, memory)
        raise OSError(errno.ENOTTY, os.strerror(errno.ENOTTY))

    def _rdwr(self, argument: int, memory: Memory) -> bytes:
        place, count = _RDWR.unpack(memory.read((argument, _RDWR.size))[0])
        rows = list(_MESSAGE.iter_unpack(memory.read((place, count * _MESSAGE.size))[0]))
        writes = [(at, length) for _, flags, length, at in rows if not flags & READ]
        memory_of = iter(memory.read(*writes))
        memory.reserve(*((at, length) for _, flags, length, at in rows if flags & READ))
        return self._transfer(
            [
                Message(address, count=length, reads=True)
                if flags & READ
                else Message(address, next(memory_of))
                for address, flags, length, _ in rows
            ]
        )

    def _smbus(self, address: int, argument: int, memory: Memory) -> bytes:
        reads, register, size, place = _SMBUS.unpack(memory.read((argument, _SMBUS.size))[0])
        if size == QUICK:
            return self._transfer([Message(address)])
        if size == BYTE and not reads:
            return self._transfer([Message(address, bytes([register]))])
        if size == I2C_BLOCK:
            return self._block(Message(address, bytes([register]), reads=reads), place, memory)
        if size not in _LENGTHS:
            raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))
        length = _LENGTHS[size]
        if not reads:
            value = memory.read((place, length))[0]
            return self._transfer([Message(address, bytes([register]) + value)])
        memory.reserve((place, length))
        select = [] if size == BYTE else [Message(address, bytes([register]))]
        return self._transfer([*select, Message(address, count=length, reads=True)])

    def _block(self, begins: Message, place: int, memory: Memory) -> bytes:
        """Transfer an I2C block: in memory its length precedes it, on the bus its register."""
        block = memory.read((place, _BLOCK_AREA))[0]
        length = min(block[0], _LONGEST_BLOCK)
        if not begins.reads:
            data = begins.data + block[1 : 1 + length]
            return self._transfer([Message(begins.address, data)])
        memory.reserve((place, 1 + length))
        select = Message(begins.address, begins.data)
        answer = Message(begins.address, count=length, reads=True)
        return bytes([length]) + self._transfer([select, answer])

    def _transfer(self, messages: list[Message]) -> bytes:
        """Carry out a transfer; a missing device is the error of the Pi's own driver."""
        found = b""
        for message in messages:
            self._wait((1 + len(message.data) + message.count) * _BITS_PER_BYTE / self._hertz)
            if message.address not in self._chips:
                raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
            chip = self._chips[message.address]
            if message.reads:
                found += chip.read(message.count)
            else:
                chip.write(message.data)
        return found
