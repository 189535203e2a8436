"""The small pictures that explain a rule."""

import re
import xml.etree.ElementTree as ET
from math import dist

import pytest

from tests.rules.compare import every_rule_set
from urpi.rules import RULE_SETS
from urpi.show.svg.rule_pictures import NAMES, RADIUS, rule_picture
from urpi.show.words import words_for
from urpi.show.words.rules_text import highlights

SVG = "{http://www.w3.org/2000/svg}"
WORDS = words_for("en")


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_a_document_with_unique_ids(name: str) -> None:
    picture = ET.fromstring(rule_picture(name))
    ids = [one.get("id") for one in picture.iter() if one.get("id")]
    assert picture.tag == f"{SVG}svg"
    assert len(ids) == len(set(ids))
    used = {one.get("href", "")[1:] for one in picture.iter(f"{SVG}use")}
    assert used <= set(ids)


def test_no_two_pictures_are_the_same() -> None:
    assert len({rule_picture(name) for name in NAMES}) == len(NAMES)


@pytest.mark.parametrize("name", RULE_SETS)
def test_each_rule_that_has_a_picture_is_drawn(name: str) -> None:
    for rules in every_rule_set(name):
        pictures = [one.picture for one in highlights(rules, WORDS)]
        assert pictures
        assert set(pictures) <= set(NAMES)


def test_every_picture_explains_a_rule() -> None:
    used = {
        one.picture
        for name in RULE_SETS
        for rules in every_rule_set(name)
        for one in highlights(rules, WORDS)
    }
    assert used == set(NAMES)


def test_a_captured_piece_lies_at_the_end_of_its_way_and_covers_no_other() -> None:
    captures = 0
    for name in NAMES:
        picture = ET.fromstring(rule_picture(name))
        circles = picture.iter(f"{SVG}circle")
        pieces = [
            (float(one.attrib["cx"]), float(one.attrib["cy"]))
            for one in circles
            if one.get("r") == f"{RADIUS:g}"
        ]
        for way in picture.iter(f"{SVG}path"):
            if way.get("stroke-dasharray"):
                captures += 1
                *_, x, y = map(float, re.findall(r"-?[\d.]+", way.attrib["d"]))
                (piece,) = (one for one in pieces if dist(one, (x, y)) < 2 * RADIUS)
                assert all(dist(piece, other) > 2 * RADIUS for other in pieces if other != piece)
    assert captures
