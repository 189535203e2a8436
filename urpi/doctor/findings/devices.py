"""What hangs on the machine: the display and the expanders on I2C, the hub and its dice."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from urpi.config import Config
from urpi.devices.hub_link import HubSettings
from urpi.devices.pins import PinMap
from urpi.devices.protocol_constants import VERSION
from urpi.doctor.facts import Bus, Facts, HeardDie, Hub
from urpi.doctor.finding import Finding, broken, poor, right
from urpi.doctor.findings.access import may_not_use
from urpi.doctor.findings.machine import is_pi

OLED_ADDRESSES: Final = (0x3C, 0x3D)
CHIP_ADDRESSES: Final = range(0x20, 0x28)
FAST_HZ: Final = 400_000
_LOW_MV: Final = HubSettings().low_mv
_SCL_AND_SDA: Final = (
    "Look for a short between SDA, SCL and ground, and pull the devices off one by one."
)
_I2C_ON: Final = (
    'Set `driver = "none"` in [oled] where there is no display, or run this on the Pi.',
    "Switch I2C on with `sudo raspi-config nonint do_i2c 0`, and start the Pi again.",
)
_HUB_ERRORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "radio": "Its nRF24L01+ does not answer: check its seven wires and its 3.3 V.",
        "identity": "Its EEPROM was never written: flash it as firmware/ tells.",
    }
)
_DIE_ERRORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "cal": "Teach it its faces with `urpi dice calibrate`.",
        "accel": "Its accelerometer is dead: check its solder.",
    }
)


def buses(facts: Facts, config: Config, pins: PinMap) -> Iterator[Finding]:
    """Every bus that something configured hangs on, and what hangs there."""
    for port, bus in facts.buses.items():
        fault = _bus_fault(port, bus, facts)
        if fault:
            yield fault
            continue
        yield _bus(port, bus)
        if config.oled.driver != "none" and config.oled.i2c_port == port:
            yield _oled(bus, config)
        yield from _expanders(port, bus, config, pins)


def hub(facts: Facts) -> Iterator[Finding]:
    """The dice hub, its dice, and who else is at its port."""
    found = facts.hub
    if found.modem_manager:
        yield poor(
            "hub",
            "ModemManager runs and tries every new serial port, the hub's too",
            "Install the udev rule with `sudo urpi service install`, or `sudo apt remove "
            "modemmanager`.",
        )
    if not found.node.exists:
        yield broken(
            "hub",
            f"{found.node.path} is missing",
            "Plug the hub in, with a cable that carries data. If `ls /dev/ttyUSB* /dev/ttyACM*` "
            "shows it, give that name to [hub] port, or install the udev rule.",
        )
    elif found.users:
        who = ", ".join(map(str, found.users))
        yield right(
            "hub", f"{found.node.path} is in use by process {who}: stop it to have it tried"
        )
    elif not found.node.usable:
        yield may_not_use("hub", found.node, "the dice hub", "dialout", facts.person)
    elif found.proto is None:
        yield _silent(found)
    else:
        yield from _greeted(found)


def _bus_fault(port: int, bus: Bus, facts: Facts) -> Finding | None:
    if not bus.node.exists:
        return broken("i2c", f"/dev/i2c-{port} is missing", _I2C_ON[is_pi(facts.machine)])
    if not bus.node.usable:
        return may_not_use("i2c", bus.node, "the I2C bus", "i2c", facts.person)
    if bus.error:
        return broken("i2c", f"/dev/i2c-{port} hangs: {bus.error}", _SCL_AND_SDA)
    return None


def _bus(port: int, bus: Bus) -> Finding:
    found = ", ".join(f"0x{address:02X}" for address in sorted((*bus.answered, *bus.held)))
    said = f"/dev/i2c-{port}: {found or 'nobody'} answers"
    if bus.speed_hz is not None and bus.speed_hz < FAST_HZ:
        return poor(
            "i2c",
            f"{said}, at {bus.speed_hz // 1000} kHz",
            "Add `dtparam=i2c_arm_baudrate=400000` to /boot/firmware/config.txt: pictures and "
            "switches come four times as fast.",
        )
    return right("i2c", said)


def _oled(bus: Bus, config: Config) -> Finding:
    wanted = config.oled.i2c_address
    there = (*bus.answered, *bus.held)
    if wanted in there:
        return right("oled", f"something answers at 0x{wanted:02X}, where the display is")
    other = [address for address in OLED_ADDRESSES if address in there]
    if other:
        return broken(
            "oled",
            f"nobody answers at 0x{wanted:02X}, but somebody at 0x{other[0]:02X}",
            f"Set `i2c_address = 0x{other[0]:02X}` in [oled].",
        )
    return broken(
        "oled",
        f"the display does not answer at 0x{wanted:02X}",
        "Check its four wires: 3.3 V, ground, SDA on pin 3, SCL on pin 5.",
    )


def _expanders(port: int, bus: Bus, config: Config, pins: PinMap) -> Iterator[Finding]:
    if config.gpio.wiring != "expander" or pins.expander is None or pins.expander.port != port:
        return
    there = (*bus.answered, *bus.held)
    for number, address in enumerate(pins.expander.addresses, 1):
        if address in there:
            yield right("expander", f"something answers at 0x{address:02X}, where chip {number} is")
            continue
        spare = [f"0x{one:02X}" for one in CHIP_ADDRESSES if one in there]
        hint = f" Found at {' and '.join(spare)}." if spare else ""
        yield broken(
            "expander",
            f"the MCP23017 of chip {number} does not answer at 0x{address:02X}",
            "Check its power, SDA, SCL, RESET at 3.3 V, and its address pins A0 to A2." + hint,
        )


def _silent(found: Hub) -> Finding:
    if found.error:
        return broken(
            "hub", f"{found.node.path} cannot be opened: {found.error}", "Pull it and plug it in."
        )
    if found.broken:
        return broken(
            "hub",
            f"{found.node.path} says nothing that can be read ({found.broken} broken lines)",
            "That is another device, or another speed: the hub speaks at 115200 baud.",
        )
    return broken(
        "hub",
        f"{found.node.path} is silent",
        "Flash the hub's firmware, or see that the name is the hub's and not another device's.",
    )


def _greeted(found: Hub) -> Iterator[Finding]:
    said = f"the hub greets: firmware {found.firmware}, protocol {found.proto}"
    if found.proto != VERSION:
        yield broken(
            "hub",
            f"{said}, but this program speaks {VERSION}",
            "Flash the firmware of the same release, or update urpi.",
        )
        return
    if found.error:
        cure = _HUB_ERRORS.get(found.error, "Update urpi, which does not know this fault yet.")
        yield broken("hub", f"{said}, but it reports err={found.error}", cure)
    elif found.broken:
        yield poor(
            "hub",
            f"{said}, but {found.broken} of {found.lines + found.broken} lines came broken",
            "Take another cable, without a hub or an extension between.",
        )
    else:
        yield right("hub", said)
    if not found.dice and not found.error:
        yield poor("dice", "no die was heard", "Shake the dice: they sleep until they are moved.")
    for number, die in sorted(found.dice.items()):
        yield _die(number, die)


def _die(number: int, die: HeardDie) -> Finding:
    charge = "" if die.battery_mv is None else f", battery {die.battery_mv / 1000:.2f} V"
    if die.error:
        cure = _DIE_ERRORS.get(die.error, "Update urpi, which does not know this fault yet.")
        say = broken if die.error == "accel" else poor
        return say("dice", f"die {number} reports err={die.error}{charge}", cure)
    if die.lost:
        return poor("dice", f"die {number} is out of hearing", "Bring it nearer and shake it.")
    if die.battery_mv is not None and die.battery_mv < _LOW_MV:
        return poor("dice", f"die {number} is weak{charge}", "Charge it, or change its cell.")
    return right("dice", f"die {number} is heard{charge}")
