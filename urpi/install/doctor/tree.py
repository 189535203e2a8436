"""The files of the examined machine: ``/``, or a folder that holds a copy of another's files."""

import os
from collections.abc import Iterator
from pathlib import Path


class Tree:
    """Reads files below `root`; a missing or unreadable file counts as empty."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    def at(self, path: str) -> Path:
        """The location below `root` of an absolute path on the examined machine."""
        return self.root / path.lstrip("/")

    def bytes(self, path: str) -> bytes:
        """The content of a file, empty if it cannot be read."""
        try:
            return self.at(path).read_bytes()
        except OSError:
            return b""

    def text(self, path: str) -> str:
        """The text of a file without surrounding spaces, line ends and zero bytes.

        Device-tree properties end with a zero byte.
        """
        return self.bytes(path).decode("utf-8", "replace").strip("\0\n ")

    def exists(self, path: str) -> bool:
        """Return whether a file or folder exists; a dangling link does."""
        return os.path.lexists(self.at(path))

    def names(self, folder: str, pattern: str = "*") -> list[str]:
        """The sorted names in a folder that match a glob pattern, by default all."""
        try:
            return sorted(found.name for found in self.at(folder).glob(pattern))
        except OSError:
            return []

    def links(self, folder: str) -> Iterator[str]:
        """Yield the targets of the symbolic links in a folder."""
        try:
            entries = list(self.at(folder).iterdir())
        except OSError:
            return
        for entry in entries:
            try:
                yield str(entry.readlink())
            except OSError:
                continue
