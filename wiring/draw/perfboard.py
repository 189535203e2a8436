"""The hand-wired die on perforated board, from wiring/perfboard.toml: nets and drawings."""

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

from wiring.draw.svg import FONTS

LAYOUT: Final[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "perfboard.toml").read_text("utf-8")
)
ROWS: Final = "ABCDEF"
COLUMNS: Final[int] = LAYOUT["columns"]
_PITCH: Final = 48
_LEFT: Final = 40
_TOP: Final = 96
_WIDTH: Final = 2 * _LEFT + COLUMNS * _PITCH
_HEIGHT: Final = _TOP + len(ROWS) * _PITCH + 28
_COPPER: Final = "#b0702c"
_SUPPLY: Final = "#c03028"
_SHORT: Final = {"sensor": "S", "radio": "R", "cell": "cell", "LED": "LED"}


def pins() -> dict[int, str]:
    """Return the hole of each pin of the chip's 28-pin DIP."""
    first, last = LAYOUT["chip"]["first"][0], LAYOUT["chip"]["last"][0]
    lower = {pin: f"{first}{pin}" for pin in range(1, 15)}
    return lower | {pin: f"{last}{29 - pin}" for pin in range(15, 29)}


def nets() -> list[frozenset[str]]:
    """Return the sets of holes that bridges and wires connect; any other hole is on its own."""
    found: list[set[str]] = []
    for path in [*LAYOUT["bridges"], *LAYOUT["wires"]]:
        met = [net for net in found if net & set(path)]
        found = [net for net in found if net not in met] + [set(path).union(*met)]
    return [frozenset(net) for net in found]


def net_of(hole: str) -> frozenset[str]:
    """Return the holes that are connected with a hole, itself included."""
    return next((net for net in nets() if hole in net), frozenset({hole}))


