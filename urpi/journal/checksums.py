"""Checksums, which prove that what is read is what was stored, byte for byte.

CRC-32 (ISO 3309, as in zlib), which detects every change of a single byte. The checksum of a
batch continues that of the batch before it, and the first one that of the game's row and
settings. So the chain breaks where a batch has been changed, removed, added or moved. This
protects against failing hardware, not against intent.
"""

import json
from collections.abc import Iterable, Sequence
from zlib import crc32


def game_checksum(row: Sequence[object], settings: Iterable[Sequence[str]]) -> int:
    """The checksum that a game's first batch continues.

    Args:
        row: id, started, program, rules, light and dark.
        settings: Names and values, in any order.
    """
    # Sorted: SQL returns rows without an ORDER BY in any order.
    return _checksum(*row, sorted(map(tuple, settings)))


def batch_checksum(before: int, seq: int, facts: int, lines: Iterable[str]) -> int:
    """The checksum of a batch's unpacked lines, so that the dictionary is covered too.

    Args:
        before: The checksum of the batch before it, or of the game.
        seq: The seq of its last line.
        facts: Number of lines that are facts.
        lines: The lines.
    """
    return text_checksum(before, seq, facts, "\n".join(lines).encode())


def text_checksum(before: int, seq: int, facts: int, text: bytes) -> int:
    """The checksum of a batch as `batch_checksum`, from its lines separated by newlines."""
    return crc32(text, crc32(b"%d %d\n" % (seq, facts), before))


def end_checksum(game: int, at: str, seq: int) -> int:
    """The checksum of a game's end.

    Args:
        game: The game's number.
        at: When it ended.
        seq: The game's last seq at that time.
    """
    return _checksum(game, at, seq)


def preference_checksum(table: str, name: str, value: str, instead: str) -> int:
    return _checksum(table, name, value, instead)


def answer_checksum(  # noqa: PLR0913, PLR0917 - the columns
    number: int, game: int, throw: int, at: str, move: str, good: int
) -> int:
    return _checksum(number, game, throw, at, move, good)


def correction_checksum(row: Sequence[object]) -> int:
    """The checksum of a correction: its row without the checksum."""
    return _checksum(*row)


def _checksum(*values: object) -> int:
    return crc32(json.dumps(values).encode())
