"""What is made from code is as the code says, and tells all that there is."""

from pathlib import Path

import pytest

from docs.generator import PAGES, findings, warnings
from docs.generator.api import a_page
from urpi.config import Config
from urpi.config.sections import each_section
from urpi.devices import default_pins
from urpi.doctor import Level
from urpi.doctor import findings as findings_of
from urpi.referee.line_types import DECISION_TYPES, FACT_TYPES, Type
from urpi.rules import RULE_SETS
from urpi.web.app import operations_of
from urpi.web.openapi import openapi_document
from urpi.words.sentences import TABLES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_fresh(name: str) -> None:
    assert (DOCS / name).read_text("utf-8") == PAGES[name](), "stale: run `make generated`"


def test_no_page_is_left_of_what_is_generated_no_more() -> None:
    marked = {
        str(path.relative_to(DOCS))
        for path in DOCS.rglob("*.md")
        if path.read_text("utf-8").startswith("<!-- Made by `make generated`")
    }
    assert marked <= set(PAGES)


def test_every_rule_set_has_its_page_with_its_way_and_stands_in_the_list() -> None:
    for name in RULE_SETS:
        assert f"]({name}.svg)" in PAGES[f"play/{name}.md"]()
        assert f"]({name}.md)" in PAGES["play/index.md"]()
        assert f"play/{name}.svg" in PAGES


def test_every_key_of_the_configuration_stands_on_its_page() -> None:
    page = PAGES["reference/configuration.md"]()
    for section, _, entries in each_section(Config()):
        told = page.split(f"\n## [{section}]\n")[1].split("\n## ")[0]
        assert [one.field.name for one in entries if f"| `{one.field.name}` |" not in told] == []


def test_the_api_s_page_tells_what_its_description_does() -> None:
    page = PAGES["reference/api.md"]()
    with a_page() as served:
        described = openapi_document(operations_of(served))["paths"]
    paths = {f"`{method.upper()} {path}`" for path, told in described.items() for method in told}
    assert [path for path in paths if path not in page] == []


@pytest.mark.parametrize("told", [*FACT_TYPES, *DECISION_TYPES], ids=lambda told: told.name)
def test_every_type_of_line_and_its_keys_are_told_of_in_the_formats(told: Type) -> None:
    formats = (DOCS / "design" / "FORMATS.md").read_text("utf-8")
    stream = formats.split("\n## Event stream\n")[1].split("\n## ")[0]
    rows = [row for row in stream.splitlines() if row.startswith("|") and f"`{told.name}`" in row]
    assert rows
    # What a record that was read has besides is told with the archive; sides are the table's own.
    keys = {key.name for key in told.keys} - {"side"}
    assert [key for key in keys if not any(f"`{key}`" in row for row in rows)] == []


@pytest.mark.parametrize("part", warnings.CODES)
def test_every_code_is_explained_and_no_other(part: str) -> None:
    explained = warnings.MEANINGS[part]
    assert set(explained) == set(warnings.CODES[part])
    assert [
        code for code, told in explained.items() if not told.meaning.endswith((".", ")."))
    ] == []


def test_every_table_of_sentences_is_on_the_page() -> None:
    assert {id(table) for table in warnings.CODES.values()} == {id(table) for table in TABLES}


def test_no_example_has_a_word_in_braces() -> None:
    assert "{" not in PAGES["operate/warnings.md"]()


def test_the_doctor_finds_a_machine_right_on_which_all_is() -> None:
    found = findings_of(findings.WELL, Config(), default_pins())
    assert [one for one in found if one.level is not Level.RIGHT] == []
