"""Compiled catalogues: .mo files that depend only on the translations.

The format is described in GNU gettext's manual ("The Format of GNU MO Files"); these files are
little endian, without the optional hash table. The header is copied from the .po file, without a
date and the name of a tool, so that a catalogue changes only with its texts.
"""

import struct
from collections.abc import Iterable, Mapping
from typing import Final

from babel.messages.catalog import Catalog, Message

from urpi.show.words.sentences import CONTEXT_END

MAGIC: Final = 0x950412DE
_HEADER: Final = struct.Struct("<7I")
_ENTRY: Final = struct.Struct("<2I")


def compiled(catalogue: Catalog, header: str) -> bytes:
    """Return the .mo file of a catalogue, without untranslated and fuzzy messages."""
    texts = {"": header}
    texts.update(_pair(message) for message in catalogue if _is_translated(message))
    pairs = sorted((key.encode(), value.encode()) for key, value in texts.items())
    return _bytes(dict(pairs))


def strings_of(message: Message) -> tuple[str, ...]:
    """Return a message's translation, or all of a plural; empty if one is missing."""
    strings = message.string or ()
    found = (strings,) if isinstance(strings, str) else tuple(strings)
    return found if all(found) else ()


def _is_translated(message: Message) -> bool:
    return bool(message.id) and not message.fuzzy and bool(strings_of(message))


def _pair(message: Message) -> tuple[str, str]:
    ids = message.id if isinstance(message.id, str) else "\0".join(message.id)
    if message.context:
        ids = f"{message.context}{CONTEXT_END}{ids}"
    return ids, "\0".join(strings_of(message))


def _bytes(pairs: Mapping[bytes, bytes]) -> bytes:
    tables = _HEADER.size + 2 * _ENTRY.size * len(pairs)
    keys, starts = _block(pairs.keys(), tables)
    values, value_starts = _block(pairs.values(), tables + len(keys))
    header = _HEADER.pack(MAGIC, 0, len(pairs), _HEADER.size, _HEADER.size + len(starts), 0, tables)
    return header + starts + value_starts + keys + values


def _block(texts: Iterable[bytes], start: int) -> tuple[bytes, bytes]:
    """Return the texts in sequence, each with a NUL, and the table of their lengths and offsets."""
    block, table = b"", b""
    for text in texts:
        table += _ENTRY.pack(len(text), start + len(block))
        block += text + b"\0"
    return block, table
