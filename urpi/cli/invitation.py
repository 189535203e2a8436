"""How other devices reach the page of `urpi demo`: its addresses, the PIN, and a QR code."""

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TextIO

from urpi.core.qr_code import qr_modules, terminal_lines
from urpi.http.access import linked_pin
from urpi.http.addresses import Link


@dataclass(frozen=True, slots=True)
class Room:
    """The size of a terminal in characters, in which a QR code can be printed."""

    columns: int
    lines: int


def room_of(out: TextIO, term: str) -> Room | None:
    """Return the size of the terminal, None if `out` cannot show a QR code.

    Args:
        out: The text stream.
        term: The kind of terminal, as in the environment variable TERM.
    """
    encoding = (out.encoding or "").lower().replace("-", "").replace("_", "")
    if term in {"", "dumb"} or encoding != "utf8" or not out.isatty():
        return None
    try:
        size = os.get_terminal_size(out.fileno())
    except OSError:
        return None
    return Room(size.columns, size.lines)


def invitation(links: Sequence[Link], pin: str, room: Room | None) -> Iterator[str]:
    """Yield the lines with the links by which other devices play or watch.

    Args:
        links: The page's URLs, the likeliest first; none if only this machine can reach it.
        pin: The PIN.
        room: The terminal's size, None for no QR code.
    """
    if not links:
        yield "Other devices cannot open it; --listen 0.0.0.0:8011 would let them."
        return
    yield f"To play on another device (PIN {pin}):"
    for link in links:
        interface = f" ({link.interface})" if link.interface else ""
        yield f"  {linked_pin(link.url, pin)}{interface}"
    yield f"To watch only: {links[0].url}"
    if room is not None:
        yield from _code(linked_pin(links[0].url, pin), room)


def _code(link: str, room: Room) -> Iterator[str]:
    """Yield the QR code of a link, if the terminal is large enough to show all of it."""
    modules = qr_modules(link)
    lines = terminal_lines(modules)
    if len(modules[0]) <= room.columns and len(lines) < room.lines:
        yield from lines


def standard_room() -> Room | None:
    """Return the size of the terminal of standard output, as `room_of`."""
    return room_of(sys.stdout, os.environ.get("TERM", "")) if sys.stdout is not None else None
