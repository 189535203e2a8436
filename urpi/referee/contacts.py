"""Contacts: the raw edges of the twenty switches, debounced, and a log of the changes.

A level counts once it has lasted `contact_stable_ms`. This needs no timer: a level is judged
when the next edge of its square arrives, or when the occupancy is looked at.
"""

from dataclasses import dataclass, replace
from typing import Final

from urpi.referee.settings import Timing
from urpi.rules import ALL_SQUARES, Square, Squares, each_square, squares_of

LOG_LENGTH: Final = 96
"""Maximum number of logged changes. A move makes about a dozen; the oldest no longer matter."""
EVERY_SQUARE: Final = squares_of(ALL_SQUARES)


@dataclass(frozen=True, slots=True)
class Change:
    """A debounced change of a square, with the time of the edge that began it.

    `by_edge` is whether a switch's edge reported it, the default. Otherwise the edge was lost and a
    full reading found the change, which may have happened long before `t`.
    """

    t: int
    square: Square
    on: bool
    by_edge: bool = True


@dataclass(frozen=True, slots=True)
class Blink:
    """A square that emptied and filled again: the times, and whether an edge reported the end."""

    off: int
    on: int
    by_edge: bool


@dataclass(frozen=True, slots=True)
class Contacts:
    """The state of all switches.

    Attributes:
        raw: Squares whose switch is closed, by the newest edge.
        stable: Squares whose debounced contact is closed.
        since: Time of each square's newest edge.
        log: Debounced changes since the last `forget`, oldest first.
        last_edge: Time of the newest edge of a square that is not left out.
        unsettled: Squares whose newest edge has not been judged yet.
        counts: For each square, the number of edges without a rest between them, and the time
            of the first of these.
        read: Squares whose newest change was found by a full reading, not reported by an edge.
        closed: Squares whose switch has closed at least once. Of the others it is unknown
            whether they work.
    """

    raw: Squares = 0
    stable: Squares = 0
    since: tuple[int, ...] = (0,) * len(ALL_SQUARES)
    log: tuple[Change, ...] = ()
    last_edge: int = 0
    unsettled: Squares = 0
    counts: tuple[tuple[int, int], ...] = ((0, 0),) * len(ALL_SQUARES)
    read: Squares = 0
    closed: Squares = 0

    @property
    def any_edge(self) -> bool:
        """Whether there has been any edge yet."""
        return any(self.since) or self.raw != 0

    def without_square(self, square: Square, last_edge: int) -> "Contacts":
        """Return the contacts as if the newest edge, which is one of `square`, had not occurred.

        A switch that is left out may flicker for hours, and would otherwise push the changes of
        the other squares out of the log.
        """
        log = tuple(change for change in self.log if change.square != square)
        return replace(self, last_edge=last_edge, log=log)


def edge(  # noqa: PLR0913 - all that there is to know about an edge
    contacts: Contacts, t: int, square: Square, on: bool, timing: Timing, *, by_edge: bool = True
) -> Contacts:
    """Return the contacts after a raw edge at `t`; the same object if the level is the same."""
    bit = 1 << square
    if bool(contacts.raw & bit) == on:
        return contacts
    stable, log = contacts.stable, contacts.log
    was = contacts.since[square]
    # The previous level lasted long enough; it is logged before this edge ends it.
    if contacts.unsettled & bit and t - was >= timing.contact_stable_ms:
        stable, log = _settle(contacts, square)
    count, begun = contacts.counts[square]
    # A count begins anew after a rest, so that ordinary bounces do not add up over a game.
    counted = (count + 1, begun) if t - was < timing.rest_ms else (1, t)
    raw = contacts.raw ^ bit
    # Edges are by far the most frequent facts, and `replace` takes twice as long.
    return Contacts(
        raw,
        stable,
        (*contacts.since[:square], t, *contacts.since[square + 1 :]),
        log,
        t,
        contacts.unsettled | bit,
        (*contacts.counts[:square], counted, *contacts.counts[square + 1 :]),
        contacts.read & ~bit if by_edge else contacts.read | bit,
        contacts.closed | raw & bit,
    )


def _settle(contacts: Contacts, square: Square) -> tuple[Squares, tuple[Change, ...]]:
    """Return the stable squares and the log once a square's level has lasted long enough."""
    bit = 1 << square
    # The contact bounced back to the level that it had: nothing has changed.
    if (contacts.raw ^ contacts.stable) & bit == 0:
        return contacts.stable, contacts.log
    by_edge = not contacts.read & bit
    change = Change(contacts.since[square], square, bool(contacts.raw & bit), by_edge)
    return contacts.stable ^ bit, (*contacts.log, change)[-LOG_LENGTH:]


def settled(contacts: Contacts, t: int, timing: Timing) -> Contacts:
    """Return the contacts with every level judged that has lasted long enough at `t`."""
    for square in each_square(contacts.unsettled):
        if t - contacts.since[square] >= timing.contact_stable_ms:
            stable, log = _settle(contacts, square)
            unsettled = contacts.unsettled & ~(1 << square)
            contacts = replace(contacts, stable=stable, log=log, unsettled=unsettled)
    return contacts


def reading(contacts: Contacts, t: int, squares: Squares, timing: Timing) -> Contacts:
    """Return the contacts after a full reading, which makes up for lost edges."""
    for square in each_square(contacts.raw ^ squares):
        on = bool(squares >> square & 1)
        # Like an edge at the time of the reading, which is the latest that it can have been.
        contacts = edge(contacts, t, square, on, timing, by_edge=False)
    return contacts


def forget(contacts: Contacts, squares: Squares = EVERY_SQUARE) -> Contacts:
    """Return the contacts without the logged changes of these squares, by default of all."""
    log = tuple(change for change in contacts.log if not squares >> change.square & 1)
    return replace(contacts, log=log)


def flickers(contacts: Contacts, square: Square, timing: Timing) -> bool:
    """Return whether a square changes more often than a hand can make it change."""
    count, begun = contacts.counts[square]
    now = contacts.since[square]
    if count >= timing.flicker_edges and now - begun >= timing.flicker_ms:
        return True
    since = now - timing.restless_ms
    changes = [one for one in contacts.log if one.square == square and one.t > since]
    return len(changes) >= timing.restless_changes


def last_off(contacts: Contacts, square: Square) -> int | None:
    """Return when a square last emptied, None if the log does not contain that."""
    for change in reversed(contacts.log):
        if change.square == square and not change.on:
            return change.t
    return None


def first_off(contacts: Contacts, square: Square) -> int | None:
    """Return when a square first emptied, None if the log does not contain that."""
    times = (change.t for change in contacts.log if change.square == square and not change.on)
    return next(times, None)


def blinked_within(contacts: Contacts, squares: Squares, begin: int, end: int) -> bool:
    """Return whether one of the squares emptied and filled again between two times."""
    emptied_at: dict[Square, int] = {}
    for change in contacts.log:
        if not squares >> change.square & 1:
            continue
        if not change.on:
            emptied_at[change.square] = change.t
        # Emptied before `begin`, or never: not a blink within the two times.
        elif emptied_at.pop(change.square, begin - 1) >= begin and change.t <= end:
            return True
    return False


def blinks(contacts: Contacts, square: Square) -> tuple[Blink, ...]:
    """Return every time that a square emptied and filled again, oldest first."""
    found: list[Blink] = []
    off: int | None = None
    for change in contacts.log:
        if change.square != square:
            continue
        if not change.on:
            off = change.t
        elif off is not None:
            found.append(Blink(off, change.t, change.by_edge))
            off = None
    return tuple(found)
