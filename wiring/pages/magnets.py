"""Tables of magnets, switches and gaps, estimated by wiring/magnets.py."""

from typing import Final

from wiring.magnets import (
    MT_PER_AT_LEAST,
    MT_PER_AT_MOST,
    Disc,
    Reed,
    aside_mm,
    clear_mm,
    reach_mm,
    suits,
)
from wiring.pages.markdown import table

DISCS: Final = (Disc(6, 3), Disc(8, 3), Disc(10, 3), Disc(10, 5))
GAPS_MM: Final = (5.0, 8.0, 12.0)
LOTS: Final = ((10.0, 15.0), (15.0, 20.0), (20.0, 25.0), (15.0, 25.0), (10.0, 40.0))
"""The ranges of ampere-turns in which switches are sold."""
TALLEST_PILE: Final = 7
"""Pieces in the largest pile that is checked: all of one side."""
STEP_MM: Final = 0.5
WIDEST_MM: Final = 25.0
LOWEST_AT: Final = 15.0
"""Ampere-turns of the most sensitive switch in the parts list."""


def parts() -> dict[str, str]:
    """Return every table by the name of its marker."""
    return {"magnets": _magnets(), "lots": _lots(), "reach": _reach()}


def _lots() -> str:
    """Return the table of the gaps that suit a lot of switches, for single pieces and for piles."""
    rows = [
        (_name(disc), *(f"{_gaps(disc, lot, 1)}; {_gaps(disc, lot, TALLEST_PILE)}" for lot in LOTS))
        for disc in DISCS
    ]
    heads = [f"{lowest:.0f} to {highest:.0f} AT" for lowest, highest in LOTS]
    return table(["magnet (N42)", *heads], rows)


def _gaps(disc: Disc, lot: tuple[float, float], piles: int) -> str:
    steps = range(round(2 / STEP_MM), round(WIDEST_MM / STEP_MM) + 1)
    found = [step * STEP_MM for step in steps if suits(disc, lot, step * STEP_MM, piles)]
    return f"{found[0]:g} to {found[-1]:g}" if found else "none"


def _magnets() -> str:
    """Return the table of the offset at which a piece is detected and a neighbour is not."""
    rows = []
    for disc in DISCS:
        cells = (_cell(disc, gap) for gap in GAPS_MM)
        rows.append((_name(disc), *cells, f"{reach_mm(disc, Reed()):.0f} mm"))
    gaps = [f"gap {gap:.0f} mm" for gap in GAPS_MM]
    return table(["magnet (N42)", *gaps, "closes up to a gap of"], rows)


def _cell(disc: Disc, gap: float) -> str:
    aside = aside_mm(disc, Reed(), gap)
    if not aside:
        return "does not close"
    return f"offset {aside:.0f} mm, neighbours from {clear_mm(disc, gap, LOWEST_AT):.0f} mm"


def _reach() -> str:
    """Return the table of the gap at which a switch closes, with its uncertainty."""
    rows = [
        (
            _name(disc),
            *(
                f"{reach_mm(disc, reed):.0f} ({reach_mm(disc, reed, MT_PER_AT_MOST):.0f} to "
                f"{reach_mm(disc, reed, MT_PER_AT_LEAST):.0f})"
                for reed in (Reed(14, 15), Reed(14, 20), Reed(14, 25), Reed(10, 15))
            ),
            "",
        )
        for disc in DISCS
    ]
    heads = [
        "magnet (N42)",
        "14 mm, 15 AT",
        "14 mm, 20 AT",
        "14 mm, 25 AT",
        "10 mm, 15 AT",
        "yours",
    ]
    return table(heads, rows)


def _name(disc: Disc) -> str:
    return f"{disc.diameter_mm:.0f} x {disc.height_mm:.0f} mm"
