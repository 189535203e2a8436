"""Checks for openings and channels that are too close to each other or to the edge. Pure."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from urpi.core.errors import UrpiError
from urpi.hardware.template.boxes import Area, Box, bounds_of, gap
from urpi.hardware.template.channels import Channels, check_room
from urpi.hardware.template.plate import EDGE, NUT_ROOM, WALL, Plate
from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Side


class Named(NamedTuple):
    """An area and its name in error messages."""

    name: str
    area: Area


class Narrow(NamedTuple):
    """Two areas that are too close. `left` and `needed` are the wood between them, in mm."""

    one: str
    other: str
    left: float
    needed: float

    def __str__(self) -> str:
        left = f"only {self.left:.1f} mm of wood remain" if self.left > 0 else "no wood remains"
        return f"Between {self.one} and {self.other} {left}; {self.needed:g} mm are required"


def check(channels: Channels) -> None:
    """Check that a board can be made.

    Raises:
        UrpiError: if wires do not fit, or two areas are too close; names the first two.
    """
    check_room(channels)
    found = next(narrow_places(channels), None)
    if found is not None:
        message = (
            f"{found}: choose a larger --square or --rim, or a smaller hole, button or channel."
        )
        raise UrpiError(message)


def narrow_places(channels: Channels) -> Iterator[Narrow]:
    """Yield the pairs of areas that are too close, in the base plate and in the top plate."""
    plate = channels.plate
    yield from _near_reeds(channels)
    yield from _near_openings(channels)
    below = [*_openings(plate), *_channel_areas(channels), Named("the exit", channels.exit)]
    below += [Named(f"{SQUARE_NAMES[sq]}'s pocket", channels.pocket(sq)) for sq in ALL_SQUARES]
    for thing in [*below, *_top_openings(plate)]:
        yield from _at_edge(plate, thing)
    for opening in _top_openings(plate):
        for square in ALL_SQUARES:
            field = Named(f"square {SQUARE_NAMES[square]}", plate.field(square))
            yield from _between(opening, field, WALL)


def _near_reeds(channels: Channels) -> Iterator[Narrow]:
    """Yield what is too close to a pocket. Only the square's own channel may reach it."""
    for square in ALL_SQUARES:
        pocket = Named(f"{SQUARE_NAMES[square]}'s pocket", channels.pocket(square))
        yield from _within(channels.plate.field(square), pocket)
        own = channels.branch(square)
        for channel in _channel_areas(channels):
            if channel.area != own:
                yield from _between(pocket, channel, WALL)
        yield from _between(pocket, Named("the exit", channels.exit), WALL)


def _near_openings(channels: Channels) -> Iterator[Narrow]:
    """Yield what is too close to an opening: other openings, pockets and channels.

    The channel of a chute starts at its opening.
    """
    openings = [*_openings(channels.plate)]
    for one, other in combinations(openings, 2):
        yield from _between(one, other, WALL)
    own = [box for side in Side for box in channels.chute_branch(side)]
    others = [channel for channel in _channel_areas(channels) if channel.area not in own]
    pockets = [Named(f"{SQUARE_NAMES[sq]}'s pocket", channels.pocket(sq)) for sq in ALL_SQUARES]
    for opening in openings:
        for thing in (*others, *pockets):
            yield from _between(opening, thing, WALL)


def _channel_areas(channels: Channels) -> Iterator[Named]:
    for side in Side:
        yield Named(f"{side.value}'s trunk", channels.trunk(side))
        yield from (
            Named(f"{side.value}'s chute's channel", b) for b in channels.chute_branch(side)
        )
    for square in ALL_SQUARES:
        yield Named(f"{SQUARE_NAMES[square]}'s channel", channels.branch(square))
    yield Named("the channel to the exit", channels.collector)


def _openings(plate: Plate) -> Iterator[Named]:
    """Yield the openings of the base plate, except the holes for wires and reeds."""
    if plate.module is not None:
        yield Named("the display's opening", plate.module)
    # Buttons and chutes are optional: then there is nothing to name.
    for side, button in zip(("dark's", "light's"), plate.buttons(NUT_ROOM), strict=False):
        yield Named(f"{side} button", button)
    for side, chute in zip(("dark's", "light's"), plate.chutes, strict=False):
        yield Named(f"{side} chute", chute)


def _top_openings(plate: Plate) -> Iterator[Named]:
    if plate.window is not None:
        yield Named("the display's window", plate.window)
    for button in plate.buttons():
        yield Named("a button's hole", button)
    for chute in plate.chutes:
        yield Named("a chute", chute)


def _between(one: Named, other: Named, needed: float) -> Iterator[Narrow]:
    left = gap(one.area, other.area)
    # The tolerance accepts exact distances in spite of rounding errors.
    if left < needed - 1e-9:
        yield Narrow(one.name, other.name, left, needed)


def _within(field: Box, pocket: Named) -> Iterator[Narrow]:
    """Yield a pocket that reaches the side of its square.

    A magnet must be closer to the reed of its own square than to any other.
    """
    left = _inside(field, bounds_of(pocket.area))
    if left < WALL / 2 - 1e-9:
        yield Narrow(pocket.name, "its square's side", left, WALL / 2)


def _inside(outer: Box, inner: Box) -> float:
    """Return the distance from a box to the nearest side of the box around it."""
    return min(
        inner.left - outer.left,
        inner.top - outer.top,
        outer.right - inner.right,
        outer.bottom - inner.bottom,
    )


def _at_edge(plate: Plate, thing: Named) -> Iterator[Narrow]:
    left = _inside(plate.whole, bounds_of(thing.area))
    if left < EDGE - 1e-9:
        yield Narrow(thing.name, "the plate's edge", left, EDGE)
    for notch in plate.notches:
        yield from _between(thing, Named("the notch beside the bridge", notch), EDGE)
