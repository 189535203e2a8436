"""Checksums: what was stored is what is read, byte for byte.

CRC-32 (ISO 3309, as in zlib), which finds every change of a single byte. The checksum of a batch
continues that of the batch before it, and the first one that of the game's row and settings. So
a batch that is changed, missing, added or moved makes the chain wrong where that happened. It
protects against failing hardware, not against intent.
"""

import json
from collections.abc import Iterable, Sequence
from zlib import crc32


def game_checksum(row: Sequence[object], settings: Iterable[Sequence[str]]) -> int:
    """The checksum that a game's first batch continues.

    Args:
        row: id, started, program, rules, light and dark.
        settings: names and values, in any order.
    """
    return _checksum(*row, sorted(map(tuple, settings)))


def batch_checksum(before: int, seq: int, facts: int, lines: Iterable[str]) -> int:
    """The checksum of a batch: of its unpacked lines, so that the dictionary is covered too.

    Args:
        before: the checksum of the batch before it, or of the game.
        seq: the seq of its last line.
        facts: how many lines are facts.
        lines: the lines.
    """
    return crc32("\n".join((f"{seq} {facts}", *lines)).encode(), before)


def end_checksum(game: int, at: str, seq: int) -> int:
    """The checksum of a game's end: its number, when it ended, and its last seq then."""
    return _checksum(game, at, seq)


def preference_checksum(table: str, name: str, value: str, instead: str) -> int:
    """The checksum of a row of `preferences`."""
    return _checksum(table, name, value, instead)


def _checksum(*values: object) -> int:
    return crc32(json.dumps(values).encode())