@dataclass(frozen=True)
class _Side:
    """A side of the board; `turned` is the copper side, turned over left to right."""

    turned: bool

    def at(self, hole: str) -> tuple[float, float]:
        column = COLUMNS + 1 - int(hole[1:]) if self.turned else int(hole[1:])
        row = ROWS.index(hole[0])
        return _LEFT + (column - 0.5) * _PITCH, _TOP + (row + 0.5) * _PITCH

    def page(self, title: str, notes: Iterable[str], content: Iterable[str]) -> str:
        size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
        head = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{escape(FONTS)}">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
            _text((_WIDTH / 2, 26), title, 17),
            *(_text((_WIDTH / 2, 50 + 18 * at), note, 13) for at, note in enumerate(notes)),
        ]
        return "\n".join([*head, *self._board(), *content, "</svg>", ""])

    def _board(self) -> Iterator[str]:
        width, height = COLUMNS * _PITCH, len(ROWS) * _PITCH
        yield (
            f'<rect x="{_LEFT}" y="{_TOP}" width="{width}" height="{height}" rx="6" '
            'fill="#e8dcc0" stroke="#a08c60"/>'
        )
        for row in ROWS:
            x, y = self.at(f"{row}1")
            for at in (_LEFT - 16, _LEFT + width + 16):
                yield _text((at, y + 5), row, 14)
            for column in range(1, COLUMNS + 1):
                x, y = self.at(f"{row}{column}")
                yield f'<circle cx="{x:g}" cy="{y:g}" r="9" fill="#d8a860" stroke="{_COPPER}"/>'
                yield f'<circle cx="{x:g}" cy="{y:g}" r="3.5" fill="#ffffff"/>'
        for column in range(1, COLUMNS + 1):
            x, y = self.at(f"F{column}")
            yield _text((x, y + _PITCH / 2 + 18), str(column), 13)

    def chip(self) -> Iterator[str]:
        (x1, y1), (x2, y2) = self.at("B1"), self.at("E14")
        yield (
            f'<rect x="{x1 - 18:g}" y="{y1 + 16:g}" width="{x2 - x1 + 36:g}" '
            f'height="{y2 - y1 - 32:g}" rx="5" fill="#38383c"/>'
        )
        middle = (y1 + y2) / 2
        yield f'<circle cx="{x1 - 18:g}" cy="{middle:g}" r="10" fill="#e8dcc0"/>'
        yield _text(((x1 + x2) / 2, middle - 2), "ATmega328P, 28-pin DIP", 16, "#ffffff")
        for pin, hole in pins().items():
            x, y = self.at(hole)
            yield _text((x, y - 19 if hole[0] == "E" else y + 29), str(pin), 12, "#ffffff")
            yield f'<circle cx="{x:g}" cy="{y:g}" r="6" fill="#707078"/>'

    def regulator(self) -> Iterator[str]:
        holes = [self.at(hole) for hole in LAYOUT["regulator"]]
        (x1, y1), (x2, _) = holes[0], holes[-1]
        yield (
            f'<rect x="{x1 - 20:g}" y="{y1 - 9:g}" width="{x2 - x1 + 40:g}" height="30" rx="9" '
            'fill="#505058"/>'
        )
        for (x, y), name in zip(holes, ("GND", "VIN", "VOUT"), strict=True):
            yield _text((x, y + 8), name, 11, "#ffffff")

    def leads(self) -> Iterator[str]:
        for module, ends in LAYOUT["leads"].items():
            for name, hole in ends.items():
                x, y = self.at(hole)
                yield (
                    f'<rect x="{x - 22:g}" y="{y - 16:g}" width="44" height="32" rx="6" '
                    'fill="#fffbe8" stroke="#808080"/>'
                )
                yield _text((x, y - 3), _SHORT[module], 11)
                yield _text((x, y + 11), name, 12)

    def lines(self) -> Iterator[str]:
        for path in LAYOUT["bridges"]:
            yield _line([self.at(hole) for hole in path], "#808890", 9)
        for path in LAYOUT["wires"]:
            yield _line([self.at(hole) for hole in path], _SUPPLY, 4)

    def parts(self) -> Iterator[str]:
        for part in LAYOUT["parts"]:
            (x1, y1), (x2, y2) = map(self.at, part["holes"])
            x, y = (x1 + x2) / 2, (y1 + y2) / 2
            high = 18 if y1 == y2 else 38
            is_capacitor = part["value"][-1] in "nu"
            fill, colour = ("#c8d8f0", "#000000") if is_capacitor else ("#2c4870", "#ffffff")
            yield (
                f'<rect x="{x - 19:g}" y="{y - high / 2:g}" width="38" height="{high}" rx="3" '
                f'fill="{fill}" stroke="#203050"/>'
            )
            yield _text((x, y + 5), part["value"], 12, colour)


def above() -> str:
    """Return the drawing of the side with the chip, with the wires to the modules."""
    side = _Side(turned=False)
    notes = (
        "S: wire to the sensor, R: to the radio. All are soldered on the copper side.",
        "The regulator stands at F12 to F14 and leans over the chip.",
    )
    content = [*side.chip(), *side.regulator(), *side.leads()]
    return side.page("A die on perforated board, from above", notes, content)


def below() -> str:
    """Return the drawing of the copper side, turned over left to right."""
    side = _Side(turned=True)
    notes = (
        "Grey: bare wire along the holes. Red: insulated wire.",
        "Boxes: resistors (dark) and capacitors (light) of the size 0805 between two holes.",
    )
    content = [*side.lines(), *side.parts()]
    return side.page("A die on perforated board, from the copper side", notes, content)


def _text(at: tuple[float, float], text: str, size: int, colour: str = "#000000") -> str:
    x, y = at
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="middle" fill="{colour}">'
        f"{escape(text)}</text>"
    )


def _line(points: list[tuple[float, float]], colour: str, width: int) -> str:
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return (
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
        'stroke-linecap="round" stroke-linejoin="round" opacity="0.85"/>'
    )
