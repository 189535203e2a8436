"""The bus on CUSE, with requests as the kernel sends them: repeated until all memory is passed."""

import ctypes
import errno
import struct
from dataclasses import dataclass, field

import pytest
from luma.core.interface.serial import i2c
from PIL import Image
from smbus2 import SMBus, i2c_msg

from tests.kernel.cuse import Connection
from tests.kernel.i2c import Adapter
from urpi.hardware import open_oled
from urpi.hardware.oled_bus import OledBus

OPEN, IOCTL, INIT, READ = 14, 39, 4096, 15
RETRY = 4
RAM_CHIP, GLASS, NOBODY = 0x20, 0x3C, 0x51


@dataclass
class Ram:
    """A chip with registers: a write selects one and fills from there, a read continues there."""

    cells: bytearray = field(default_factory=lambda: bytearray(64))
    at: int = 0

    def write(self, data: bytes) -> None:
        if data:
            self.at = data[0]
            self.cells[self.at : self.at + len(data) - 1] = data[1:]

    def read(self, count: int) -> bytes:
        return bytes(self.cells[self.at : self.at + count])


class Glass(OledBus):
    """A panel on the bus."""

    def write(self, data: bytes) -> None:
        if data[0] & 0x40:
            self.data(data[1:])
        else:
            self.command(*data[1:])


class Kernel:
    """Handles an ioctl like fs/fuse/ioctl.c, on the memory of this process."""

    def __init__(self, device: Adapter) -> None:
        self.connection = Connection("i2c-1", (89, 1), device)
        self.rounds = 0

    def request(self, code: int, body: bytes) -> tuple[int, bytes]:
        header = struct.pack("=IIQQIIIHH", 40 + len(body), code, 7, 0, 0, 0, 0, 0, 0)
        reply = self.connection.answer(header + body)
        length, error, unique = struct.unpack_from("=IiQ", reply)
        assert (length, unique) == (len(reply), 7)
        return error, reply[16:]

    def ioctl(self, _fd: int, command: int, argument: object = 0) -> int:
        """Replace `fcntl.ioctl`; an argument that is not a number is a ctypes object."""
        address = argument if isinstance(argument, int) else ctypes_address(argument)
        requested: list[tuple[int, int]] = []
        to_fill: list[tuple[int, int]] = []
        while True:
            self.rounds += 1
            data = b"".join(peek(*area) for area in requested)
            room = sum(length for _, length in to_fill)
            body = struct.pack("=QIIQII", 1, 2, command, address, len(data), room)
            error, reply = self.request(IOCTL, body + data)
            if error:
                raise OSError(-error, "returned by the device")
            result, flags, ins, outs = struct.unpack_from("=iIII", reply)
            if not flags & RETRY:
                fill(to_fill, reply[16:])
                return result
            areas = list(struct.iter_unpack("=QQ", reply[16:]))
            assert len(areas) == ins + outs
            requested, to_fill = areas[:ins], areas[ins:]


def ctypes_address(thing: object) -> int:
    return ctypes.addressof(thing)  # type: ignore[arg-type]


def peek(address: int, length: int) -> bytes:
    return ctypes.string_at(address, length)


def fill(areas: list[tuple[int, int]], data: bytes) -> None:
    for address, length in areas:
        ctypes.memmove(address, data[:length], length)
        data = data[length:]
    assert not data


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def kernel(waits: list[float]) -> Kernel:
    return Kernel(Adapter({RAM_CHIP: Ram(), GLASS: Glass()}, waits.append))


@pytest.fixture
def bus(kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> SMBus:
    """Return smbus2's bus as the program uses it, down to its ioctls."""
    monkeypatch.setattr("smbus2.smbus2.ioctl", kernel.ioctl)
    bus = SMBus()
    bus.fd = -1
    bus.funcs = bus._get_funcs()
    return bus


def test_the_device_reports_its_name_and_number(kernel: Kernel) -> None:
    error, reply = kernel.request(INIT, struct.pack("=4I", 7, 38, 0, 1))
    fields = struct.unpack_from("=8I", reply)
    assert error == 0
    assert fields[:2] == (7, 31)
    assert fields[6:] == (89, 1)
    assert reply[72:] == b"DEVNAME=i2c-1\0"


def test_an_unsupported_request_is_an_error(kernel: Kernel) -> None:
    assert kernel.request(READ, bytes(40)) == (-errno.ENOSYS, b"")


def test_each_opening_has_its_own_number(kernel: Kernel) -> None:
    handles = {struct.unpack_from("=Q", kernel.request(OPEN, bytes(8))[1])[0] for _ in range(3)}
    assert len(handles) == 3


def test_registers_are_written_and_read_by_byte_word_and_block(bus: SMBus) -> None:
    bus.write_byte_data(RAM_CHIP, 1, 0x11)
    bus.write_word_data(RAM_CHIP, 2, 0x3322)
    bus.write_i2c_block_data(RAM_CHIP, 4, [0x44, 0x55])

    assert bus.read_byte_data(RAM_CHIP, 1) == 0x11
    assert bus.read_word_data(RAM_CHIP, 2) == 0x3322
    assert bus.read_i2c_block_data(RAM_CHIP, 1, 5) == [0x11, 0x22, 0x33, 0x44, 0x55]


def test_a_single_byte_selects_the_register_to_read(bus: SMBus) -> None:
    bus.write_byte_data(RAM_CHIP, 9, 0x99)
    bus.write_byte(RAM_CHIP, 9)
    assert bus.read_byte(RAM_CHIP) == 0x99


def test_messages_are_written_and_read_in_one_transfer(bus: SMBus) -> None:
    bus.i2c_rdwr(i2c_msg.write(RAM_CHIP, [3, 7, 8, 9]))
    answer = i2c_msg.read(RAM_CHIP, 3)
    bus.i2c_rdwr(i2c_msg.write(RAM_CHIP, [3]), answer)
    assert list(answer) == [7, 8, 9]


def test_an_unused_address_does_not_acknowledge(bus: SMBus) -> None:
    with pytest.raises(OSError, match="returned by the device") as raised:
        bus.write_quick(NOBODY)
    assert raised.value.errno == errno.EREMOTEIO


def test_an_unknown_ioctl_is_an_error(kernel: Kernel) -> None:
    with pytest.raises(OSError, match="returned by the device") as raised:
        kernel.ioctl(-1, 0x1234)
    assert raised.value.errno == errno.ENOTTY


def test_a_transfer_takes_the_time_of_the_bus(bus: SMBus, waits: list[float]) -> None:
    bus.i2c_rdwr(i2c_msg.write(GLASS, [0x40, *bytes(128)]))
    assert waits == [pytest.approx(130 * 9 / 400_000)]


def test_a_device_does_nothing_before_all_memory_is_passed(kernel: Kernel, bus: SMBus) -> None:
    kernel.rounds = 0
    bus.i2c_rdwr(i2c_msg.write(RAM_CHIP, [5, 1]))
    assert kernel.rounds == 4
    assert bus.read_byte_data(RAM_CHIP, 5) == 1


def test_luma_draws_on_the_glass_through_the_bus(bus: SMBus) -> None:
    glass = Glass()
    kernel = Kernel(Adapter({GLASS: glass}, lambda _seconds: None))
    interface = i2c(bus=bus, address=GLASS)
    interface._managed, interface._i2c_msg_write = True, i2c_msg.write
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("smbus2.smbus2.ioctl", kernel.ioctl)
        picture = Image.effect_noise((128, 64), 100).convert("1")
        open_oled("ssd1306", interface).display(picture)
    assert glass.picture().tobytes() == picture.tobytes()
