"""The libraries in the Debian package: pinned versions, unpacked, with their licences."""

import os
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from email.parser import Parser
from pathlib import Path
from typing import Final

PINS: Final = Path(__file__).with_name("bundled.txt")
_LEFT_OUT: Final = ("/RECORD", "/WHEEL", "/top_level.txt")
"""Files of a wheel's metadata for pip, which does not manage these libraries."""
_FROM_SOURCE: Final = "dbus-fast"
"""The library of which every wheel is compiled; its modules also run as Python."""
OWNERS: Final = {
    "anyio": "2018 Alex Grönholm",
    "bleak": "2020 Henrik Blidh",
    "click": "2014 Pallets",
    "dbus-fast": "2022 Bluetooth Devices Authors",
    "gpiozero": "2015-2024 Dave Jones, Ben Nuttall and the gpiozero authors",
    "luma.core": "2017-2026 Richard Hull and contributors",
    "luma.oled": "2014-2026 Richard Hull and contributors",
    "paho-mqtt": "2012-2019 Roger Light and others",
    "starlette": "2018 Encode OSS Ltd",
    "typing_extensions": "2001-2023 Python Software Foundation",
    "uvicorn": "2017-present Encode OSS Ltd",
}
"""Who owns the copyright of each library, as its files state."""


@dataclass(frozen=True, slots=True)
class Library:
    """A library in the package.

    Attributes:
        name: its name on the package index.
        version: its version.
        licence: the short name of its licence.
        text: the texts of its licence files.
        files: what the library has at the top of its folder.
    """

    name: str
    version: str
    licence: str
    text: str
    files: tuple[str, ...]


def download(folder: Path) -> list[Path]:
    """Download the pinned libraries, check their hashes, and return the paths of their wheels.

    Raises:
        subprocess.CalledProcessError: If one cannot be downloaded, its hash is another one, or a
            source archive cannot be built.
    """
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check")
    only = ("--require-hashes", "--no-deps", "--only-binary=:all:", f"--no-binary={_FROM_SOURCE}")
    command = (*pip, *only, "--wheel-dir", str(folder), "--requirement", str(PINS))
    # dbus-fast's own build script then leaves out the compiled modules.
    subprocess.run(command, env={**os.environ, "SKIP_CYTHON": "1"}, check=True)  # noqa: S603
    return sorted(folder.glob("*.whl"))


def unpack(wheel: Path, folder: Path) -> Library:
    """Unpack a wheel into a folder, and return what it is."""
    with zipfile.ZipFile(wheel) as archive:
        names = [one for one in archive.namelist() if not one.endswith(("/", *_LEFT_OUT))]
        archive.extractall(folder, names)
    (metadata,) = (folder / one for one in names if one.endswith(".dist-info/METADATA"))
    head = Parser().parsestr(metadata.read_text("utf-8"))
    listed = tuple(f"/{one}" for one in head.get_all("License-File", ()))
    licences = [folder / one for one in names if ".dist-info/" in one and one.endswith(listed)]
    return Library(
        name=head["Name"],
        version=head["Version"],
        # Of a choice of licences, the last one: "EPL-2.0 OR BSD-3-Clause".
        licence=(head.get("License-Expression") or head["License"]).split()[-1],
        text="\n\n".join(one.read_text("utf-8").strip() for one in licences),
        files=tuple(sorted({_top(one) for one in names})),
    )


def _top(name: str) -> str:
    # Two libraries share the folder luma.
    first, *rest = name.split("/")
    return f"{first}/{rest[0]}" if first == "luma" else first
