"""Release files: the Debian package and, beside it, its signature by minisign.

minisign verifies Ed25519 signatures; the form of keys and signatures is described at
https://jedisct1.github.io/minisign/.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from urpi.core.errors import UrpiError
from urpi.core.extras import PACKAGED
from urpi.core.inputs import read_text
from urpi.install.card.packages import Package, PackageError, read_package

PUBLIC_KEY: Final = PACKAGED / "release.pub"
"""The key of the releases, with which the installed package was built."""
SUFFIX: Final = ".minisig"
_MINISIGN: Final = "minisign"
_MAX_KEY_BYTES: Final = 1024
_KEY: Final = re.compile(r"untrusted comment: [^\n]*\n(RW[A-Za-z0-9+/]{54})\n?")
_PATTERN: Final = "urpi_*.deb"


class Signature(Enum):
    """The state of a release file's signature, as `urpi update list` prints it."""

    VALID = "valid signature"
    INVALID = "invalid signature"
    MISSING = "no signature"
    UNCHECKED = "signature not checked: minisign or the release key is missing"


@dataclass(frozen=True, slots=True)
class Release:
    """A release file.

    Attributes:
        package: The package in it.
        signature: The state of its signature.
    """

    package: Package
    signature: Signature


def release_files(path: Path) -> list[Path]:
    """A release file, or those of a folder by name.

    Raises:
        PackageError: If the folder has none, or cannot be read.
    """
    if not path.is_dir():
        return [path]
    found = sorted(path.glob(_PATTERN))
    if not found:
        message = f"The folder {path} contains no release file, {_PATTERN}; choose another."
        raise PackageError(message)
    return found


def read_release(file: Path, key: Path) -> Release:
    """Return what a release file contains.

    Args:
        file: The package; its signature is the file of the same name with ``.minisig``.
        key: The public key's file.

    Raises:
        PackageError: If it is no complete package of urpi.
    """
    package = read_package(file)
    if package.name != "urpi":
        message = f"The package {file} is {package.name}, not urpi; choose urpi_VERSION_all.deb."
        raise PackageError(message)
    return Release(package, _signature(file, key))


def check_key(text: str, name: str) -> str:
    """A public key's text, if it is one.

    Args:
        text: The content of the file that ``minisign -G`` writes.
        name: The file's name, for the message.

    Raises:
        UrpiError: If it is another text, such as a secret key.
    """
    if not _KEY.fullmatch(text):
        message = (
            f"{name} is no public key of minisign; give the file minisign.pub of `minisign -G`."
        )
        raise UrpiError(message)
    return text


def check_signature(release: Release, key: Path) -> None:
    """Check that a release may be installed.

    Raises:
        UrpiError: If its signature is missing or invalid, or cannot be verified.
    """
    file = release.package.file
    if not key.is_file():
        message = (
            f"There is no release key {key}, so that no signature can be verified; this urpi was "
            "built without one. Give the maintainer's with --public-key FILE."
        )
    elif shutil.which(_MINISIGN) is None:
        message = "minisign, which verifies signatures, is missing: sudo apt install minisign"
    elif release.signature is Signature.MISSING:
        message = f"{file} has no signature; put {file.name}{SUFFIX} of the release next to it."
    elif release.signature is not Signature.VALID:
        message = (
            f"The signature of {file} does not match the release key {key}; download the release "
            "again."
        )
    else:
        return
    raise UrpiError(message)


def _signature(file: Path, key: Path) -> Signature:
    signature = file.with_name(f"{file.name}{SUFFIX}")
    program = shutil.which(_MINISIGN)
    if not signature.is_file():
        return Signature.MISSING
    if program is None or not key.is_file():
        return Signature.UNCHECKED
    # minisign reports a damaged key like a wrong signature.
    check_key(read_text(key, "release key", _MAX_KEY_BYTES, "choose another"), str(key))
    command = (program, "-V", "-q", "-p", str(key), "-x", str(signature), "-m", str(file))
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - no shell
    return Signature.VALID if done.returncode == 0 else Signature.INVALID
