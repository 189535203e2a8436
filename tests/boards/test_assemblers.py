"""The files for assemblers say what KiKit reads in the projects, in KiCad's own root directory."""

from pathlib import Path

import pytest

from tests.boards.kikit import Row, exported, rows
from wiring.boards.order import NAMES, ROOT, order

WORK = ROOT / "build" / "boards" / "tests"


@pytest.fixture(scope="module", params=NAMES)
def made(request: pytest.FixtureRequest) -> tuple[Path, str]:
    """Folder with the files of a board and its project, and the board's name."""
    order(request.param, WORK)
    return WORK, request.param


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


def test_jlcpcb_gets_the_parts_and_places_that_kikit_exports(made: tuple[Path, str]) -> None:
    folder, name = made
    options = ("--field", "LCSC", "--corrections", "JLCPCB_CORRECTION")
    parts, places = exported("jlcpcb", folder / "projects" / name, *options)
    found = by_designator(rows(folder / f"{name}-jlcpcb-bom.csv"))
    expected = by_designator(parts)
    assert found.keys() == expected.keys()
    for ref, row in found.items():
        assert row["JLCPCB Part #"] == expected[ref]["LCSC"]
        assert row["Value"] == expected[ref]["Comment"]
        assert row["Footprint"] == expected[ref]["Footprint"].removeprefix("urpi:")
    positions = rows(folder / f"{name}-jlcpcb-cpl.csv")
    same_places(positions, places)
    assert by_designator(positions).keys() == found.keys()


def test_pcbway_gets_the_parts_and_places_that_kikit_exports(made: tuple[Path, str]) -> None:
    folder, name = made
    options = ("--manufacturer", "Manufacturer", "--partNumber", "MPN", "--missingError")
    parts, places = exported("pcbway", folder / "projects" / name, *options)
    found = by_designator(rows(folder / f"{name}-pcbway-bom.csv"))
    expected = by_designator(parts)
    assert found.keys() == expected.keys()
    for ref, row in found.items():
        for column in ("Qty", "Manufacturer", "Mfg Part #", "Type"):
            assert row[column] == expected[ref][column], (ref, column)
    positions = rows(folder / f"{name}-pcbway-centroid.csv")
    same_places(positions, places)
    assert by_designator(positions).keys() == found.keys()
