"""The printed enclosure and the panel's board agree on their dimensions."""

import re
from pathlib import Path

import pytest

from wiring.boards.panel import panel

SCAD = (Path(__file__).parents[2] / "wiring" / "bodies" / "enclosure.scad").read_text("utf-8")


def pair(name: str) -> list[float]:
    found = re.search(rf"^{name} = \[([\d.]+), ([\d.]+)\];", SCAD, re.MULTILINE)
    assert found is not None
    return [float(each) for each in found.groups()]


def test_the_panel_s_board_fits() -> None:
    x, y = zip(*panel().outline, strict=True)
    assert pair("panel") == pytest.approx([max(x) - min(x), max(y) - min(y)])


def test_the_posts_are_below_the_panel_s_holes() -> None:
    left = min(x for x, _ in panel().outline)
    holes = {part.place[0] - left for part in panel().parts if part.reference.startswith("H")}
    assert pair("hole_x") == pytest.approx(sorted(holes))
