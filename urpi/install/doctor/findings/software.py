"""Python and its libraries: missing, empty, outdated or duplicate ones."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from urpi.config import Config
from urpi.hardware.finding import Finding, broken, poor, right
from urpi.hardware.outputs.registry import OUTPUTS, used_outputs
from urpi.install.doctor.facts import Facts, Software
from urpi.install.running_parts import RunningParts

_FAULT_CURE: Final = (
    "The program starts it again by itself. If it does not recover, correct what else is reported"
    " here; `journalctl --unit {unit} --lines 100` has every failure."
)
_SET_ASIDE_CURE: Final = (
    "Everything else goes on. `journalctl --unit {unit}` names the error; please report it."
)
_START_CURE: Final = (
    "Correct that; then run `sudo systemctl restart urpi`. If the journal is the reason, set it"
    " aside as it is, and a new one is begun: `sudo systemctl stop urpi; sudo -u urpi urpi --config"
    " /etc/urpi/config.toml games set-aside; sudo systemctl start urpi`."
)

_NO_EDGES_FROM: Final = (6, 6)
"""First kernel from which RPi.GPIO receives no edges: it needs the old sysfs GPIO interface."""
_SYSTEM_SITE: Final = (
    "Recreate the environment with `python3 -m venv --system-site-packages`, after `sudo apt "
    "install python3-lgpio python3-pil`."
)
_CURES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "lgpio": "Run `sudo apt install python3-lgpio`, in an environment made with "
        "--system-site-packages; or `pip install 'urpi[pi]'`.",
        "rpi.gpio": "Run `pip install 'urpi[pi-legacy]'`, or set `factory = \"lgpio\"` in [gpio].",
        "smbus2": "Run `pip install 'urpi[expander]'`.",
        "bleak": "Run `pip install 'urpi[bluetooth]'`.",
        **{one.library: f"Run `pip install 'urpi[{one.extra}]'`." for one in OUTPUTS if one.extra},
    }
)
_PACKAGED_CURES: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{
            name: f"Run `sudo apt install --reinstall {package}`."
            for name, package in (
                ("lgpio", "python3-lgpio"),
                ("rpi-lgpio", "python3-rpi-lgpio"),
                ("smbus2", "python3-smbus2"),
                ("pillow", "python3-pil"),
                ("pyserial", "python3-serial"),
                *((one.library, one.debian) for one in OUTPUTS if one.debian),
            )
        },
        "rpi.gpio": 'Run `sudo apt install python3-rpi.gpio`, or set `factory = "lgpio"` in '
        "[gpio].",
    }
)
"""Cures for the Debian package, which contains the other libraries itself."""
_REINSTALL: Final = (
    "Install urpi's Debian package again: `sudo apt install --reinstall ./urpi_VERSION_all.deb`."
)


def version_key(version: str) -> tuple[int, ...]:
    """The numbers of a version, for comparison.

    >>> version_key("2.0.1") < version_key("2.0.1.post3")
    True
    """
    return tuple(int(number) for number in re.findall(r"\d+", version))


def software(facts: Facts, config: Config) -> Iterator[Finding]:
    """Yield the state of Python and of every library that is installed or required."""
    yield _python(facts.software, config)
    yield from _libraries(facts.software, config)
    yield from _rpi(facts, config)


def _required(config: Config) -> set[str]:
    factories = {"lgpio": {"lgpio"}, "rpigpio": {"rpi.gpio"}}
    on_i2c = config.gpio.wiring == "expander" or config.squares.sensor == "hall"
    expander = {"smbus2"} if on_i2c else set()
    bluetooth = {"bleak"} if config.dice.source in {"bluetooth", "both"} else set()
    shown = {output.library for output in used_outputs(config) if output.library}
    return {"gpiozero"} | factories.get(config.gpio.factory, set()) | expander | bluetooth | shown


def _python(software: Software, config: Config) -> Finding:
    where = "no virtual environment"
    if software.venv:
        including = "with" if software.system_site else "without"
        where = f"in a virtual environment {including} the system's packages"
    state = f"Python {software.python}, {where}"
    isolated = software.venv and not software.system_site and "lgpio" not in software.libraries
    if isolated and config.gpio.factory == "lgpio":
        return poor("python", f"{state}, which hides the system's lgpio", _SYSTEM_SITE)
    return right("python", state)


def _libraries(software: Software, config: Config) -> Iterator[Finding]:
    required = _required(config)
    for name in sorted(required | set(software.libraries)):
        library = software.libraries.get(name)
        floor = software.floors.get(name, "")
        newer = f"Run `pip install --upgrade '{name}>={floor}'`."
        cure = _CURES.get(name, newer)
        if software.packaged:
            newer = cure = _PACKAGED_CURES.get(name, _REINSTALL)
        if name == "rpi.gpio" and software.rpi:
            continue  # rpi-lgpio provides the same module; `_rpi` reports which one it is
        if library is None:
            yield broken("libraries", f"{name} is missing", cure)
        elif not library.importable:
            report = broken if name in required else poor
            found = f"{name} {library.version} is installed but empty: its module is missing"
            yield report("libraries", found, cure)
        elif floor and version_key(library.version) < version_key(floor):
            yield poor(
                "libraries",
                f"{name} {library.version} is older than {floor}",
                newer,
            )
        else:
            yield right("libraries", f"{name} {library.version}")


def _rpi(facts: Facts, config: Config) -> Iterator[Finding]:
    """Yield which distribution provides RPi.GPIO.

    If both that do are installed, it is the one that was installed later.
    """
    software, used = facts.software, config.gpio.factory == "rpigpio"
    providers = [name for name in ("rpi.gpio", "rpi-lgpio") if name in software.libraries]
    if len(providers) > 1:
        report = broken if used else poor
        yield report(
            "libraries",
            f"RPi.GPIO and rpi-lgpio are both installed; {software.rpi} provides `RPi.GPIO`",
            "Keep one: `pip uninstall RPi.GPIO rpi-lgpio`, then install the one you need; for "
            "Debian's, `sudo apt remove python3-rpi.gpio` or `python3-rpi-lgpio`.",
        )
    elif software.rpi:
        yield right("libraries", f"{software.rpi} provides RPi.GPIO")
    if used and software.rpi == "rpi.gpio":
        yield from _old_rpi(facts)


def _old_rpi(facts: Facts) -> Iterator[Finding]:
    cure = 'Set `factory = "lgpio"` in [gpio].'
    if facts.machine.model.startswith("Raspberry Pi 5"):
        yield broken("libraries", "RPi.GPIO does not support the pins of a Pi 5", cure)
    elif version_key(facts.machine.kernel)[:2] >= _NO_EDGES_FROM:
        yield broken(
            "libraries", f"RPi.GPIO receives no edges from kernel {facts.machine.kernel}", cure
        )


def starts(facts: Facts) -> Iterator[Finding]:
    """Yield why the service does not start, if it has failed to several times."""
    failed = facts.failed_starts
    if failed.must_wait:
        found = f"{failed.count} starts in a row have failed: {failed.reason.removesuffix('.')}"
        yield broken("service", found, _START_CURE)


def parts(facts: Facts) -> Iterator[Finding]:
    """Yield which parts of the running service fail or hang, and what it has set aside."""
    yield from _parts(facts.parts, "service", "urpi", "running, but ")
    yield from _parts(facts.club_parts, "club", "urpi-club", "`urpi club serve` runs, but ")


def _parts(parts: RunningParts, area: str, unit: str, but: str) -> Iterator[Finding]:
    for fault in parts.faults:
        yield broken(area, f"{but}{fault.removesuffix('.')}", _FAULT_CURE.format(unit=unit))
    for kind, count in parts.set_aside:
        found = f"set aside after errors of the program, until the next start: {count} x {kind}"
        yield poor(area, found, _SET_ASIDE_CURE.format(unit=unit))
