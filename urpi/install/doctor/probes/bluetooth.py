"""Bluetooth and the paired dice: the adapters' files, the service, and a short connection."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import Final

from urpi.config import DiceSection
from urpi.hardware import DiceSource
from urpi.hardware.die_settings import INFO, MOUNTS, drive_fault
from urpi.install.doctor.facts import BluetoothFacts, DieFacts
from urpi.install.doctor.probes.hub import servers
from urpi.install.doctor.tree import Tree

CONNECT_MS: Final = 12_000
"""Longest time to connect the paired dice, in milliseconds."""
HEAR_MS: Final = 40_000
"""Longest time to hear a die that advertises: at rest it gives a sign of life every 32 s."""
POLL_S: Final = 0.1
_ADAPTERS: Final = "/sys/class/bluetooth"
_BUILT: Final = "urpi"


def bluetooth(
    tree: Tree,
    settings: DiceSection,
    open_dice: Callable[[], DiceSource],
    clock: Callable[[], int],
    sleep: Callable[[float], None],
) -> BluetoothFacts:
    """Return the state of Bluetooth, and of the paired dice unless `urpi serve` has them.

    Args:
        tree: the machine's files.
        settings: the section [dice] of the configuration.
        open_dice: makes the source of the paired dice.
        clock: monotonic time in milliseconds.
        sleep: waits for a number of seconds.
    """
    # A name with a colon is that of a connection, such as hci0:11.
    adapters = tuple(name for name in tree.names(_ADAPTERS, "hci*") if ":" not in name)
    running = any(
        tree.text(f"/proc/{name}/comm") == "bluetoothd" for name in tree.names("/proc", "[0-9]*")
    )
    brands = {str(die["brand"]) for die in settings.paired.values()}
    found = BluetoothFacts(
        adapters,
        blocked=any(_is_blocked(tree, name) for name in adapters),
        running=running,
        users=servers(tree),
        paired=tuple(sorted(settings.paired)),
        # Whoever has only dice of makers may have such boards for something else.
        drives=_drives(tree) if not brands or _BUILT in brands else {},
    )
    usable = bool(adapters) and running and not found.blocked and not found.users
    if not usable or not settings.paired:
        return found
    with closing(open_dice()) as source:
        until = clock() + (HEAR_MS if _BUILT in brands else CONNECT_MS)
        return _with_dice(found, source, until, clock, sleep)


def _drives(tree: Tree) -> dict[str, str]:
    """Return the mounted drives of boards that cannot be dice, and why."""
    found = {}
    for mounts in MOUNTS:
        for info in tree.root.glob(f"{mounts[1:]}/{INFO}"):
            path = f"/{info.relative_to(tree.root)}"
            fault = drive_fault(tree.text(path))
            if fault is not None:
                found[path.removesuffix(f"/{INFO}")] = fault
    return found


def _is_blocked(tree: Tree, adapter: str) -> bool:
    """Whether an adapter is switched off by rfkill (Documentation/driver-api/rfkill.rst)."""
    return any(
        tree.text(f"{_ADAPTERS}/{adapter}/{switch}/{kind}") == "1"
        for switch in tree.names(f"{_ADAPTERS}/{adapter}", "rfkill*")
        for kind in ("soft", "hard")
    )


def _with_dice(
    found: BluetoothFacts,
    source: DiceSource,
    until: int,
    clock: Callable[[], int],
    sleep: Callable[[float], None],
) -> BluetoothFacts:
    # Only the statuses are read; no game is refereed.
    source.start(lambda _fact: None, lambda _health: None)
    known = source.statuses()
    while clock() < until:
        sleep(POLL_S)
        known = source.statuses()
        ready = [one.error or one.battery_mv or one.battery_percent is not None for one in known]
        if len(ready) == len(found.paired) and all(ready):
            break
    dice = {
        one.die: DieFacts(
            one.battery_mv or None, not one.in_range, one.error, one.battery_percent, one.low
        )
        for one in known
    }
    return replace(found, error=source.health.error, dice=dice)
