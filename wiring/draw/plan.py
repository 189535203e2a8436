"""A wiring diagram as WireViz takes it: parts with pins, cables with coloured wires.

Knows no board; the diagrams' modules say what is joined with what.
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
    """One pin of a part: the number that is printed or counted, and what it is for."""

    number: int | str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Lead:
    """One wire of a cable: its colour, and the pins' numbers at both its ends."""

    colour: str
    start: int | str
    end: int | str


def ground(start: int | str, end: int | str) -> Lead:
    """The ground wire, which is black."""
    return Lead(of_signal("ground"), start, end)


def supply(start: int | str, end: int | str) -> Lead:
    """The 3.3 V wire, which is red."""
    return Lead(of_signal("supply"), start, end)


@dataclass
class Plan:
    """A diagram in the making."""

    title: str
    connectors: dict[str, Any] = field(default_factory=dict)
    cables: dict[str, Any] = field(default_factory=dict)
    connections: list[Any] = field(default_factory=list)

    def part(self, name: str, about: str, pins: list[Pin], notes: str = "", fill: str = "") -> str:
        """Add a part; its name, for `cable`."""
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
        """Join two parts."""
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
        """What WireViz parses."""
        return {
            "metadata": {"title": self.title},
            "options": {"fontname": FONT, "bgcolor": PAPER, "color_mode": "full"},
            "connectors": self.connectors,
            "cables": self.cables,
            "connections": self.connections,
        }
