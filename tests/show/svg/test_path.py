"""The picture of a rule set's path."""

import re
import xml.etree.ElementTree as ET

import pytest

from urpi.rules import RULE_SETS, Side, rule_set
from urpi.rules.layout import PATHS
from urpi.show.svg.path import path_picture

SVG = "{http://www.w3.org/2000/svg}"
RACES = [name for name in RULE_SETS if rule_set(name).win_code == "off"]
ON_A_PATH = [name for name in RULE_SETS if name != "freecompany"]


def drawn(name, side=Side.LIGHT, **options):
    return ET.fromstring(path_picture(rule_set(name, options), side, "a path"))


def lines_of(picture):
    """Return the points of every line."""
    lines = [
        path.get("d")
        for path in picture.iter(f"{SVG}path")
        if path.get("class", "").split()[:1] == ["ur-way"]
    ]
    return [
        [tuple(map(float, pair)) for pair in re.findall(r"(-?[\d.]+) (-?[\d.]+)", line)]
        for line in lines
    ]


def inside(point):
    """Return whether a point lies on the three rows and eight columns of the board."""
    return 20 <= point[0] <= 340 and 18 <= point[1] <= 138


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("name", ON_A_PATH)
def test_every_visit_of_a_square_is_numbered(name, side):
    texts = drawn(name, side).iter(f"{SVG}text")
    numbers = [n for t in texts if t.get("class") == "ur-number" for n in t.text.split()]
    assert sorted(map(int, numbers)) == list(range(1, len(rule_set(name).path(side)) + 1))


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("name", ON_A_PATH)
def test_the_line_leaves_the_board_only_at_the_end_of_a_race(name, side):
    (line,) = lines_of(drawn(name, side))
    assert all(inside(point) for point in line[:-1])
    assert inside(line[-1]) == (name not in RACES)


@pytest.mark.parametrize("kind", PATHS)
def test_every_track_is_drawn_once_without_numbers(kind):
    picture = drawn("freecompany", path=kind)
    tracks = {frozenset(line) for line in lines_of(picture)}
    assert len(tracks) == len(lines_of(picture)) == sum(map(len, PATHS[kind])) // 2
    assert "ur-number" not in {text.get("class") for text in picture.iter(f"{SVG}text")}


def test_a_returning_path_lies_beside_itself():
    (line,) = lines_of(drawn("murray"))
    assert len(line) == len(set(line))
