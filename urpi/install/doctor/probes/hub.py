"""The dice hub: its port is read for a few seconds.

Nothing is acknowledged, so the service still receives every report when it opens the port next.
"""

import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Final

from urpi.hardware.protocol import AskLine, DieLine, HubLine, Line, LineReader, line_bytes
from urpi.hardware.serial_port import PORT_ERRORS, Port, port_failure
from urpi.install.doctor.facts import DieFacts, HubFacts, Node
from urpi.install.doctor.tree import Tree

LISTEN_MS: Final = 4000
"""Time to wait for a greeting. An Arduino's boot loader uses two seconds of it, because opening
the port resets the board."""
AFTER_GREETING_MS: Final = 1200
"""Time to read on after the greeting: the hub repeats the last line of each die and sends a
heartbeat within it."""


def users_of(tree: Tree, path: str) -> tuple[int, ...]:
    """The other processes that have a device open.

    The open files of another user's process are not visible, and a running `urpi serve` is then
    counted in any case. If they are visible, the service of a second board is not counted.
    """
    device = os.path.realpath(tree.at(path))
    return tuple(
        int(name)
        for name in tree.names("/proc", "[0-9]*")
        if int(name) != os.getpid() and _uses(tree, name, device)
    )


def servers(tree: Tree) -> tuple[int, ...]:
    """The processes of a running `urpi serve`."""
    return tuple(int(name) for name in tree.names("/proc", "[0-9]*") if _serves(tree, name))


def _uses(tree: Tree, process: str, device: str) -> bool:
    links = tuple(tree.links(f"/proc/{process}/fd"))
    if not links:
        return _serves(tree, process)
    return any(
        os.path.realpath(tree.at(link)) == device for link in links if link.startswith("/dev/")
    )


def _serves(tree: Tree, process: str) -> bool:
    words = tree.text(f"/proc/{process}/cmdline").split("\0")
    return "serve" in words and any(word.rpartition("/")[2] == "urpi" for word in words)


def modem_manager(tree: Tree) -> bool:
    """Whether ModemManager runs and no udev rule of this program excludes the hub.

    ModemManager probes new serial ports with modem commands, which the hub would receive.
    """
    running = any(
        tree.text(f"/proc/{name}/comm") == "ModemManager" for name in tree.names("/proc", "[0-9]*")
    )
    rules = (
        tree.text(f"{folder}/{name}")
        for folder in ("/etc/udev/rules.d", "/usr/lib/udev/rules.d", "/lib/udev/rules.d")
        for name in tree.names(folder, "*urpi*.rules")
    )
    return running and not any("ID_MM_DEVICE_IGNORE" in rule for rule in rules)


def hub(
    tree: Tree, node: Node, open_port: Callable[[], Port], clock: Callable[[], int]
) -> HubFacts:
    """Read the hub's port for a few seconds, unless another process has it open.

    Args:
        tree: the machine's files.
        node: device file of the port.
        open_port: opens the port.
        clock: monotonic time in milliseconds.
    """
    hub = HubFacts(node, users_of(tree, node.path), modem_manager=modem_manager(tree))
    if hub.users or not node.usable:
        return hub
    try:
        with closing(open_port()) as port:
            return read_port(hub, port, clock)
    except PORT_ERRORS as error:
        return replace(hub, error=port_failure(error))


def read_port(hub: HubFacts, port: Port, clock: Callable[[], int]) -> HubFacts:
    """Return the hub with everything received from an open port.

    Raises:
        OSError: if the port disappears.
    """
    reader, began = LineReader(), clock()
    until, requested_again = began + LISTEN_MS, False
    port.write(line_bytes(AskLine()))
    while clock() < until:
        for line in reader.feed(port.read(port.in_waiting or 1)):
            hub = _with_line(hub, line)
        if hub.proto is not None and not requested_again:
            # The boot loader may have swallowed the first request.
            port.write(line_bytes(AskLine()))
            requested_again, until = True, min(until, clock() + AFTER_GREETING_MS)
    return replace(hub, lines=reader.counts.lines, broken=reader.counts.dropped)


def _with_line(hub: HubFacts, line: Line) -> HubFacts:
    if isinstance(line, HubLine):
        return replace(hub, proto=line.proto, firmware=line.firmware, error=line.error or "")
    if isinstance(line, DieLine):
        known = hub.dice.get(line.die, DieFacts())
        die = DieFacts(
            # Not every line of a die carries its battery voltage.
            known.battery_mv if line.battery_mv is None else line.battery_mv,
            line.state == "lost",
            line.error or "",
        )
        return replace(hub, dice={**hub.dice, line.die: die})
    return hub
