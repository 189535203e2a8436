"""Contacts: raw edges of the twenty switches, debounced, and what they saw since the throw.

A level counts once it has lasted the stable time. Nothing here needs a timer: a level is
judged when the next edge of its square comes, or when the picture is looked at.
"""

from dataclasses import dataclass, replace
from typing import Final

from urpi.rules import ALL_SQUARES, Square, Squares, each_square, squares_of

LOG_LENGTH: Final = 96
"""Debounced changes remembered; a hand at work makes a dozen, the oldest say nothing."""
REST_MS: Final = 150
"""A contact that bounces under a hand rests so long sooner or later."""
FLICKER_MS: Final = 1500
FLICKER_EDGES: Final = 12
"""A contact flickers when so many raw edges come over so long a time without a rest."""
RESTLESS_MS: Final = 6000
RESTLESS_CHANGES: Final = 14
"""And when it changes so often in that time: a hand is not so quick."""


EVERY_SQUARE: Final = squares_of(ALL_SQUARES)


@dataclass(frozen=True, slots=True)
class Change:
    """A square's debounced change, with the time of the edge that began it.

    `heard`: it was an edge; else only a full reading told, and it may have come long before.
    """

    t: int
    square: Square
    on: bool
    heard: bool = True


@dataclass(frozen=True, slots=True)
class Blink:
    """A square emptied and filled again: when it did each, and whether it was heard to fill."""

    off: int
    on: int
    heard: bool


@dataclass(frozen=True, slots=True)
class Contacts:
    """What the switches say.

    `raw` are the squares whose newest edge says on; `since` the time of that edge a square;
    `read` are the squares whose newest edge was only read, never heard;
    `stable` the debounced squares; `log` the debounced changes since `forget`; `last_edge`
    the newest raw edge of a square that is not left out.
    """

    raw: Squares = 0
    stable: Squares = 0
    since: tuple[int, ...] = (0,) * len(ALL_SQUARES)
    log: tuple[Change, ...] = ()
    last_edge: int = 0
    unsettled: Squares = 0
    counts: tuple[tuple[int, int], ...] = ((0, 0),) * len(ALL_SQUARES)
    """A square's raw edges without a rest between them, and when they began."""
    read: Squares = 0
    closed: Squares = 0
    """Squares whose switch has ever closed; of the others nobody knows whether it works."""

    @property
    def since_any(self) -> bool:
        """Whether any edge has come yet."""
        return any(self.since) or self.raw != 0

    def unheard(self, square: Square, last_edge: int) -> "Contacts":
        """The same, as if the newest edge, `square`'s, had not come.

        A switch that is left out may flicker for hours, and would push out of the log what
        the others saw.
        """
        log = tuple(change for change in self.log if change.square != square)
        return replace(self, last_edge=last_edge, log=log)

    def picture(self) -> Squares:
        """What stands where, by the newest edges."""
        return self.raw


def edge(  # noqa: PLR0913 - an edge is all of it
    contacts: Contacts, t: int, square: Square, on: bool, stable_ms: int, *, heard: bool = True
) -> Contacts:
    """The contacts after one raw edge at `t`; the same level again changes nothing."""
    bit = 1 << square
    if bool(contacts.raw & bit) == on:
        return contacts
    stable, log = contacts.stable, contacts.log
    was = contacts.since[square]
    if contacts.unsettled & bit and t - was >= stable_ms:
        stable, log = _settle(contacts, square)
    since = (*contacts.since[:square], t, *contacts.since[square + 1 :])
    count, begun = contacts.counts[square]
    fresh = (count + 1, begun) if t - was < REST_MS else (1, t)
    raw = contacts.raw ^ bit
    return Contacts(
        raw,
        stable,
        since,
        log,
        t,
        contacts.unsettled | bit,
        (*contacts.counts[:square], fresh, *contacts.counts[square + 1 :]),
        contacts.read & ~bit if heard else contacts.read | bit,
        contacts.closed | raw & bit,
    )


def _settle(contacts: Contacts, square: Square) -> tuple[Squares, tuple[Change, ...]]:
    bit = 1 << square
    if (contacts.raw ^ contacts.stable) & bit == 0:
        return contacts.stable, contacts.log
    heard = not contacts.read & bit
    change = Change(contacts.since[square], square, bool(contacts.raw & bit), heard)
    return contacts.stable ^ bit, (*contacts.log, change)[-LOG_LENGTH:]


def settled(contacts: Contacts, t: int, stable_ms: int) -> Contacts:
    """The contacts with every level that has lasted until `t` counted."""
    for square in each_square(contacts.unsettled):
        if t - contacts.since[square] >= stable_ms:
            stable, log = _settle(contacts, square)
            unsettled = contacts.unsettled & ~(1 << square)
            contacts = replace(contacts, stable=stable, log=log, unsettled=unsettled)
    return contacts


def reading(contacts: Contacts, t: int, squares: Squares, stable_ms: int) -> Contacts:
    """The contacts after a full reading: an edge that was lost comes with it."""
    for square in each_square(contacts.raw ^ squares):
        on = bool(squares >> square & 1)
        contacts = edge(contacts, t, square, on, stable_ms, heard=False)
    return contacts


def forget(contacts: Contacts, squares: Squares = EVERY_SQUARE) -> Contacts:
    """The contacts with nothing remembered of how these squares came to be as they are."""
    log = tuple(change for change in contacts.log if not squares >> change.square & 1)
    return replace(contacts, log=log)


def flickers(contacts: Contacts, square: Square) -> bool:
    """Whether a square changes more than under a hand."""
    count, begun = contacts.counts[square]
    now = contacts.since[square]
    if count >= FLICKER_EDGES and now - begun >= FLICKER_MS:
        return True
    changes = [one for one in contacts.log if one.square == square and now - one.t < RESTLESS_MS]
    return len(changes) >= RESTLESS_CHANGES


def last_off(contacts: Contacts, square: Square) -> int | None:
    """When a square was last seen to empty, None when it was not."""
    for change in reversed(contacts.log):
        if change.square == square and not change.on:
            return change.t
    return None


def first_off(contacts: Contacts, square: Square) -> int | None:
    """Return when a square was first seen to empty, None if it was not."""
    times = (change.t for change in contacts.log if change.square == square and not change.on)
    return next(times, None)


def blinked_within(contacts: Contacts, squares: Squares, begin: int, end: int) -> bool:
    """Whether one of some squares emptied and filled again, both between two times."""
    emptied_at: dict[Square, int] = {}
    for change in contacts.log:
        if not squares >> change.square & 1:
            continue
        if not change.on:
            emptied_at[change.square] = change.t
        elif emptied_at.pop(change.square, begin - 1) >= begin and change.t <= end:
            return True
    return False


def blinks(contacts: Contacts, square: Square) -> tuple[Blink, ...]:
    """Every time that a square emptied and filled again."""
    found: list[Blink] = []
    off: int | None = None
    for change in contacts.log:
        if change.square != square:
            continue
        if not change.on:
            off = change.t
        elif off is not None:
            found.append(Blink(off, change.t, change.heard))
            off = None
    return tuple(found)
