"""Debian packages as files: whether they are complete, and which package they contain."""

import hashlib
import io
import lzma
import re
import tarfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from urpi.core.errors import UrpiError
from urpi.core.inputs import reason

_MAGIC: Final = b"!<arch>\n"
# The header of a member (ar(5)): name of 16 bytes, times and owner, size in the bytes 48 to 57, an
# end of two.
_HEADER_BYTES: Final = 60
_MAX_CONTROL_BYTES: Final = 4 * 1024 * 1024
_FIELD: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+~:-]*")
_FILE_NAME: Final = re.compile(r"[A-Za-z0-9][\w.+~%:-]*\.deb", re.ASCII)


class PackageError(UrpiError):
    """A file that is no complete Debian package, or not the right ones."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package's file.

    Attributes:
        file: Its path.
        name: Name of the package, such as ``urpi``.
        version: Its version.
        size: Size of the file in bytes.
        sha256: Its SHA-256 in hexadecimal digits.
    """

    file: Path
    name: str
    version: str
    size: int
    sha256: str


def read_packages(files: Sequence[Path]) -> tuple[Package, ...]:
    """Return the packages of files, of which exactly one must be urpi's.

    Raises:
        PackageError: If a file is no complete package, or urpi's is missing.
    """
    found = tuple(map(read_package, files))
    names = [package.file.name for package in found]
    if len(set(names)) < len(names):
        message = f"Two packages have one file name: {', '.join(sorted(names))}; give each once."
        raise PackageError(message)
    if sum(package.name == "urpi" for package in found) != 1:
        message = (
            "One of the packages must be urpi's (urpi_VERSION_all.deb); found "
            f"{', '.join(package.name for package in found) or 'no package'}."
        )
        raise PackageError(message)
    return found


def read_package(file: Path) -> Package:
    """Return what a package's file contains.

    Raises:
        PackageError: If it cannot be read, is truncated, or is no package.
    """
    if not _FILE_NAME.fullmatch(file.name):
        message = f"The package {file} needs a name such as urpi_0.1.0_all.deb; rename it."
        raise PackageError(message)
    try:
        with file.open("rb") as stream:
            size = stream.seek(0, io.SEEK_END)
            control = _control(stream, size)
            stream.seek(0)
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        message = f"The package {file} cannot be read: {reason(error)}."
        raise PackageError(message) from error
    except ValueError as error:
        message = f"The package {file} is damaged or no Debian package ({error}); copy it again."
        raise PackageError(message) from error
    return Package(file, control["Package"], control["Version"], size, digest)


def _control(stream: BinaryIO, size: int) -> dict[str, str]:
    """The fields of the control file.

    Raises:
        ValueError: If there is none, or the file ends early.
    """
    found = None
    for name, content_size in _members(stream, size):
        # The rest is read to its end nevertheless: a truncated package is noticed here, not at the
        # first boot.
        if name.startswith("control.tar") and content_size <= _MAX_CONTROL_BYTES:
            found = stream.read(content_size)
    if found is None:
        message = "it has no control.tar"
        raise ValueError(message)
    return _fields(found)


def _members(stream: BinaryIO, size: int) -> Iterator[tuple[str, int]]:
    """Yield name and size of each member of an ar archive, at whose content the stream is then.

    Raises:
        ValueError: If it is no such archive, or it ends early.
    """
    stream.seek(0)
    if stream.read(len(_MAGIC)) != _MAGIC:
        message = "it does not begin like one"
        raise ValueError(message)
    at = len(_MAGIC)
    while at < size:
        stream.seek(at)
        header = stream.read(_HEADER_BYTES)
        digits = header[48:58].decode("ascii").strip()
        if len(header) < _HEADER_BYTES or not header.endswith(b"`\n") or not digits.isdecimal():
            message = f"no header at byte {at}"
            raise ValueError(message)
        at += _HEADER_BYTES + int(digits)
        if at > size:
            message = f"it has {size} bytes of {at}"
            raise ValueError(message)
        yield header[:16].decode("ascii").strip().rstrip("/"), int(digits)
        # Members begin at even places.
        at += at % 2


def _fields(archive: bytes) -> dict[str, str]:
    """The fields of the control file in a compressed archive.

    Raises:
        ValueError: If it cannot be read, or its name or version have another form.
    """
    try:
        with tarfile.open(fileobj=io.BytesIO(archive)) as control:
            file = control.extractfile("./control")
            text = "" if file is None else file.read(_MAX_CONTROL_BYTES).decode()
    except (KeyError, tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError) as error:
        message = "its control file cannot be read"
        raise ValueError(message) from error
    fields = dict(re.findall(r"^([\w-]+): (.*)$", text, re.MULTILINE))
    for name in ("Package", "Version"):
        if not _FIELD.fullmatch(fields.get(name, "")):
            message = f"its control file has no valid {name}"
            raise ValueError(message)
    return fields
