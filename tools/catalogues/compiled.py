"""Compiled catalogues: the bytes of a .mo file, always the same for the same translations.

The format is GNU gettext's (its manual, "The Format of GNU MO Files"), little endian, without
the optional hash table. The header goes in as it stands in the .po, with no date and no name
of a tool, so that a catalogue changes only when its words do.
"""

import struct
from collections.abc import Iterable, Mapping
from typing import Final

from babel.messages.catalog import Catalog, Message

MAGIC: Final = 0x950412DE
_HEADER: Final = struct.Struct("<7I")
_ENTRY: Final = struct.Struct("<2I")


def compiled(catalogue: Catalog, header: str) -> bytes:
    """The .mo file of a catalogue; what is not translated, or only guessed, is left out."""
    texts = {"": header}
    texts.update(_pair(message) for message in catalogue if _is_translated(message))
    pairs = sorted((key.encode(), value.encode()) for key, value in texts.items())
    return _bytes(dict(pairs))


def strings_of(message: Message) -> tuple[str, ...]:
    """A message's translation, of a plural all of them; empty where one is lacking."""
    strings = message.string or ()
    found = (strings,) if isinstance(strings, str) else tuple(strings)
    return found if all(found) else ()


def _is_translated(message: Message) -> bool:
    return bool(message.id) and not message.fuzzy and bool(strings_of(message))


def _pair(message: Message) -> tuple[str, str]:
    ids = (message.id,) if isinstance(message.id, str) else message.id
    return "\0".join(ids), "\0".join(strings_of(message))


def _bytes(pairs: Mapping[bytes, bytes]) -> bytes:
    tables = _HEADER.size + 2 * _ENTRY.size * len(pairs)
    keys, starts = _block(pairs.keys(), tables)
    values, value_starts = _block(pairs.values(), tables + len(keys))
    header = _HEADER.pack(MAGIC, 0, len(pairs), _HEADER.size, _HEADER.size + len(starts), 0, tables)
    return header + starts + value_starts + keys + values


def _block(texts: Iterable[bytes], start: int) -> tuple[bytes, bytes]:
    """Texts one behind the other, each with its NUL; and the table of their lengths and places."""
    block, table = b"", b""
    for text in texts:
        table += _ENTRY.pack(len(text), start + len(block))
        block += text + b"\0"
    return block, table
