"""The connected devices: expanders and outputs, the dice hub and its dice."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from urpi.config import Config
from urpi.hardware.finding import Finding, broken, poor, right
from urpi.hardware.hub_link import HubSettings
from urpi.hardware.outputs.output import Present
from urpi.hardware.outputs.registry import used_outputs
from urpi.hardware.pins import PinMap
from urpi.hardware.protocol_constants import VERSION
from urpi.install.doctor.facts import Bus, DieFacts, Facts, HubFacts
from urpi.install.doctor.findings.machine import is_pi, no_access

# 0100 and the three address pins (data sheet of the MCP23017, DS20001952).
CHIP_ADDRESSES: Final = range(0x20, 0x28)
# Fast mode of I2C, the fastest that both the display and the expanders are specified for.
FAST_HZ: Final = 400_000
_LOW_MV: Final = HubSettings().low_mv
_SCL_AND_SDA: Final = (
    "Look for a short between SDA, SCL and ground, and disconnect the devices one by one."
)
_ENABLE_I2C: Final = (
    'Set `driver = "none"` in [oled] if there is no display, or run this on the Pi.',
    "Enable I2C with `sudo raspi-config nonint do_i2c 0`, and restart the Pi.",
)
"""Cure for a missing bus: on another machine, and on a Pi."""
_HUB_ERRORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "radio": "Its nRF24L01+ does not respond: check its seven wires and its 3.3 V.",
        "identity": "Its EEPROM was never written: flash it as firmware/README.md describes.",
        "forged": "It rejected reports without its key's signature, or sent a second time. If one "
        "of your dice is missing, flash it and the hub with the same KEY, and with a number of its "
        "own; if its chip was exchanged, use `urpi dice forget`. Otherwise someone nearby tries to "
        "forge throws.",
    }
)
_DIE_ERRORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "cal": "Calibrate its faces with `urpi dice calibrate`.",
        "accel": "Its accelerometer does not respond: check its solder joints.",
        "twin": "Two dice were flashed with this number: flash one of them with another one, "
        "`make -C firmware flash-die ID=...`. A die of another board needs another SET.",
        "nokey": "Its throws could be forged: flash it with the hub's KEY, `make -C firmware "
        "flash-die ID=... KEY=...`.",
        "wakes": "Its sensor wakes it without motion, which drains the battery: put the dice on a "
        "table that does not tremble; if that does not help, check the wire of INT1.",
    }
)


def buses(facts: Facts, config: Config, pins: PinMap) -> Iterator[Finding]:
    """Yield the state of every bus in use and of the devices on it."""
    for port, bus in facts.buses.items():
        fault = _bus_fault(port, bus, facts)
        if fault:
            yield fault
            continue
        yield _bus(port, bus)
        yield from _expanders(port, bus, config, pins)
        yield from _converters(port, bus, config, pins)
    if config.squares.sensor == "hall" and not (config.squares.empty and config.squares.piece):
        yield broken(
            "hall",
            "the Hall sensors are not calibrated",
            "Run `urpi doctor --squares` with a piece of each side: it takes about a minute.",
        )


def outputs(facts: Facts, config: Config) -> Iterator[Finding]:
    """Yield what the outputs in use find about their devices."""
    usable = {port: bus for port, bus in facts.buses.items() if not _bus_fault(port, bus, facts)}
    addresses = {port: (*bus.answered, *bus.held) for port, bus in usable.items()}
    present = Present(addresses, facts.programs, facts.files)
    for output in used_outputs(config):
        yield from output.findings(config, present)


def hub(facts: Facts) -> Iterator[Finding]:
    """Yield the state of the dice hub and its dice, and of other programs that use its port."""
    found = facts.hub
    if found.modem_manager:
        yield poor(
            "hub",
            "ModemManager is running and probes every new serial port, the hub's included",
            "Install the udev rule with `sudo urpi service install`, or `sudo apt remove "
            "modemmanager`.",
        )
    if not found.node.exists:
        yield broken(
            "hub",
            f"{found.node.path} is missing",
            "Plug in the hub with a data cable. If `ls /dev/ttyUSB* /dev/ttyACM*` shows it, set "
            "[hub] port to that name, or install the udev rule.",
        )
    elif found.users:
        users = ", ".join(map(str, found.users))
        yield right(
            "hub", f"{found.node.path} is in use by process {users}: stop it to test the hub"
        )
    elif not found.node.usable:
        yield no_access("hub", found.node, "the dice hub", "dialout", facts.person)
    elif found.proto is None:
        yield _silent(found)
    else:
        yield from _greeted(found)


def _bus_fault(port: int, bus: Bus, facts: Facts) -> Finding | None:
    if not bus.node.exists:
        return broken("i2c", f"/dev/i2c-{port} is missing", _ENABLE_I2C[is_pi(facts.machine)])
    if not bus.node.usable:
        return no_access("i2c", bus.node, "the I2C bus", "i2c", facts.person)
    if bus.error:
        return broken("i2c", f"/dev/i2c-{port} hangs: {bus.error}", _SCL_AND_SDA)
    return None


def _bus(port: int, bus: Bus) -> Finding:
    found = ", ".join(f"0x{address:02X}" for address in sorted((*bus.answered, *bus.held)))
    state = f"/dev/i2c-{port}: {found or 'no device'} answers"
    if bus.speed_hz is not None and bus.speed_hz < FAST_HZ:
        return poor(
            "i2c",
            f"{state}, at {bus.speed_hz // 1000} kHz",
            "Add `dtparam=i2c_arm_baudrate=400000` to /boot/firmware/config.txt: the display and "
            "the switches become up to four times as fast.",
        )
    return right("i2c", state)


def _expanders(port: int, bus: Bus, config: Config, pins: PinMap) -> Iterator[Finding]:
    if config.gpio.wiring != "expander" or pins.expander is None or pins.expander.port != port:
        return
    present = (*bus.answered, *bus.held)
    for number, address in enumerate(pins.expander.addresses, 1):
        if address in present:
            found = f"a device answers at the address 0x{address:02X} of chip {number}"
            yield right("expander", found)
            continue
        # A wrong address jumper is the likely fault: another address then answers.
        spare = [f"0x{one:02X}" for one in CHIP_ADDRESSES if one in present]
        hint = f" Found at {' and '.join(spare)}." if spare else ""
        yield broken(
            "expander",
            f"the MCP23017 of chip {number} does not respond at 0x{address:02X}",
            "Check its power, SDA, SCL, RESET at 3.3 V, and its address pins A0 to A2." + hint,
        )


def _converters(port: int, bus: Bus, config: Config, pins: PinMap) -> Iterator[Finding]:
    if config.squares.sensor != "hall" or config.squares.i2c_port != port:
        return
    present, name = (*bus.answered, *bus.held), config.squares.converter.upper()
    for number, address in enumerate(pins.converters.addresses, 1):
        if address in present:
            yield right(
                "hall", f"a device answers at the address 0x{address:02X} of {name} {number}"
            )
        else:
            yield broken(
                "hall",
                f"{name} {number} does not respond at 0x{address:02X}",
                "Check its power, SDA, SCL, and its address pins A0 and A1.",
            )


def _silent(found: HubFacts) -> Finding:
    if found.error:
        return broken(
            "hub", f"{found.node.path} cannot be opened: {found.error}", "Unplug it and plug it in."
        )
    if found.broken:
        return broken(
            "hub",
            f"{found.node.path} sends nothing readable ({found.broken} broken lines)",
            "It is another device, or `baud` in [hub] is not the 115200 of the firmware.",
        )
    return broken(
        "hub",
        f"{found.node.path} sends nothing",
        "Flash the hub's firmware, or check that this is the hub's port.",
    )


def _greeted(found: HubFacts) -> Iterator[Finding]:
    state = f"the hub is ready: firmware {found.firmware}, protocol {found.proto}"
    if found.proto != VERSION:
        yield broken(
            "hub",
            f"{state}, but this program uses protocol {VERSION}",
            "Flash the firmware of the same release, or update urpi.",
        )
        return
    if found.error:
        cure = _HUB_ERRORS.get(found.error, "Update urpi: this version does not know the fault.")
        # The forged reports were rejected, so that the game goes on.
        report = poor if found.error == "forged" else broken
        yield report("hub", f"{state}, but it reports err={found.error}", cure)
    elif found.broken:
        yield poor(
            "hub",
            f"{state}, but {found.broken} of {found.lines + found.broken} lines are broken",
            "Use another cable, without a USB hub or an extension.",
        )
    else:
        yield right("hub", state)
    if not found.dice and not found.error:
        yield poor("dice", "no die reported", "Shake the dice: they sleep until they are moved.")
    for number, die in sorted(found.dice.items()):
        yield _die(number, die)


def _die(number: int, die: DieFacts) -> Finding:
    charge = "" if die.battery_mv is None else f", battery {die.battery_mv / 1000:.2f} V"
    if die.error:
        cure = _DIE_ERRORS.get(die.error, "Update urpi: this version does not know the fault.")
        report = broken if die.error == "accel" else poor
        return report("dice", f"die {number} reports err={die.error}{charge}", cure)
    if die.lost:
        return poor("dice", f"die {number} is out of range", "Bring it closer and shake it.")
    if die.battery_mv is not None and die.battery_mv < _LOW_MV:
        return poor("dice", f"die {number} is low{charge}", "Charge it, or replace its cell.")
    return right("dice", f"die {number} is connected{charge}")
