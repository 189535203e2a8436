"""The user who runs the doctor, the device files that this user may open, and a bus's scan."""

import os
from collections.abc import Callable, Collection
from errno import EBUSY
from typing import Final, Protocol

from urpi.core.errors import UrpiError
from urpi.install.doctor.facts import Bus, Node, Person
from urpi.install.doctor.tree import Tree

Usable = Callable[[str], bool]
"""Returns whether this process may read and write a path."""
ADDRESSES: Final = range(0x08, 0x78)
"""The 7-bit addresses that the I2C specification does not reserve."""
_MAX_TIMEOUTS: Final = 8
"""Number of timeouts after which the bus is considered stuck and the scan ends."""


def usable(path: str) -> bool:
    """Return whether this process may read and write a path on this machine."""
    return os.access(path, os.R_OK | os.W_OK)


def person(tree: Tree, name: str, user: int, groups: Collection[int]) -> Person:
    """The user with the groups that /etc/group lists.

    Args:
        tree: the machine's files.
        name: login name.
        user: user ID; 0 is root.
        groups: group IDs of this process.
    """
    known, listed, now = set(), set(), set()
    for line in tree.text("/etc/group").splitlines():
        group, _, number, members = (*line.split(":"), "", "", "")[:4]
        known.add(group)
        if name in members.split(","):
            listed.add(group)
        if number.isdecimal() and int(number) in groups:
            now.add(group)
    return Person(name, user == 0, frozenset(now), frozenset(listed), frozenset(known))


def node(tree: Tree, path: str, may_use: Usable) -> Node:
    """The state of a device file."""
    place = tree.at(path)
    try:
        group = place.group()
    except (OSError, KeyError):
        # Missing, or its group ID has no name: the finding then names the usual group.
        group = ""
    return Node(path, tree.exists(path), may_use(str(place)), group)


class ByteBus(Protocol):
    """The methods of smbus2's bus that the scan uses."""

    def read_byte(self, i2c_addr: int, /) -> int: ...
    def close(self) -> None: ...


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
            # A kernel driver has the address, such as that of a clock; i2cdetect shows it as UU.
            if error.errno == EBUSY:
                held.append(address)
        else:
            answered.append(address)
    return tuple(answered), tuple(held), ""
