"""The API's schemas contain only what `urpi.core.json_schema` checks."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.core.errors import UrpiError
from urpi.core.json_schema import Schema, check
from urpi.http.operations import NUMBER, SIDE
from urpi.page.actions import ANSWER, NEW_GAME, settings_schema
from urpi.page.games import FILTERS
from urpi.page.sessions import PIN
from urpi.page.virtual_bodies import POSTINGS

CHECKED = {
    "object": {"properties", "required", "additionalProperties", "minProperties"},
    "array": {"items", "maxItems", "uniqueItems"},
    "string": {"enum", "pattern", "maxLength"},
    "integer": {"minimum", "maximum"},
    "boolean": set(),
    "null": set(),
}
CHECKED_ELSEWHERE = {"format", "oneOf"}
"""`games._day` checks the format of a day, `virtual_bodies._lift` its two alternatives."""


def parts(schema: Schema) -> Iterator[Schema]:
    """Yield a schema and the schemas that it contains."""
    yield schema
    contained = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    if "properties" not in schema:
        contained += schema.get("oneOf", ())
    if "items" in schema:
        contained.append(schema["items"])
    for each in contained:
        yield from parts(each)


def unchecked(schema: Schema) -> set[str]:
    match schema:
        case {"const": _} | {"anyOf": _}:
            return set(schema) - {"const", "anyOf"}
        case {"oneOf": _} if "properties" not in schema:
            return set(schema) - {"oneOf"}
    return set(schema) - {"type"} - CHECKED[schema["type"]] - CHECKED_ELSEWHERE


def test_every_keyword_of_the_schemas_is_checked() -> None:
    schemas: list[Any] = [ANSWER, NEW_GAME, PIN, NUMBER, SIDE, settings_schema()]
    schemas += [posting.schema for posting in POSTINGS]
    schemas += FILTERS.values()
    found = {keyword for schema in schemas for part in parts(schema) for keyword in unchecked(part)}
    assert found == set()


@given(before=st.text(), after=st.text())
def test_no_text_contains_a_nul_character(before: str, after: str) -> None:
    with pytest.raises(UrpiError, match="without NUL"):
        check(f"{before}\0{after}", {"type": "string"}, "name")
