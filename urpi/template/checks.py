"""What would spoil the wood: things too near to each other, or to the edge. Pure."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from urpi.errors import UrpiError
from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Side
from urpi.template.boxes import Area, Box, bounds_of, gap
from urpi.template.channels import Channels, check_room
from urpi.template.plate import EDGE, NUT_ROOM, WALL, Plate


class Named(NamedTuple):
    """An area with its name in a sentence."""

    name: str
    area: Area


class Narrow(NamedTuple):
    """Two things with less wood between them than there has to be, in millimetres."""

    one: str
    other: str
    left: float
    needed: float

    def __str__(self) -> str:
        left = f"only {self.left:.1f} mm of wood are left" if self.left > 0 else "no wood is left"
        return f"Between {self.one} and {self.other} {left}; it has to be {self.needed:g} mm"


def check(channels: Channels) -> None:
    """Refuse a board that cannot be made.

    Raises:
        UrpiError: with the first two things that are too near to each other.
    """
    check_room(channels)
    found = next(narrow_places(channels), None)
    if found is not None:
        message = (
            f"{found}: choose a larger --square or --rim, or a smaller hole, button or channel."
        )
        raise UrpiError(message)


def narrow_places(channels: Channels) -> Iterator[Narrow]:
    """Every place with too little wood, in the base plate and in the top plate."""
    plate = channels.plate
    yield from _round_reeds(channels)
    yield from _round_openings(channels)
    below = [*_openings(plate), *_stretches(channels), Named("the exit", channels.exit)]
    below += [Named(f"{SQUARE_NAMES[sq]}'s pocket", channels.pocket(sq)) for sq in ALL_SQUARES]
    for thing in [*below, *_top_openings(plate)]:
        yield from _at_edge(plate, thing)
    for opening in _top_openings(plate):
        for square in ALL_SQUARES:
            field = Named(f"square {SQUARE_NAMES[square]}", plate.field(square))
            yield from _between(opening, field, WALL)


def _round_reeds(channels: Channels) -> Iterator[Narrow]:
    """No channel but its own comes near a square's pocket."""
    for square in ALL_SQUARES:
        pocket = Named(f"{SQUARE_NAMES[square]}'s pocket", channels.pocket(square))
        yield from _within(channels.plate.field(square), pocket)
        own = channels.branch(square)
        for stretch in _stretches(channels):
            if stretch.area != own:
                yield from _between(pocket, stretch, WALL)
        yield from _between(pocket, Named("the exit", channels.exit), WALL)


def _round_openings(channels: Channels) -> Iterator[Narrow]:
    """Openings keep away from each other, from the pockets, and from channels not theirs."""
    openings = [*_openings(channels.plate)]
    for one, other in combinations(openings, 2):
        yield from _between(one, other, WALL)
    theirs = [box for side in Side for box in channels.chute_branch(side)]
    cut = [stretch for stretch in _stretches(channels) if stretch.area not in theirs]
    pockets = [Named(f"{SQUARE_NAMES[sq]}'s pocket", channels.pocket(sq)) for sq in ALL_SQUARES]
    for opening in openings:
        for thing in (*cut, *pockets):
            yield from _between(opening, thing, WALL)


def _stretches(channels: Channels) -> Iterator[Named]:
    for side in Side:
        yield Named(f"{side.value}'s trunk", channels.trunk(side))
        yield from (
            Named(f"{side.value}'s chute's channel", b) for b in channels.chute_branch(side)
        )
    for square in ALL_SQUARES:
        yield Named(f"{SQUARE_NAMES[square]}'s channel", channels.branch(square))
    yield Named("the channel to the exit", channels.collector)


def _openings(plate: Plate) -> Iterator[Named]:
    """What is cut through the base plate besides the wires' holes."""
    if plate.module is not None:
        yield Named("the display's opening", plate.module)
    for whose, button in zip(("dark's", "light's"), plate.buttons(NUT_ROOM), strict=False):
        yield Named(f"{whose} button", button)
    for whose, chute in zip(("dark's", "light's"), plate.chutes, strict=False):
        yield Named(f"{whose} chute", chute)


def _top_openings(plate: Plate) -> Iterator[Named]:
    if plate.window is not None:
        yield Named("the display's window", plate.window)
    for button in plate.buttons():
        yield Named("a button's hole", button)
    for chute in plate.chutes:
        yield Named("a chute", chute)


def _between(one: Named, other: Named, needed: float) -> Iterator[Narrow]:
    left = gap(one.area, other.area)
    if left < needed - 1e-9:
        yield Narrow(one.name, other.name, left, needed)


def _within(field: Box, pocket: Named) -> Iterator[Narrow]:
    """A magnet in its square has to be nearer to its own reed than to any other."""
    left = _inside(field, bounds_of(pocket.area))
    if left < WALL / 2 - 1e-9:
        yield Narrow(pocket.name, "its square's side", left, WALL / 2)


def _inside(outer: Box, inner: Box) -> float:
    """Millimetres between a box and the nearest side of the one that it lies in."""
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
