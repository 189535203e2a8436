"""A wiring diagram in the input format of WireViz: parts with pins, cables with coloured wires.

It is independent of the board; the modules of the diagrams define the connections.
"""

from dataclasses import dataclass, field
from typing import Any, Final

from wiring.draw.colours import of_signal

FONT: Final = "arial"
PAPER: Final = "#FFFFFF"
OURS: Final = "#F4ECDC"
BOUGHT: Final = "#E3ECF3"


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin of a part: its number or printed name, and its label."""

    number: int | str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Lead:
    """A wire of a cable: its colour, and the pins at both ends."""

    colour: str
    start: int | str
    end: int | str


def ground(start: int | str, end: int | str) -> Lead:
    """Return a ground wire, which is black."""
    return Lead(of_signal("ground"), start, end)


def supply(start: int | str, end: int | str) -> Lead:
    """Return a 3.3 V wire, which is red."""
    return Lead(of_signal("supply"), start, end)


@dataclass
class Plan:
    """A diagram under construction."""

    title: str
    connectors: dict[str, Any] = field(default_factory=dict)
    cables: dict[str, Any] = field(default_factory=dict)
    connections: list[Any] = field(default_factory=list)

    def part(self, name: str, about: str, pins: list[Pin], notes: str = "", fill: str = "") -> str:
        """Add a part and return its name, for `cable`."""
        self.connectors[name] = {
            "type": about,
            "pins": [pin.number for pin in pins],
            "pinlabels": [pin.label for pin in pins] if any(pin.label for pin in pins) else [],
            "show_pincount": False,
            "bgcolor": fill or BOUGHT,
            "bgcolor_title": PAPER,
            **({"notes": notes} if notes else {}),
        }
        return name

    def cable(self, name: str, start: str, end: str, leads: list[Lead], notes: str = "") -> None:
        """Connect two parts with a cable."""
        self.cables[name] = {
            "wirecount": len(leads),
            "colors": [lead.colour for lead in leads],
            "show_wirecount": False,
            "show_wirenumbers": False,
            "bgcolor_title": PAPER,
            **({"notes": notes} if notes else {}),
        }
        self.connections.append(
            [
                {start: [lead.start for lead in leads]},
                {name: list(range(1, len(leads) + 1))},
                {end: [lead.end for lead in leads]},
            ]
        )

    def page(self) -> dict[str, Any]:
        """Return the input for WireViz."""
        return {
            "metadata": {"title": self.title},
            "options": {"fontname": FONT, "bgcolor": PAPER, "color_mode": "full"},
            "connectors": self.connectors,
            "cables": self.cables,
            "connections": self.connections,
        }
