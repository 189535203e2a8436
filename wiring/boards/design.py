"""What a circuit board consists of: parts with their nets and places, outline, and texts.

Lengths are in millimetres. On the board x points right and y down, from the upper left corner of
the outline; angles are in degrees, counterclockwise.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from wiring.boards import library
from wiring.boards.library import Pin, turned

Point = tuple[float, float]


@dataclass(frozen=True)
class Part:
    """A part of a board.

    Attributes:
        reference: such as "R1".
        value: such as "1k"; it is printed in the schematic and in the list of parts.
        symbol: its name in library/.
        footprint: the same for the footprint.
        nets: net of each connected pin, by the pin's number. Other pins are left open.
        place: x, y and angle on the board.
        sheet: x and y in the schematic, multiples of 2.54.
        label: x, y and angle of the reference on the board, relative to the part before it is
            turned; None for the place that the footprint has for it.
        hidden: True if the reference is not printed on the board.
        back: True if the part is on the back. Its place is as seen from the front; its footprint is
            mirrored top to bottom, and then turned.
        only: the variants of the board that have the part; none for all.
    """

    reference: str
    value: str
    symbol: str
    footprint: str
    nets: Mapping[str, str]
    place: tuple[float, float, float]
    sheet: Point
    label: tuple[float, float, float] | None = None
    hidden: bool = False
    back: bool = False
    only: frozenset[str] = frozenset()

    def net_of(self, pin: Pin) -> str:
        """Return the net of a pin; an open one has a net of its own, named as KiCad does."""
        if pin.number in self.nets:
            return self.nets[pin.number]
        name = "" if pin.name in {"", "~", pin.number} else f"{pin.name.replace('/', '{slash}')}-"
        return f"unconnected-({self.reference}-{name}Pad{pin.number})"

    def pads(self) -> list["PlacedPad"]:
        """Return the pads at their places on the board."""
        nets = {pin.number: self.net_of(pin) for pin in library.pins(self.symbol)}
        x, y, angle = self.place
        placed = []
        for pad in library.pads(self.footprint):
            if self.back:
                pad = _mirrored(pad)  # noqa: PLW2901
            dx, dy = turned(pad.x, pad.y, angle)
            placed.append(PlacedPad(nets.get(pad.number, ""), (x + dx, y + dy), pad, angle))
        return placed


def _mirrored(pad: library.Pad) -> library.Pad:
    """Return a pad of a footprint that is moved to the other side."""
    return replace(pad, y=-pad.y, angle=-pad.angle, front=pad.back, back=pad.front)


@dataclass(frozen=True)
class PlacedPad:
    """A pad on the board: its net ("" for none), its middle, and the angle of its part."""

    net: str
    at: Point
    pad: library.Pad
    turn: float


@dataclass(frozen=True)
class Laid:
    """Copper that is laid before the tracks are routed: a wide track, or a via at a single point.

    Attributes:
        net: its net.
        layer: 0 is the front, 1 the back; of no meaning for a via.
        points: the ends of its straight parts.
        width: of the track.
    """

    net: str
    layer: int
    points: tuple[Point, ...]
    width: float = 1.0


@dataclass(frozen=True)
class Text:
    """A text on the silkscreen, around its middle. `height` is that of a capital letter."""

    text: str
    at: Point
    height: float = 1.0
    angle: float = 0.0
    back: bool = False


@dataclass(frozen=True)
class Rules:
    """Widths and distances of the copper.

    With `ground`, pads on ground rely on the areas of ground on both sides; without, on a board
    that is too crowded for that, tracks connect them, too. `haste` above 1 finds tracks of large
    boards sooner, and not always the shortest. With `islands`, parts of the areas of ground that
    tracks separate are connected with the others.
    """

    track: float = 0.4
    clearance: float = 0.25
    via: float = 0.8
    drill: float = 0.4
    to_edge: float = 0.5
    step: float = 0.3175
    haste: float = 1.0
    ground: bool = True
    islands: bool = False


@dataclass(frozen=True)
class Keepout:
    """An area without vias, and without copper on the given layers, except for pads.

    Attributes:
        name: why, such as "antenna".
        corners: its corners.
        layers: 0 is the front, 1 the back.
        tracks: False if tracks may cross it, so that only vias and areas of ground are kept out.
    """

    name: str
    corners: tuple[Point, ...]
    layers: tuple[int, ...] = (0, 1)
    tracks: bool = True


@dataclass(frozen=True)
class Board:
    """A circuit board of two layers, with ground on both.

    Attributes:
        name: name of the project's folder and files.
        title: printed in the schematic's title block.
        outline: corners of the board.
        parts: everything that is in the schematic.
        rails: nets that have a label at each pin in the schematic; the others have wires.
        supplied: nets that a part outside the schematic supplies, for its check of the rules.
        texts: texts on the silkscreen.
        keepouts: areas without copper, below an antenna or a sensor.
        laid: copper that is laid before the tracks are routed.
        cuts: areas that may be cut off. Only nets with a pad there may have tracks there.
        variants: names of the ways in which the board is populated; none for a single one.
        notes: sentences in the schematic, with their places.
        paper: size of the schematic's sheet.
        thickness: of the board.
        revision: number that is printed on the board and in the title block; a change of copper or
            parts that a maker has to know increases it.
    """

    name: str
    title: str
    outline: tuple[Point, ...]
    parts: tuple[Part, ...]
    rails: tuple[str, ...] = ("GND", "3V3")
    supplied: tuple[str, ...] = ("GND",)
    texts: tuple[Text, ...] = ()
    keepouts: tuple[Keepout, ...] = ()
    laid: tuple[Laid, ...] = ()
    cuts: tuple[tuple[Point, ...], ...] = ()
    variants: tuple[str, ...] = ()
    notes: tuple[tuple[str, Point], ...] = ()
    rules: Rules = field(default_factory=Rules)
    paper: str = "A4"
    thickness: float = 1.6
    revision: int = 1

    @cached_property
    def nets(self) -> list[str]:
        """All nets in alphabetical order, without those of open pins."""
        return sorted({net for part in self.parts for net in part.nets.values()})

    def named(self, net: str) -> str:
        """Return KiCad's name of a net: that of a wire's label begins with the sheet, "/"."""
        local = net in self.nets and net not in self.rails
        return f"/{net}" if local else net

    def variant(self, name: str) -> "Board":
        """Return the board with the parts of a variant alone."""
        fitted = (part for part in self.parts if not part.only or name in part.only)
        return replace(self, parts=tuple(fitted))

    def pads(self) -> list[PlacedPad]:
        """Return the pads of all parts."""
        return [pad for part in self.parts for pad in part.pads()]


def rectangle(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    """Return the corners of a rectangle, clockwise from its upper left one."""
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
