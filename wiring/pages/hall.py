"""Tables of what Hall sensors tell of the pieces, calculated by wiring/hall.py."""

from typing import Final

from wiring.hall import (
    ADS7828,
    ADS7830,
    SENSORS,
    TALL_MM,
    Design,
    fitting,
    grows_to,
    lifts,
    pole_aside_mm,
)
from wiring.magnets import Disc
from wiring.pages.markdown import table

PIECES: Final = (
    (Disc(8, 3), TALL_MM),
    (Disc(6, 3), TALL_MM),
    (Disc(5, 2), TALL_MM),
    (Disc(4, 1), TALL_MM),
    (Disc(3, 1), TALL_MM),
    (Disc(4, 2), 10.0),
)
"""Magnets, and the heights of their pieces."""
GAPS_MM: Final = (5.0, 8.0, 12.0)
ASIDE_MM: Final = 5.0
SINGLE: Final = (Disc(6, 3), 8.0)
MIXED: Final = (Disc(3, 1), 5.0)
"""The magnet and gap of the two designs that the page recommends: without and with mixed piles."""
SCANS_PER_S: Final = 50
SQUARES: Final = 20


def parts() -> dict[str, str]:
    """Return every table by the name of its marker."""
    return {"separation": _separation(), "sensors": _sensors(), "bus": _bus()}


def _separation() -> str:
    rows = [_row(fitting(disc, gap_mm, tall_mm)) for disc, tall_mm in PIECES for gap_mm in GAPS_MM]
    heads = [
        "magnet (N42), height of the piece",
        "gap",
        "sensor",
        "pole certain",
        "changes seen, in the middle",
        "5 mm aside",
        "opposite pole on top",
    ]
    return table(heads, rows)


def _row(design: Design) -> tuple[str, ...]:
    force = lifts(design)
    disc = design.disc
    return (
        f"{disc.diameter_mm:.0f} x {disc.height_mm:.0f} mm, {design.tall_mm:g} mm",
        f"{design.gap_mm:.0f} mm",
        design.sensor.name,
        _pole(design),
        _pieces(grows_to(design, 0.0)),
        _pieces(grows_to(design, ASIDE_MM)),
        f"{'thrown off' if force > 1 else 'stays'}: {force:.{0 if force > 2 else 1}f} weights",
    )


def _pole(design: Design) -> str:
    aside = pole_aside_mm(design)
    return "never" if aside is None else f"up to {aside:g} mm aside"


def _pieces(count: int) -> str:
    return "never" if count == 0 else "a single piece" if count == 1 else f"up to {count} pieces"


def _sensors() -> str:
    rows = []
    for sensor in SENSORS:
        for converter in (ADS7830, ADS7828):
            designs = [Design(*magnet, sensor, converter) for magnet in (SINGLE, MIXED)]
            cells = [f"{_pole(each)}; {_pieces(grows_to(each, 0.0))}" for each in designs]
            rows.append((f"{sensor.name}, {converter.name}", *cells))
    heads = [
        f"{disc.diameter_mm:.0f} x {disc.height_mm:.0f} mm, gap {gap:.0f} mm"
        for disc, gap in (SINGLE, MIXED)
    ]
    return table(["sensor, converter", *heads], rows)


def _bus() -> str:
    rows = []
    for converter in (ADS7830, ADS7828):
        scan_us = converter.scan_us(SQUARES)
        share = scan_us * SCANS_PER_S / 1e6
        rows.append((converter.name, f"{scan_us / 1000:.2f} ms", f"{share:.0%}"))
    return table(
        ["converter", "a scan of 20 squares", f"bus at {SCANS_PER_S} scans a second"], rows
    )
