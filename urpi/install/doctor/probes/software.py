"""Python and its libraries: which are installed, and which of them contain their module.

A distribution may be empty: the package index has an lgpio without the module of that name.
"""

import re
from collections.abc import Mapping, Sequence
from importlib.metadata import distributions
from pathlib import Path
from types import MappingProxyType
from typing import Final

from urpi.core.extras import PACKAGED
from urpi.hardware.outputs.registry import OUTPUTS
from urpi.install.doctor.facts import Library, Software

MODULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "gpiozero": "gpiozero",
        "lgpio": "lgpio",
        "rpi.gpio": "RPi",
        "rpi-lgpio": "RPi",
        "smbus2": "smbus2",
        "bleak": "bleak",
        "pillow": "PIL",
        "pyserial": "serial",
        **{output.library: output.module for output in OUTPUTS if output.library},
    }
)
"""The libraries to look for, and the module or folder that each provides."""


def software(
    path: Sequence[str], version: str, prefixes: tuple[str, str], requires: Sequence[str]
) -> Software:
    """The libraries of a Python installation.

    Args:
        path: its module search path, such as `sys.path`.
        version: its version.
        prefixes: its `sys.prefix` and `sys.base_prefix`.
        requires: the requirements in the metadata of this program.
    """
    folders = [folder or "." for folder in path]
    libraries = _libraries(folders)
    return Software(
        version,
        prefixes[0] != prefixes[1],
        _sees_system(Path(prefixes[0])),
        libraries,
        floors(requires),
        _rpi(folders),
        str(PACKAGED) in folders,
    )


def floors(requires: Sequence[str]) -> dict[str, str]:
    """The oldest version that each requirement allows, by name in lower case.

    >>> floors(["gpiozero<3,>=2.0.1.post3", "lgpio>=0.2.2; extra == 'pi'"])
    {'gpiozero': '2.0.1.post3', 'lgpio': '0.2.2'}
    """
    found = (re.match(r"([\w.-]+)[^;]*>=([\w.]+)", line) for line in requires)
    return {one[1].lower(): one[2] for one in found if one}


def _libraries(folders: list[str]) -> dict[str, Library]:
    found: dict[str, Library] = {}
    for one in distributions(path=folders):
        name = (one.name or "").lower().replace("_", "-")
        # The first one on the path is the one that is imported.
        if name in MODULES and name not in found:
            found[name] = Library(one.version, _module(folders, MODULES[name]) is not None)
    return found


def _module(folders: list[str], module: str) -> Path | None:
    for folder in folders:
        place = Path(folder, module)
        if place.is_dir() or place.with_suffix(".py").is_file():
            return place
    return None


def _rpi(folders: list[str]) -> str:
    """The distribution that provides RPi.GPIO."""
    # Both install the same file, so metadata cannot decide. Only rpi-lgpio's imports lgpio.
    place = _module(folders, "RPi")
    if place is None:
        return ""
    try:
        code = Path(place, "GPIO/__init__.py").read_text("utf-8")
    except OSError:
        return ""
    return "rpi-lgpio" if re.search(r"^import lgpio", code, re.MULTILINE) else "rpi.gpio"


def _sees_system(prefix: Path) -> bool:
    try:
        page = (prefix / "pyvenv.cfg").read_text("utf-8")
    except OSError:
        return False
    return bool(re.search(r"(?im)^include-system-site-packages\s*=\s*true", page))
