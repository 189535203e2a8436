"""The scan of an I2C bus."""

from collections.abc import Callable
from errno import EBUSY
from typing import Final, Protocol

from urpi.core.errors import UrpiError
from urpi.install.doctor.facts import Bus, Node
from urpi.install.doctor.tree import Tree

ADDRESSES: Final = range(0x08, 0x78)
"""The 7-bit addresses that the I2C specification does not reserve."""
_MAX_TIMEOUTS: Final = 8
"""Number of timeouts after which the bus is considered stuck and the scan ends."""


class ByteBus(Protocol):
    """The methods of smbus2's bus that the scan uses."""

    def read_byte(self, i2c_addr: int, /) -> int: ...  # noqa: D102
    def close(self) -> None: ...  # noqa: D102


def bus(tree: Tree, node: Node, port: int, open_bus: Callable[[int], ByteBus]) -> Bus:
    """Scan ``/dev/i2c-<port>`` if this user may open it."""
    # A device-tree cell is a big-endian 32-bit integer.
    raw = tree.bytes(f"/sys/class/i2c-adapter/i2c-{port}/of_node/clock-frequency")
    speed = int.from_bytes(raw, "big") if raw else None
    if not node.usable:
        return Bus(node, speed_hz=speed)
    try:
        opened = open_bus(port)
    except (OSError, UrpiError) as error:
        return Bus(node, error=str(error), speed_hz=speed)
    try:
        answered, held, stuck = _scan(opened)
    finally:
        opened.close()
    return Bus(node, answered, held, stuck, speed)


def _scan(opened: ByteBus) -> tuple[tuple[int, ...], tuple[int, ...], str]:
    """Return the addresses that answered, those that a driver has claimed, and the bus's error."""
    answered: list[int] = []
    held: list[int] = []
    timeouts = 0
    for address in ADDRESSES:
        try:
            opened.read_byte(address)
        except TimeoutError as error:
            # An absent device fails at once; a timeout means that SDA or SCL is held low. Waiting
            # for every address would take minutes.
            timeouts += 1
            if timeouts == _MAX_TIMEOUTS:
                return tuple(answered), tuple(held), str(error)
        except OSError as error:
            if error.errno == EBUSY:
                held.append(address)
        else:
            answered.append(address)
    return tuple(answered), tuple(held), ""
