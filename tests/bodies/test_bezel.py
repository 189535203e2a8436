"""The printed bezel and the template agree on the display."""

import re
from pathlib import Path

import pytest

from urpi.hardware.template import OLEDS
from urpi.hardware.template.plate import WINDOW_ROOM

SCAD = (Path(__file__).parents[2] / "wiring" / "bodies" / "bezel.scad").read_text("utf-8")


def number(name: str) -> float:
    found = re.search(rf"^{name} = ([\d.]+);", SCAD, re.MULTILINE)
    assert found is not None
    return float(found[1])


def test_both_have_the_same_active_areas() -> None:
    small, large = re.findall(r"\[([\d.]+), ([\d.]+)\]", SCAD.split("seen =")[1].split(";")[0])
    assert [tuple(map(float, seen)) for seen in (small, large)] == [
        OLEDS["0.96"].seen,
        OLEDS["1.3"].seen,
    ]


def test_the_collar_fits_into_the_window_with_clearance() -> None:
    air = WINDOW_ROOM - number("room") - number("collar")
    assert air == pytest.approx(0.2)


def test_the_flange_covers_the_window_s_edge() -> None:
    assert number("room") + number("collar") + number("flange") > WINDOW_ROOM + 2
