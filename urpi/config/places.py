"""Where keys stand in a configuration: their paths, and the line of each."""

from collections.abc import Mapping
from typing import TypeAlias

KeyPath: TypeAlias = tuple[str, ...]


def line_of(lines: Mapping[KeyPath, int], path: KeyPath) -> int | None:
    """The line of a key, or of the nearest thing around it that has one."""
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return None
