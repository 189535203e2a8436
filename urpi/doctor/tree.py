"""The files of a machine below one folder: ``/`` of this one, or a copy of another's."""

import os
from collections.abc import Iterator
from pathlib import Path


class Tree:
    """Reads below `root`; what is missing or forbidden reads as nothing."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    def at(self, path: str) -> Path:
        """Where an absolute path of that machine is."""
        return self.root / path.lstrip("/")

    def bytes(self, path: str) -> bytes:
        """A file's content, empty when it cannot be read."""
        try:
            return self.at(path).read_bytes()
        except OSError:
            return b""

    def text(self, path: str) -> str:
        """A file's text without what ends it: a line end, or the device tree's zero."""
        return self.bytes(path).decode("utf-8", "replace").strip("\0\n ")

    def exists(self, path: str) -> bool:
        """Whether there is such a file or folder."""
        return os.path.lexists(self.at(path))

    def names(self, folder: str, pattern: str = "*") -> list[str]:
        """What a folder holds, by name in order."""
        try:
            return sorted(found.name for found in self.at(folder).glob(pattern))
        except OSError:
            return []

    def links(self, folder: str) -> Iterator[str]:
        """Where the links in a folder point to."""
        try:
            entries = list(self.at(folder).iterdir())
        except OSError:
            return
        for entry in entries:
            try:
                yield str(entry.readlink())
            except OSError:
                continue
