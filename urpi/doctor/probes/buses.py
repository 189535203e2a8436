"""Who answers on an I2C bus."""

from collections.abc import Callable
from errno import EBUSY
from typing import Final, Protocol

from urpi.doctor.facts import Bus, Node
from urpi.doctor.tree import Tree
from urpi.errors import UrpiError

ADDRESSES: Final = range(0x08, 0x78)
"""The 7-bit addresses that the I2C specification does not reserve."""
_DEAD: Final = 8
"""So many of the first addresses that time out say that the bus itself is stuck."""


class ByteBus(Protocol):
    """What is used of smbus2's bus."""

    def read_byte(self, i2c_addr: int, /) -> int: ...  # noqa: D102
    def close(self) -> None: ...  # noqa: D102


def bus(tree: Tree, node: Node, port: int, open_bus: Callable[[int], ByteBus]) -> Bus:
    """The bus ``/dev/i2c-<port>``, asked at every address, if it may be."""
    raw = tree.bytes(f"/sys/class/i2c-adapter/i2c-{port}/of_node/clock-frequency")
    speed = int.from_bytes(raw, "big") if raw else None
    if not node.usable:
        return Bus(node, speed_hz=speed)
    try:
        opened = open_bus(port)
    except (OSError, UrpiError) as error:
        return Bus(node, error=str(error), speed_hz=speed)
    try:
        answered, held, stuck = _asked(opened)
    finally:
        opened.close()
    return Bus(node, answered, held, stuck, speed)


def _asked(opened: ByteBus) -> tuple[tuple[int, ...], tuple[int, ...], str]:
    answered: list[int] = []
    held: list[int] = []
    stuck = 0
    for address in ADDRESSES:
        try:
            opened.read_byte(address)
        except TimeoutError as error:
            stuck += 1
            if stuck == _DEAD:
                return tuple(answered), tuple(held), str(error)
        except OSError as error:
            if error.errno == EBUSY:
                held.append(address)
        else:
            answered.append(address)
    return tuple(answered), tuple(held), ""
