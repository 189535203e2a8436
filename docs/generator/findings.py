"""docs/trouble/findings.md: every finding of `urpi doctor` with its cure.

The doctor diagnoses the machines below, which differ from a good one in a single fault each. A test
fails when a new finding of the doctor has no machine here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from docs.generator import markdown
from urpi.config import (
    Config,
    DiceSection,
    ExpanderSection,
    GpioSection,
    SoundSection,
    SquaresSection,
    TableSection,
)
from urpi.hardware import default_pins
from urpi.hardware.bleak_radio import BUSY, POWERED_OFF
from urpi.hardware.die_settings import BOARD_ID, drive_fault
from urpi.hardware.finding import Finding, Level
from urpi.hardware.outputs.output import Present
from urpi.hardware.outputs.registry import OUTPUTS
from urpi.install.doctor import Result, SquareVerdict, diagnose
from urpi.install.doctor.calibration import Calibration
from urpi.install.doctor.calibration import findings as calibration_faults
from urpi.install.doctor.facts import (
    BluetoothFacts,
    BrokerFacts,
    Bus,
    DieFacts,
    Facts,
    GpioChip,
    HeaderFunctions,
    HubFacts,
    Library,
    Machine,
    Node,
    Person,
    Software,
    Storage,
)
from urpi.install.doctor.findings import devices
from urpi.install.doctor.findings.lights import light_faults
from urpi.install.doctor.findings.squares import pin_texts, squares
from urpi.install.failed_starts import FailedStarts
from urpi.install.running_parts import RunningParts

_GROUPS: Final = frozenset({"gpio", "i2c", "dialout"})
_PARTS: Final = RunningParts(
    1, ("hub hangs (urpi.hardware.hub._run, line 106)",), (("line of the hub", 1),)
)
_CLUB_PARTS: Final = RunningParts(
    1, ("receiver-2 hangs (urpi.club.server.receiver._receive, line 262)",), (("game", 1),)
)
_PI: Final = Person("pi", groups=_GROUPS, listed=_GROUPS, known=_GROUPS)
_ANNA: Final = Person("anna", known=_GROUPS)
_GPIO: Final = Node("/dev/gpiochip0", exists=True, usable=True, group="gpio")
_I2C: Final = Node("/dev/i2c-1", exists=True, usable=True, group="i2c")
_PORT: Final = Node("/dev/urpi-hub", exists=True, usable=True, group="dialout")
_FLOORS: Final = MappingProxyType(
    {"gpiozero": "2.0.1.post3", "lgpio": "0.2.2", "luma.oled": "3.13"}
)
_LIBRARIES: Final = MappingProxyType(
    {
        "gpiozero": Library("2.0.1.post3", True),
        "lgpio": Library("0.2.2.0", True),
        "luma.oled": Library("3.14.0", True),
    }
)
_SOFTWARE: Final = Software("3.11.2", True, True, _LIBRARIES, _FLOORS)
_MACHINE: Final = Machine(
    "Raspberry Pi 4 Model B Rev 1.4",
    "6.12.25+rpt-rpi-v8",
    "Debian GNU/Linux 12 (bookworm)",
    chips=(GpioChip(0, "pinctrl-bcm2711", "brcm,bcm2711-gpio"),),
)
_HUB: Final = HubFacts(_PORT, proto=1, firmware="1.0.0", lines=9, dice={1: DieFacts(3900)})
_DRIVE: Final = "/media/pi/XIAO-SENSE"
_BLUETOOTH: Final = BluetoothFacts(("hci0",), running=True, paired=(2,))
_BUS: Final = Bus(_I2C, answered=(0x3C,), speed_hz=400_000)
_STORAGE: Final = Storage("/var/lib/urpi/journal.db", free_mb=9000, fsync_ms=4.0)
GOOD: Final = Facts(
    _MACHINE, HeaderFunctions(), _SOFTWARE, _PI, _GPIO, {1: _BUS}, _HUB, _STORAGE, 0
)
"""A machine without faults."""

_EXPANDER: Final = Config(gpio=GpioSection(wiring="expander"))
_HALL: Final = Config(squares=SquaresSection(sensor="hall"))
_OLD_GPIO: Final = Config(gpio=GpioSection(factory="rpigpio"))
_BUZZER: Final = Config(
    gpio=GpioSection(wiring="expander"), sound=SoundSection(buzzer=True, speech=True)
)


_RADIO: Final = Config(
    dice=DiceSection(
        source="bluetooth",
        paired={
            2: {
                "address": "C4:00:11:22:33:44",
                "brand": "pixels",
                "faces": 6,
                "owner": "both",
            }
        },
    )
)


def _has(**libraries: Library) -> Software:
    named = {name.replace("_", "-"): library for name, library in libraries.items()}
    return replace(_SOFTWARE, libraries={**_LIBRARIES, **named})


def _rpi(**changed: Any) -> Software:
    rpi = {"rpi.gpio": Library("0.7.1", True)}
    return replace(_SOFTWARE, libraries={**_LIBRARIES, **rpi}, rpi="rpi.gpio", **changed)


_BROKER: Final = BrokerFacts(
    "club.example.org:8883",
    "lisbon-2",
    "/etc/urpi/club-password",
    year=2026,
    tls=True,
    certificate_days=60,
    answered=True,
)
_OLD_BROKER: Final = ("write urpi/tables/+/from/lisbon-2", "write urpi/tables/lisbon-2/free")
_BOTH: Final = replace(_has(rpi_lgpio=Library("0.6", True)), rpi="rpi-lgpio")

MACHINES: Final[tuple[tuple[Mapping[str, Any], Config], ...]] = (
    ({"machine": Machine(kernel="6.1.0-18-amd64", system="Debian GNU/Linux 12")}, Config()),
    ({"machine": replace(_MACHINE, chips=(GpioChip(3, "gpio-brcmstb@107d508500"),))}, Config()),
    ({"gpio": replace(_GPIO, usable=False), "person": _ANNA}, Config()),
    ({"gpio": Node("/dev/gpiochip9")}, Config(gpio=GpioSection(chip=9))),
    ({"gpio": replace(_GPIO, usable=False)}, Config(gpio=GpioSection(chip=0))),
    ({"gpio": replace(_GPIO, usable=False), "person": replace(_ANNA, listed=_GROUPS)}, Config()),
    ({"gpio": Node("/dev/gpiochip4", exists=True, usable=True)}, Config(gpio=GpioSection(chip=4))),
    ({"switched": HeaderFunctions(spi=True)}, Config()),
    ({"switched": HeaderFunctions(one_wire=True)}, Config()),
    ({"switched": HeaderFunctions(serial_console=True)}, Config(gpio=GpioSection(chutes=True))),
    ({}, Config(expander=ExpanderSection(first=0x22))),
    ({"throttled": 0x1}, Config()),
    ({"throttled": 0x8}, Config()),
    ({"throttled": 0x10000}, Config()),
    ({"throttled": 0x80000}, Config()),
    ({"failed_starts": FailedStarts(5, "There is no rule set 'chess'.")}, Config()),
    ({"parts": _PARTS}, Config()),
    ({"club_parts": _CLUB_PARTS}, Config()),
    ({"software": replace(_SOFTWARE, system_site=False, libraries={})}, Config()),
    ({"software": _has(lgpio=Library("0.0.0.2", False))}, Config()),
    ({"software": _has(smbus2=Library("0.4.3", False))}, Config()),
    ({"software": _has(gpiozero=Library("2.0.1", True))}, Config()),
    ({}, _OLD_GPIO),
    ({"software": replace(_BOTH, libraries={**_BOTH.libraries, **_rpi().libraries})}, Config()),
    (
        {"software": replace(_BOTH, libraries={**_BOTH.libraries, **_rpi().libraries})},
        _OLD_GPIO,
    ),
    (
        {
            "machine": replace(_MACHINE, model="Raspberry Pi 5 Model B Rev 1.0"),
            "software": _rpi(),
        },
        _OLD_GPIO,
    ),
    ({"software": _rpi()}, _OLD_GPIO),
    ({}, _EXPANDER),
    ({"buses": {1: replace(_BUS, answered=(0x20, 0x23, 0x3C))}}, _BUZZER),
    ({"buses": {1: Bus(Node("/dev/i2c-1"))}}, Config()),
    (
        {
            "buses": {1: Bus(Node("/dev/i2c-1"))},
            "machine": Machine(kernel="6.1.0-18-amd64", chips=_MACHINE.chips),
        },
        Config(),
    ),
    ({"buses": {1: Bus(replace(_I2C, usable=False))}, "person": _ANNA}, Config()),
    ({"buses": {1: Bus(replace(_I2C, usable=False, group="bus"))}}, Config()),
    ({"buses": {1: Bus(_I2C, error="[Errno 110] Connection timed out")}}, Config()),
    ({"buses": {1: replace(_BUS, speed_hz=100_000)}}, Config()),
    ({"hub": replace(_HUB, modem_manager=True)}, Config()),
    ({"hub": replace(_HUB, node=Node("/dev/urpi-hub"))}, Config()),
    ({"hub": replace(_HUB, node=replace(_PORT, usable=False)), "person": _ANNA}, Config()),
    ({"hub": replace(_HUB, proto=None, error="Input/output error")}, Config()),
    ({"hub": replace(_HUB, proto=None, broken=4)}, Config()),
    ({"hub": replace(_HUB, proto=None)}, Config()),
    ({"hub": replace(_HUB, proto=2)}, Config()),
    ({"hub": replace(_HUB, error="radio")}, Config()),
    ({"hub": replace(_HUB, error="identity")}, Config()),
    ({"hub": replace(_HUB, error="forged")}, Config()),
    ({"hub": replace(_HUB, error="moon")}, Config()),
    ({"hub": replace(_HUB, broken=3)}, Config()),
    ({"hub": replace(_HUB, dice={})}, Config()),
    ({"hub": replace(_HUB, dice={2: DieFacts(3900, error="cal")})}, Config()),
    ({"hub": replace(_HUB, dice={2: DieFacts(3900, error="accel")})}, Config()),
    ({"hub": replace(_HUB, dice={2: DieFacts(3900, error="wakes")})}, Config()),
    ({"hub": replace(_HUB, dice={2: DieFacts(3900, error="twin")})}, Config()),
    ({"hub": replace(_HUB, dice={2: DieFacts(3900, error="nokey")})}, Config()),
    ({"hub": replace(_HUB, dice={2: DieFacts(3900, error="moon")})}, Config()),
    ({"hub": replace(_HUB, dice={2: DieFacts(lost=True)})}, Config()),
    ({"hub": replace(_HUB, dice={2: DieFacts(3200)})}, Config()),
    ({"software": replace(_SOFTWARE, packaged=True, libraries={})}, Config()),
    ({"software": _has(bleak=Library("3.1.0", True)), "bluetooth": _BLUETOOTH}, Config()),
    ({"bluetooth": BluetoothFacts()}, _RADIO),
    ({"bluetooth": _BLUETOOTH}, replace(_RADIO, dice=replace(_RADIO.dice, adapter="hci1"))),
    ({"bluetooth": replace(_BLUETOOTH, blocked=True)}, _RADIO),
    ({"bluetooth": replace(_BLUETOOTH, running=False)}, _RADIO),
    *(({"bluetooth": replace(_BLUETOOTH, error=error)}, _RADIO) for error in (POWERED_OFF, BUSY)),
    *(
        ({"bluetooth": replace(_BLUETOOTH, drives={_DRIVE: str(drive_fault(info))})}, _RADIO)
        for info in ("Board-ID: RPI-RP2", f"Board-ID: {BOARD_ID}\nSoftDevice: S140 version 6.1.1")
    ),
    ({"bluetooth": replace(_BLUETOOTH, dice={2: DieFacts(lost=True)})}, _RADIO),
    (
        {"bluetooth": replace(_BLUETOOTH, dice={2: DieFacts(battery_percent=5, low=True)})},
        _RADIO,
    ),
    *(
        ({"bluetooth": replace(_BLUETOOTH, dice={2: DieFacts(3900, error=error)})}, _RADIO)
        for error in ("nokey", "twin", "cal", "accel", "wakes")
    ),
    ({"bluetooth": _BLUETOOTH}, replace(_RADIO, dice=DiceSection(source="bluetooth"))),
    ({"bluetooth": _BLUETOOTH}, replace(_RADIO, table=TableSection(rules="freecompany"))),
    ({"storage": replace(_STORAGE, error="Permission denied", owner="urpi")}, Config()),
    ({"storage": replace(_STORAGE, error="Permission denied")}, Config()),
    ({"storage": Storage("/srv/journal.db", "Permission denied")}, Config()),
    (
        {
            "machine": Machine(kernel="6.1.0-18-amd64", system="Debian GNU/Linux 12"),
            "storage": Storage("/var/lib/urpi/journal.db", "Permission denied"),
        },
        Config(),
    ),
    ({"storage": replace(_STORAGE, free_mb=12)}, Config()),
    ({"storage": replace(_STORAGE, free_mb=150)}, Config()),
    ({"storage": replace(_STORAGE, fsync_ms=240.0)}, Config()),
    ({"broker": replace(_BROKER, year=1970)}, Config()),
    ({"broker": replace(_BROKER, settings="The section [club] lacks table")}, Config()),
    ({"broker": replace(_BROKER, unresolved="Name or service not known")}, Config()),
    ({"broker": replace(_BROKER, unreachable="Connection refused")}, Config()),
    ({"broker": replace(_BROKER, untrusted="self-signed certificate")}, Config()),
    ({"broker": replace(_BROKER, refused="Not authorized")}, Config()),
    ({"broker": replace(_BROKER, forbidden="urpi/tables/lisbon-2/lines")}, Config()),
    ({"broker": replace(_BROKER, lacking=_OLD_BROKER)}, Config()),
    ({"broker": replace(_BROKER, certificate_days=9)}, Config()),
)
"""Fields that differ from `GOOD`, and the configuration."""

RESULTS: Final = (
    Result("A1", SquareVerdict.OTHER, ("A2",)),
    Result("A2", SquareVerdict.OTHER, ("A1",)),
    Result("A3", SquareVerdict.SILENT),
    Result("A4", SquareVerdict.OTHER, ("B4",)),
    Result("B1", SquareVerdict.SEVERAL, ("B1", "B2")),
    Result("B2", SquareVerdict.STUCK),
    Result("B3", SquareVerdict.FLICKERS),
    Result("B5", SquareVerdict.WEAK, ("B5",), 14, 260),
)
"""A result of the square test for each fault."""

ANSWERS: Final = ((("A1", "A2", "A3", "A4"), True), (("A2", "A4"), False))
"""Answers about the lights for each fault: the squares that stay dark, and whether some flash."""


def _calibration(**found: object) -> Calibration:
    calibration = Calibration(4096, 0)
    for name, value in found.items():
        setattr(calibration, name, value)
    return calibration


CALIBRATIONS: Final = (
    (
        _calibration(done=True, empty=(2048,) * 20, pieces={0: 100}, faults={1: 2, 3: None}),
        (4,),
    ),
    (_calibration(done=True), ()),
)
"""Calibrations of Hall sensors for each fault, and the dead ones."""

_INTRODUCTION: Final = """\
Every fault that [`urpi doctor`](doctor.md) reports, and its cure. Names, numbers and versions are
examples. **poor**: it works, but badly or not for long. **BAD**: something that the configuration
requires does not work."""
_HEADS: Final = {
    "machine": "The machine",
    "pins": "The header's pins",
    "wiring": "The configured wiring",
    "power": "Power and heat",
    "python": "Python",
    "libraries": "Libraries",
    "i2c": "The I2C bus",
    "oled": "The display",
    "expander": "The expanders",
    "hall": "The Hall sensors, with `--squares` too",
    "hub": "The dice hub",
    "bluetooth": "Bluetooth",
    "dice": "The dice",
    "service": "The service",
    "journal": "The journal",
    "sound": "Sound",
    "club": "The club",
    "squares": "The square test (`--squares`)",
    "lights": "The LED chain, with `--lights` too",
}
_MARKS: Final = {Level.POOR: "poor", Level.BROKEN: "**BAD**"}


def page() -> str:
    """Return the content of docs/trouble/findings.md."""
    found = list(dict.fromkeys(every_finding()))
    areas = dict.fromkeys((*_HEADS, *(finding.area for finding in found)))
    return markdown.page(
        "Findings and cures",
        "docs/generator/findings.py",
        _INTRODUCTION,
        *(block for area in areas for block in _area(area, found)),
    )


def machine_with(present: Present) -> Facts:
    """Return the good machine, with this in place of what outputs find on it."""
    buses = {port: replace(_BUS, answered=found) for port, found in present.addresses.items()}
    return replace(GOOD, buses=buses, programs=present.programs, files=present.files)


def every_finding() -> Iterator[Finding]:
    """Yield the faults that the doctor finds on each of the machines."""
    return (each for each in _examined() if each.level is not Level.RIGHT)


def _examined() -> Iterator[Finding]:
    pins = default_pins()
    for changed, config in MACHINES:
        yield from diagnose(replace(GOOD, **changed), config, pins)
    for output in OUTPUTS:
        for config, present in output.examples():
            yield from diagnose(machine_with(present), config, pins)
    yield from devices.buses(GOOD, _HALL, pins)
    yield from squares(RESULTS, pin_texts(Config(), pins))
    chain = ("A1", "A2", "A3", "A4")
    for dark, flash in ANSWERS:
        yield from light_faults(chain, dark, flash=flash)
    for calibration, dead in CALIBRATIONS:
        yield from calibration_faults(calibration, dead)


def _area(area: str, found: list[Finding]) -> Iterator[str]:
    rows = [(_MARKS[one.level], one.found, one.cure) for one in found if one.area == area]
    titles = {output.name: output.title for output in OUTPUTS}
    yield f"## {(titles | _HEADS)[area]}"
    yield markdown.table(["", "finding", "cure"], rows)
