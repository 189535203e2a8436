"""How lines lie on the disk: those of one batch together, without what all lines have in common.

Raw deflate (RFC 1951) with a preset dictionary, which the file itself holds
(docs/reference/journal.md). What comes out is what went in, letter by letter.
"""

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

from urpi.rules import SQUARE_NAMES

_WINDOW_BITS: Final = -13
"""8 KiB, without header and checksum: SQLite's pages are checked as a whole."""
_MEMORY_LEVEL: Final = 6
"""A batch is small; more memory would only have to be cleared for each."""
_BEST: Final = 9


def pack(lines: Iterable[str], words: bytes) -> bytes:
    """The lines, which hold no line end, as few bytes.

    Args:
        lines: in their order; an empty one stands for a line that was taken away.
        words: what lines are likely to say, the likeliest last; at most 8 KiB of it count.

    >>> len(pack(['{"t":40,"type":"square","square":"B1","on":true}'], WORDS)) < 12
    True
    """
    packer = zlib.compressobj(
        _BEST, zlib.DEFLATED, _WINDOW_BITS, _MEMORY_LEVEL, zlib.Z_DEFAULT_STRATEGY, words
    )
    return packer.compress("\n".join(lines).encode()) + packer.flush()


def unpack(packed: bytes, words: bytes) -> list[str]:
    """The lines that were packed with those words.

    Raises:
        ValueError: when the bytes are damaged.
    """
    unpacker = zlib.decompressobj(_WINDOW_BITS, words)
    try:
        text = unpacker.decompress(packed) + unpacker.flush()
    except zlib.error as error:
        raise ValueError(*error.args) from error
    if not unpacker.eof or unpacker.unused_data:
        message = "the packed lines end too early or too late"
        raise ValueError(message)
    return text.decode().split("\n")


def _likely() -> Iterator[str]:
    """What lines are likely to say, the likeliest last: a match near the end costs least."""
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
    yield '"position":"skiryuk coursework ravensburger bell freecompany murray finkel3 finkel '
    yield f"{row}4:L,B1:D,B2:L,B3:D,B4:L,B5:L,B6:D,B7:D,B8:L,C1:D,C2:D,C3:D,C4:D L5D5 L0D0 "
    yield f'{side[0].upper()}","confidence":"inferred"}}\n"confidence":"sensed"}}\n'


WORDS: Final = "".join(_likely()).encode()
"""What a new file is given as its words. A file that has others keeps them."""
