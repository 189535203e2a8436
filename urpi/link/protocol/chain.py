"""Checksums that identify a game, and each of its lines with all lines before it.

Two histories of one game, as after a journal was restored from a backup, have the same checksums up
to the line where they part, and none in common after it. SHA-256, the first 16 bytes, in lower-case
hexadecimal (FORMATS.md, Club).
"""

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Annotated, Any, Final, TypeAlias

from urpi.core.codec import matching

# 128 bits: two of a club's games with one key are out of the question.
_BYTES: Final = 16
HEX: Final = f"[0-9a-f]{{{2 * _BYTES}}}"
"""What a checksum looks like, as a regular expression."""
CHECKSUM: Final = matching(HEX, f"{2 * _BYTES} hexadecimal digits in lower case")
Checksum: TypeAlias = Annotated[str, CHECKSUM]


def game_key(about: Mapping[str, Any]) -> str:
    """The checksum that identifies a game: that of what is known at its beginning.

    Args:
        about: The values of `GameHead`, ready for JSON.
    """
    # A canonical form, with sorted keys and no spaces: the checksum must not depend on the writer.
    text = json.dumps(about, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return sha256(text.encode()).digest()[:_BYTES].hex()


def next_chain(chain: str, lines: Iterable[str]) -> str:
    """Return the checksum after further lines.

    Args:
        chain: The checksum before them; for the first line the game's key.
        lines: The lines, an empty one where one has been removed.

    >>> before = "00" * 16
    >>> next_chain(next_chain(before, ["a"]), ["b"]) == next_chain(before, ["a", "b"])
    True
    """
    found = bytes.fromhex(chain)
    for line in lines:
        # The checksum has a fixed length, so that no line can imitate the end of the one before it.
        found = sha256(found + line.encode()).digest()[:_BYTES]
    return found.hex()
