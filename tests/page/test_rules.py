"""The operations that explain a rule set."""

import xml.etree.ElementTree as ET
from urllib.parse import quote

import pytest

from tests.page.client import Client
from tests.slow import mostly_slow, slow_except
from urpi.page.rules import rules_page_document, rules_sheet
from urpi.rules import RULE_SETS, SQUARE_NAMES, rule_set
from urpi.show.words import languages, words_for

EN = words_for("en")


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_document_has_a_line_the_sections_and_notes_on_squares(
    reader: Client, name: str
) -> None:
    page = reader.get(f"/api/rules?rules={name}").json
    assert page["rules"] == name
    assert page["about"]
    headings = [one["heading"] for one in page["sections"]]
    assert headings[:5] == ["Aim", "In short", "What you need", "Dice", "Your path"]
    assert set(page["squares"]) <= set(SQUARE_NAMES)
    assert "A1" in page["squares"]


def test_the_default_is_the_current_game_s_rule_set(reader: Client) -> None:
    current = reader.get("/api/state").json["rules"]["text"]
    assert reader.get("/api/rules").json["rules"] == current


def test_the_notes_on_squares_depend_on_the_options(reader: Client) -> None:
    def note(rules: str) -> str:
        return " ".join(reader.get(f"/api/rules?rules={quote(rules)}").json["squares"]["B4"])

    assert "is safe" in note("finkel3")
    assert "is not safe" in note("finkel3[safe_rosettes=no]")


def test_a_square_without_a_special_rule_has_no_note() -> None:
    assert "B2" not in rules_page_document(rule_set("finkel"), EN)["squares"]


@pytest.mark.parametrize("path", ["/api/rules", "/api/rules.html", "/api/path.svg"])
@pytest.mark.parametrize("rules", ["nothing", "finkel[pieces=9]", "finkel[", "x" * 200, "<b>"])
def test_an_invalid_rule_set_is_rejected(reader: Client, path: str, rules: str) -> None:
    answer = reader.get(f"{path}?rules={quote(rules)}")
    assert answer.status == 404
    assert answer.json["code"] == "not-found"


@pytest.mark.parametrize(
    "path",
    [
        "/api/path.svg",
        "/api/path.svg?rules=murray&side=dark",
        "/api/rule.svg",
        "/api/rule.svg?name=forts",
    ],
)
def test_a_picture_is_svg(reader: Client, path: str) -> None:
    assert ET.fromstring(reader.get(path).body).tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize(
    "rules", mostly_slow([*RULE_SETS, "finkel[pieces=3]", "murray[exit_row=opponent]"], 4)
)
def test_every_picture_of_a_page_is_drawn(reader: Client, rules: str) -> None:
    page = reader.get(f"/api/rules?rules={quote(rules)}").json
    names = [
        one["name"]
        for section in page["sections"]
        for item in section["items"]
        for one in item["pictures"]
    ]
    assert len(names) == len(set(names))
    for name in names:
        drawn = reader.get(f"/api/rule.svg?rules={quote(rules)}&name={quote(name)}").body
        assert ET.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize(
    "name", ["nothing", "turn-3-after", "turn-1", "path-nobody", "squares-A9", "x" * 200, ""]
)
def test_an_unknown_picture_is_not_found(reader: Client, name: str) -> None:
    answer = reader.get(f"/api/rule.svg?rules=finkel&name={name}")
    assert answer.status == 404
    assert answer.json["code"] == "not-found"


def test_the_path_s_picture_depends_on_the_options(reader: Client) -> None:
    own, enemy = (
        reader.get(f"/api/path.svg?rules={quote(f'murray[loop={loop}]')}").body
        for loop in ("own-first", "opponent-first")
    )
    assert own != enemy


@pytest.mark.parametrize("language", slow_except(languages(), "ar"))
def test_the_sheet_is_in_the_language_and_complete(language: str) -> None:
    words = words_for(language)
    for name in RULE_SETS:
        sheet = rules_sheet(rule_set(name), words)
        page = rules_page_document(rule_set(name), words)
        assert f'<html lang="{language}"' in sheet
        assert "<script" not in sheet
        assert sheet.count("<h2>") == len(page["sections"])
        pictures = [one for part in page["sections"] for item in part["items"]
                    for one in item["pictures"]]  # fmt: skip
        assert sheet.count("<figure") == len(pictures) >= 10


def test_the_sheet_loads_nothing_and_runs_no_script(reader: Client) -> None:
    answer = reader.get("/api/rules.html?rules=bell")
    policy = answer.headers["content-security-policy"]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"
    assert b"src=" not in answer.body
