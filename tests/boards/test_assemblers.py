"""The files for assemblers say what KiKit reads in the projects, in KiCad's own root directory."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.boards.kikit import Row, exported, lacking, rows
from wiring.boards.order import BOARDS, NAMES, ROOT, order, variants

WORK = ROOT / "build" / "boards" / "tests"


class Made(NamedTuple):
    """A variant of a board in `WORK`: its name, and a project with its parts alone."""

    title: str
    project: Path


@cache
def ordered(name: str) -> None:
    order(name, WORK)


@pytest.fixture(
    scope="module",
    params=[(name, title) for name in NAMES for title in variants(name)],
    ids=lambda param: param[1],
)
def made(request: pytest.FixtureRequest) -> Made:
    """A variant of a board, whose files and project are in `WORK`."""
    name, title = request.param
    ordered(name)
    every, fitted = (
        {part.reference for part in board.parts}
        for board in (BOARDS[name](), variants(name)[title])
    )
    return Made(title, lacking(WORK / "projects" / name, title, every - fitted))


def by_designator(parts: list[Row]) -> dict[str, Row]:
    """Return the rows by designator; each is there once, and none is a range."""
    names = [name for row in parts for name in row["Designator"].split(",")]
    assert len(names) == len(set(names))
    assert all(name.isalnum() for name in names)
    return {name: row for row in parts for name in row["Designator"].split(",")}


def same_places(ours: list[Row], theirs: list[Row]) -> None:
    """Both place the same parts, at the same places, on the same sides, at the same angles."""
    found, expected = by_designator(ours), by_designator(theirs)
    assert found.keys() == expected.keys()
    for name, row in found.items():
        other = expected[name]
        for axis in ("Mid X", "Mid Y"):
            assert float(row[axis].removesuffix("mm")) == pytest.approx(
                float(other[axis]), abs=0.006
            )
        assert row["Layer"][0] == other["Layer"], name
        assert float(row["Rotation"]) % 360 == pytest.approx(float(other["Rotation"]) % 360), name


def test_jlcpcb_gets_the_parts_and_places_that_kikit_exports(made: Made) -> None:
    title = made.title
    options = ("--field", "LCSC", "--corrections", "JLCPCB_CORRECTION")
    parts, places = exported("jlcpcb", made.project, *options)
    found = by_designator(rows(WORK / f"{title}-jlcpcb-bom.csv"))
    expected = by_designator(parts)
    assert found.keys() == expected.keys()
    for ref, row in found.items():
        assert row["JLCPCB Part #"] == expected[ref]["LCSC"]
        assert row["Value"] == expected[ref]["Comment"]
        assert row["Footprint"] == expected[ref]["Footprint"].removeprefix("urpi:")
    positions = rows(WORK / f"{title}-jlcpcb-cpl.csv")
    same_places(positions, places)
    assert by_designator(positions).keys() == found.keys()


def test_pcbway_gets_the_parts_and_places_that_kikit_exports(made: Made) -> None:
    title = made.title
    options = ("--manufacturer", "Manufacturer", "--partNumber", "MPN", "--missingError")
    parts, places = exported("pcbway", made.project, *options)
    found = by_designator(rows(WORK / f"{title}-pcbway-bom.csv"))
    expected = by_designator(parts)
    assert found.keys() == expected.keys()
    for ref, row in found.items():
        for column in ("Qty", "Manufacturer", "Mfg Part #", "Type"):
            assert row[column] == expected[ref][column], (ref, column)
    positions = rows(WORK / f"{title}-pcbway-centroid.csv")
    same_places(positions, places)
    assert by_designator(positions).keys() == found.keys()
