"""Packing: the lines of a batch as a few bytes.

Raw deflate (RFC 1951) with a preset dictionary, which the file itself contains
(docs/reference/journal.md). A batch is short, so an ordinary packer would find little in it that
repeats; the dictionary provides what most lines have in common. Unpacking returns exactly the
lines that were packed.
"""

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

from urpi.rules import RULE_SETS, SQUARE_NAMES

_WINDOW_BITS: Final = -13
"""A window of 8 KiB; negative: without header and checksum, batches have a checksum already."""
_MEMORY_LEVEL: Final = 6
"""Enough for a short batch. More memory would have to be cleared for each one."""
_BEST: Final = 9
"""The highest compression level."""


def pack(lines: Iterable[str], dictionary: bytes) -> bytes:
    """Pack lines.

    Args:
        lines: The lines, without line ends; an empty one is a line that has been removed.
        dictionary: Text that lines are likely to contain, the likeliest last. Only its last
            8 KiB are used.

    >>> len(pack(['{"t":40,"type":"square","square":"B1","on":true}'], DICTIONARY)) < 12
    True
    """
    packer = zlib.compressobj(
        _BEST, zlib.DEFLATED, _WINDOW_BITS, _MEMORY_LEVEL, zlib.Z_DEFAULT_STRATEGY, dictionary
    )
    return packer.compress("\n".join(lines).encode()) + packer.flush()


def unpack(packed: bytes, dictionary: bytes) -> list[str]:
    """The lines that were packed with a dictionary.

    Raises:
        ValueError: If the bytes are damaged.
    """
    return unpack_text(packed, dictionary).decode().split("\n")


def unpack_text(packed: bytes, dictionary: bytes) -> bytes:
    """The packed lines as UTF-8, separated by newlines.

    Raises:
        ValueError: If the bytes are damaged.
    """
    unpacker = zlib.decompressobj(_WINDOW_BITS, dictionary)
    try:
        text = unpacker.decompress(packed)
    except zlib.error as error:
        raise ValueError(*error.args) from error
    # zlib accepts a stream that ends early without an error.
    if not unpacker.eof or unpacker.unused_data:
        message = "the packed lines end too early or too late"
        raise ValueError(message)
    return text


# The distance to a match is stored in fewer bits the shorter it is, so the parts are in the order
# of how often lines contain them, the most frequent last.
def _dictionary() -> Iterator[str]:
    yield '"light":"","dark":"","first":"dark","options":{},"type":"occupancy","squares":['
    yield '"type":"abandon","type":"resign","side":"light","type":"draw","takeback":true'
    yield '"type":"chute","type":"answer","move":"","faces":"","type":"refused","what":"answer"'
    yield '"type":"button","button":"dark","press":"short"}\n{"t":1'
    yield '"type":"button","button":"light","press":"long"}\n{"t":1'
    yield '"type":"fault","device":"die 1","code":"lost"}"code":"stuck-off"}'
    yield '"type":"won","side":"dark","code":"off"}'
    yield '"type":"warning","side":"light","code":"piece-missing","squares":["B4"],'
    yield '"text":"A piece is missing. Fill B4.","fix":{"fill":["A4"],"clear":["B2"]}}\n'
    yield '"type":"cleared"}\n"type":"question","side":"dark","ask":"move","moves":["A1-B1"]}\n'
    yield '"type":"takeback","type":"roll-refused","side":"dark","code":"not-tumbled","dice":[1]}\n'
    yield '"code":"missing-die","dice":[2]}\n"code":"unplayed-throw","dice":[3]}\n'
    yield '"code":"cocked","dice":[4]}\n,"state":"handled"}\n,"state":"cocked"}\n,"state":"lost"}\n'
    yield '"type":"pass","side":"light","code":"no-move"}\n"type":"pass","side":"dark",'
    yield '"code":"zero"}\n"type":"throw-for-start","side":"light"}\n'
    yield '"type":"starts","side":"light","why":"throw"}\n'
    for face in "654321":
        yield from _settled(1, face)
    yield '"tumbled":false}\n'
    for face in "gs-":
        for die in (4, 3, 2, 1):
            yield from _settled(die, face)
    for die in (4, 3, 2, 1):
        yield f',"type":"die","die":{die},"state":"rolling"}}\n{{"t":1'
    for square in (*SQUARE_NAMES[6:], *SQUARE_NAMES[:6]):
        for level in ("false", "true"):
            yield f',"type":"square","square":"{square}","on":{level}}}\n{{"t":1'
    yield ',"type":"seems","side":"light","move":"A1xB2"}\n{"t":1,"type":"time"}\n'
    yield from _turn("dark", "C")
    yield from _turn("light", "A")


def _settled(die: int, face: str) -> Iterator[str]:
    yield f'"type":"die","die":{die},"state":"settled","face":"{face}","tumbled":true,'
    yield '"angle":2,"tumbles":4,"fall_ms":1}\n{"t":1'


def _turn(side: str, row: str) -> Iterator[str]:
    yield f'{{"t":1,"type":"roll","side":"{side}","faces":"--gs","value":2,'
    yield f'"legal":["+{row}4","{row}1xB2","{row}2-off","B4-B6"]}}\n'
    yield f'{{"t":1,"type":"move","side":"{side}","move":"{row}2-{row}1",'
    yield f'"position":"{" ".join(reversed([*RULE_SETS]))} '
    yield f"{row}4:L,B1:D,B2:L,B3:D,B4:L,B5:L,B6:D,B7:D,B8:L,C1:D,C2:D,C3:D,C4:D L5D5 L0D0 "
    yield f'{side[0].upper()}","confidence":"inferred"}}\n"confidence":"sensed"}}\n'


DICTIONARY: Final = "".join(_dictionary()).encode()
"""The dictionary of a new file. A file that has another one keeps it."""
