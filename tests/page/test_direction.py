"""The pages of languages that are written from right to left."""

import json
import re

import pytest

from tests.each import each
from urpi.page import replay_file, rules
from urpi.page.site import STATIC
from urpi.show.evidence import page as evidence
from urpi.show.review_report import page as review
from urpi.show.stats_report import charts
from urpi.show.svg import html_document
from urpi.show.words.words import RIGHT_TO_LEFT

SIDED = re.compile(
    r"(?:margin|padding|border)-(?:left|right)\b|text-align: *(?:left|right)\b|float:"
    r"|(?:margin|padding): *[\w.]+ (?P<right>[\w.]+) [\w.]+ (?!(?P=right);)[\w.]+;"
    r"|inset (?!0)[^;]*px 0 var"
)
"""A side of an element by its name on the screen, where the side of the writing is meant."""
SHEETS = {
    **{path.name: path.read_text("utf-8") for path in sorted(STATIC.rglob("*.css"))},
    "replay": replay_file._STYLE,
    "rules": rules.STYLE,
    "evidence": evidence.STYLE,
    "review": review._STYLE,
    "statistics": charts.PAGE_STYLE,
}


@each("name", SHEETS)
def test_no_style_has_a_side_that_the_writing_does_not_turn(name: str) -> None:
    assert [found[0] for found in SIDED.finditer(SHEETS[name])] == []


@pytest.mark.parametrize(
    "style",
    [
        "margin-left: auto",
        "text-align: right;",
        "padding: 1px 2px 3px 4px;",
        "inset 4px 0 var(--x)",
    ],
)
def test_a_side_by_its_name_is_found(style: str) -> None:
    assert SIDED.search(style)


def test_the_scripts_know_the_languages_that_are_written_from_right_to_left() -> None:
    script = (STATIC / "js" / "translation.js").read_text("utf-8")
    (found,) = re.findall(r"const RIGHT_TO_LEFT = (\[[^\]]*\]);", script)
    assert set(json.loads(found)) == RIGHT_TO_LEFT


def test_the_parts_of_a_line_are_joined_where_each_keeps_its_direction() -> None:
    scripts = (path.read_text("utf-8") for path in (STATIC / "js").rglob("*.js"))
    assert sum(script.count('.join(" · ")') for script in scripts) == 1


def test_a_document_has_the_direction_of_its_language() -> None:
    assert '<html lang="ar" dir="rtl">' in html_document("<head/>", "", "ar", "rtl")
    assert '<html lang="pt">' in html_document("<head/>", "", "pt", "ltr")


def test_a_tour_s_signs_point_where_the_writing_goes() -> None:
    css = SHEETS["table.css"]
    for sign in ("does::before", "next::after"):
        assert f':root[dir="rtl"] .tour-{sign} ' in css
