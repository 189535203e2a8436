"""The dice hub, listened to for a while. Nothing is acknowledged: a service may want it again."""

import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Final

from urpi.devices.protocol import AskLine, DieLine, HubLine, Line, LineReader, line_bytes
from urpi.devices.serial_port import PORT_ERRORS, Port, port_failure
from urpi.doctor.facts import HeardDie, Hub, Node
from urpi.doctor.tree import Tree

LISTEN_MS: Final = 4000
"""An Arduino's boot loader takes two seconds of it when the port is opened."""
AFTER_GREETING_MS: Final = 1200
"""By then every die's last line has been said again, and the hub's next heartbeat."""


def users_of(tree: Tree, path: str) -> tuple[int, ...]:
    """The processes, other than this one, that have a device open.

    What another user has open is not to be seen; a running `urpi serve` counts as if it had.
    """
    device = os.path.realpath(tree.at(path))
    return tuple(
        int(name)
        for name in tree.names("/proc", "[0-9]*")
        if int(name) != os.getpid() and (_has_open(tree, name, device) or _serves(tree, name))
    )


def _has_open(tree: Tree, process: str, device: str) -> bool:
    return any(
        os.path.realpath(tree.at(link)) == device
        for link in tree.links(f"/proc/{process}/fd")
        if link.startswith("/dev/")
    )


def _serves(tree: Tree, process: str) -> bool:
    words = tree.text(f"/proc/{process}/cmdline").split("\0")
    return "serve" in words and any(word.rpartition("/")[2] == "urpi" for word in words)


def modem_manager(tree: Tree) -> bool:
    """Whether ModemManager runs and no udev rule of ours keeps it from the hub."""
    running = any(
        tree.text(f"/proc/{name}/comm") == "ModemManager" for name in tree.names("/proc", "[0-9]*")
    )
    rules = (
        tree.text(f"{folder}/{name}")
        for folder in ("/etc/udev/rules.d", "/usr/lib/udev/rules.d", "/lib/udev/rules.d")
        for name in tree.names(folder, "*urpi*.rules")
    )
    return running and not any("ID_MM_DEVICE_IGNORE" in rule for rule in rules)


def hub(tree: Tree, node: Node, open_port: Callable[[], Port], clock: Callable[[], int]) -> Hub:
    """What the hub says in a few seconds, if its port is free; `clock` is in milliseconds."""
    hub = Hub(node, users_of(tree, node.path), modem_manager=modem_manager(tree))
    if hub.users or not node.usable:
        return hub
    try:
        with closing(open_port()) as port:
            return listened(hub, port, clock)
    except PORT_ERRORS as error:
        return replace(hub, error=port_failure(error))


def listened(hub: Hub, port: Port, clock: Callable[[], int]) -> Hub:
    """The hub with what it said on that port.

    Raises:
        OSError: when the port vanishes.
    """
    reader, began = LineReader(), clock()
    until, asked_again = began + LISTEN_MS, False
    port.write(line_bytes(AskLine()))
    while clock() < until:
        for line in reader.feed(port.read(port.in_waiting or 1)):
            hub = _heard(hub, line)
        if hub.proto is not None and not asked_again:
            # The first question may have gone to the boot loader.
            port.write(line_bytes(AskLine()))
            asked_again, until = True, min(until, clock() + AFTER_GREETING_MS)
    return replace(hub, lines=reader.counts.lines, broken=reader.counts.dropped)


def _heard(hub: Hub, line: Line) -> Hub:
    if isinstance(line, HubLine):
        return replace(hub, proto=line.proto, firmware=line.firmware, error=line.error or "")
    if isinstance(line, DieLine):
        known = hub.dice.get(line.die, HeardDie())
        die = HeardDie(
            known.battery_mv if line.battery_mv is None else line.battery_mv,
            line.state == "lost",
            line.error or "",
        )
        return replace(hub, dice={**hub.dice, line.die: die})
    return hub
