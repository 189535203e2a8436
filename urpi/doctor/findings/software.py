"""Python and its libraries: what is missing, too old, or there twice."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from urpi.config import Config
from urpi.doctor.facts import Facts, Software
from urpi.doctor.finding import Finding, broken, poor, right

_NO_EDGES_FROM: Final = (6, 6)
"""Kernels from here on give RPi.GPIO no edges: the old interface is gone."""
_SYSTEM_SITE: Final = (
    "Make the environment anew with `python3 -m venv --system-site-packages`, after `sudo apt "
    "install python3-lgpio python3-pil`."
)
_CURES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "lgpio": "Run `sudo apt install python3-lgpio`, in an environment made with "
        "--system-site-packages; or `pip install 'urpi[pi]'`.",
        "rpi.gpio": "Run `pip install 'urpi[pi-legacy]'`, or set `factory = \"lgpio\"` in [gpio].",
        "smbus2": "Run `pip install 'urpi[expander]'`.",
    }
)


def version_key(version: str) -> tuple[int, ...]:
    """A version's numbers, to be compared.

    >>> version_key("2.0.1") < version_key("2.0.1.post3")
    True
    """
    return tuple(int(number) for number in re.findall(r"\d+", version))


def software(facts: Facts, config: Config) -> Iterator[Finding]:
    """Python, and every library that is there or should be."""
    has = facts.software
    yield _python(has, config)
    yield from _libraries(has, config)
    yield from _rpi(facts, config)


def _needed(config: Config) -> set[str]:
    factories = {"lgpio": {"lgpio"}, "rpigpio": {"rpi.gpio"}}
    expander = {"smbus2"} if config.gpio.wiring == "expander" else set()
    return {"gpiozero"} | factories.get(config.gpio.factory, set()) | expander


def _python(has: Software, config: Config) -> Finding:
    where = "no virtual environment"
    if has.venv:
        where = f"in a virtual environment {'with' if has.system_site else 'without'} the system's"
        where += " packages"
    said = f"Python {has.python}, {where}"
    blind = has.venv and not has.system_site and "lgpio" not in has.libraries
    if blind and config.gpio.factory == "lgpio":
        return poor("python", f"{said}, so that the system's lgpio is not seen", _SYSTEM_SITE)
    return right("python", said)


def _libraries(has: Software, config: Config) -> Iterator[Finding]:
    needed = _needed(config)
    for name in sorted(needed | set(has.libraries)):
        there = has.libraries.get(name)
        floor = has.floors.get(name, "")
        cure = _CURES.get(name, f"Run `pip install --upgrade '{name}>={floor}'`.")
        if name == "rpi.gpio" and has.rpi:
            continue  # the shim serves as well; `_rpi` says which it is
        if there is None:
            yield broken("libraries", f"{name} is missing", cure)
        elif not there.importable:
            said = f"{name} {there.version} is installed but empty: its module is not there"
            yield (
                broken("libraries", said, cure) if name in needed else poor("libraries", said, cure)
            )
        elif floor and version_key(there.version) < version_key(floor):
            yield poor(
                "libraries",
                f"{name} {there.version} is older than {floor}",
                f"Run `pip install --upgrade '{name}>={floor}'`.",
            )
        else:
            yield right("libraries", f"{name} {there.version}")


def _rpi(facts: Facts, config: Config) -> Iterator[Finding]:
    """RPi.GPIO comes from two distributions, and from the later installed one when from both."""
    has, used = facts.software, config.gpio.factory == "rpigpio"
    providers = [name for name in ("rpi.gpio", "rpi-lgpio") if name in has.libraries]
    if len(providers) > 1:
        say = broken if used else poor
        yield say(
            "libraries",
            f"RPi.GPIO and rpi-lgpio are both installed, and `import RPi.GPIO` is {has.rpi}'s",
            "Keep one: `pip uninstall RPi.GPIO rpi-lgpio`, then install the one you want; for "
            "Debian's, `sudo apt remove python3-rpi.gpio` or `python3-rpi-lgpio`.",
        )
    elif has.rpi:
        yield right("libraries", f"RPi.GPIO is {has.rpi}'s")
    if used and has.rpi == "rpi.gpio":
        yield from _old_rpi(facts)


def _old_rpi(facts: Facts) -> Iterator[Finding]:
    cure = 'Set `factory = "lgpio"` in [gpio].'
    if facts.machine.model.startswith("Raspberry Pi 5"):
        yield broken("libraries", "RPi.GPIO cannot reach the pins of a Pi 5", cure)
    elif version_key(facts.machine.kernel)[:2] >= _NO_EDGES_FROM:
        yield broken(
            "libraries", f"RPi.GPIO gets no edges from kernel {facts.machine.kernel}", cure
        )
