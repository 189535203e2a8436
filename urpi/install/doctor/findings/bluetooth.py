"""Bluetooth: its adapter and service, the paired dice, and whether they suit the rules."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from urpi.config import Config
from urpi.hardware.die_faces import use_of
from urpi.hardware.finding import Finding, broken, poor, right
from urpi.install.doctor.facts import BluetoothFacts, DieFacts
from urpi.rules import parse_rules

_AREA: Final = "bluetooth"
_ERRORS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "nokey": (
            "has no settings, or others than this table",
            "Run `urpi dice pair`; if it leaves this die out, remove it from [dice.paired] first.",
        ),
        "twin": (
            "is there twice: another die has its settings",
            "Switch one of them off, remove the die from [dice.paired], and run `urpi dice pair`.",
        ),
        "cal": (
            "is not calibrated",
            "Run `urpi dice calibrate` with its number.",
        ),
        "accel": (
            "has a broken accelerometer, or a board without one",
            "Press its button once; else replace its board by a XIAO nRF52840 Sense.",
        ),
        "wakes": (
            "wakes without motion, which drains its cell",
            "Put the dice on a table that does not tremble.",
        ),
    }
)
"""What dice that advertise report about themselves."""


def bluetooth(found: BluetoothFacts, config: Config) -> Iterator[Finding]:
    """Yield the state of Bluetooth and of the paired dice."""
    fault = _fault(found, config.dice.adapter)
    if fault is not None:
        yield fault
    elif found.users:
        users = ", ".join(map(str, found.users))
        yield right(
            _AREA, f"{', '.join(found.adapters)} is in use by process {users}: stop it to test it"
        )
    elif found.error:
        # The message is the fault, and the remedy after a semicolon.
        what, _, cure = found.error.partition("; ")
        yield broken(_AREA, what, f"{cure[:1].upper()}{cure[1:]}." if cure else "Try again.")
    else:
        yield right(_AREA, f"{', '.join(found.adapters)} is ready")
        for number, die in sorted(found.dice.items()):
            yield _die(number, die)
    for drive, text in sorted(found.drives.items()):
        what, _, cure = text.partition("; ")
        yield poor("dice", f"{drive} {what}", f"{cure[:1].upper()}{cure[1:]}.")
    yield from _suitability(config)


def _fault(found: BluetoothFacts, adapter: str | None) -> Finding | None:
    if not found.adapters:
        return broken(
            _AREA,
            "there is no Bluetooth adapter",
            "Plug one in, or remove `dtoverlay=disable-bt` from /boot/firmware/config.txt.",
        )
    if adapter is not None and adapter not in found.adapters:
        return broken(
            _AREA,
            f"the adapter {adapter} is missing",
            f"Set `adapter` in [dice] to {found.adapters[0]}, or remove it.",
        )
    if found.blocked:
        return broken(_AREA, "the adapter is blocked", "Run `sudo rfkill unblock bluetooth`.")
    if not found.running:
        return broken(
            _AREA,
            "bluetoothd is not running",
            "Run `sudo apt install bluez` and `sudo systemctl enable --now bluetooth`.",
        )
    return None


def _die(number: int, die: DieFacts) -> Finding:
    charge = "" if die.battery_percent is None else f", battery {die.battery_percent} %"
    if die.battery_mv is not None:
        charge = f", cell {die.battery_mv / 1000:.2f} V"
    if die.error in _ERRORS and not die.low:
        what, cure = _ERRORS[die.error]
        return poor("dice", f"die {number} {what}{charge}", cure)
    if die.lost:
        return poor(
            "dice",
            f"die {number} was not found",
            "Shake it to wake it, bring it closer, and close the app of its maker.",
        )
    if die.low:
        return poor("dice", f"die {number} is low{charge}", "Charge it.")
    return right("dice", f"die {number} is connected{charge}")


def _suitability(config: Config) -> Iterator[Finding]:
    """Yield whether the paired dice are enough for the configured rules."""
    paired = config.dice.paired
    if not paired:
        yield poor("dice", "no dice with Bluetooth are paired", "Run `urpi dice pair`.")
        return
    if config.dice.source == "both":
        return
    dice = parse_rules(config.table.rules, config.table.options).dice
    uses = {number: use_of(int(die["faces"]), dice) for number, die in paired.items()}
    unsuitable = [str(number) for number, use in sorted(uses.items()) if use == "none"]
    if unsuitable:
        yield poor(
            "dice",
            f"{config.table.rules} is not played with the body of die {', '.join(unsuitable)}",
            f"Use {dice.count} {dice.body}, other rules, or enter the throws by hand.",
        )
    shared = [number for number in range(1, dice.count + 1) if number not in paired]
    owners = [die.get("owner") for die in paired.values()]
    own = min(owners.count("light"), owners.count("dark")) >= dice.count
    if shared and not own:
        yield poor(
            "dice",
            f"{config.table.rules} is played with dice 1 to {dice.count}, but "
            f"{', '.join(map(str, shared))} is not paired",
            "Run `urpi dice pair`, or enter the throws by hand.",
        )
