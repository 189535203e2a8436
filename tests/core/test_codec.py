"""Objects are written and parsed by the fields of their classes."""

import json
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from urpi.core.codec import (
    REQUIRED,
    TEXT,
    WRITTEN,
    Codec,
    Kind,
    Named,
    Only,
    Type,
    list_of,
    matching,
    nested,
    short_text,
    whole,
)
from urpi.core.errors import UrpiError


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Label:
    text: Annotated[str, short_text(3)]
    code: Annotated[str, matching("[a-z]{2}", "two small letters")] = "aa"


@dataclass(frozen=True, slots=True)
class Box:
    size: Annotated[int, whole(1, 9)]
    colour: Colour
    state: Literal["open", "shut"]
    number: Annotated[int, whole(0, 3), Named("no")]
    lid: Annotated[str, Only("state", "shut")] = ""
    owner: str | None = None
    heavy: bool = False
    full: bool = True
    empty: Annotated[bool, WRITTEN] = False
    maker: Annotated[str, REQUIRED] = ""
    names: tuple[str, ...] = ()
    codes: Annotated[tuple[int, ...], list_of(whole(0, 9), "digits", 3, unique=True)] = ()
    label: Annotated[Label | None, nested(Label, "a label", "the label")] = None


@dataclass(frozen=True, slots=True)
class Bag:
    label: Annotated[Label, nested(Label, "a label such as {}", strict=False)]


STRICT: Codec[Any] = Codec(
    "a {}", (Type("box", Box, first=("colour",)), Type("bag", Bag)), constants={"v": 1}, strict=True
)
LENIENT: Codec[Any] = Codec("a {}", (Type("box", Box), Type("bag", Bag)), before=("size",))
SHUT = Box(3, Colour.BLUE, "shut", 2, "lid", "Zoë", heavy=True, full=False)
OPEN = Box(1, Colour.RED, "open", 0, names=("a", "b"), codes=(1, 2), label=Label("x", "bb"))


@pytest.mark.parametrize(
    ("box", "line"),
    [
        (
            SHUT,
            (
                '{"type":"box","v":1,"colour":"blue","size":3,"state":"shut","no":2,"lid":"lid",'
                '"owner":"Zoë","heavy":true,"full":false,"empty":false,"maker":""}'
            ),
        ),
        (
            OPEN,
            (
                '{"type":"box","v":1,"colour":"red","size":1,"state":"open","no":0,"empty":false,'
                '"maker":"","names":["a","b"],"codes":[1,2],"label":{"text":"x","code":"bb"}}'
            ),
        ),
        (Bag(Label("")), '{"type":"bag","v":1,"label":{"text":""}}'),
    ],
)
def test_an_object_is_written_in_the_order_of_its_keys_and_parsed(box: Any, line: str) -> None:
    assert STRICT.line_of(box) == line
    assert STRICT.parse(json.loads(line)) == box


def test_keys_can_precede_the_type() -> None:
    assert LENIENT.line_of(SHUT).startswith('{"size":3,"type":"box","colour":')
    assert LENIENT.parse(LENIENT.object_of(SHUT)) == SHUT


def test_unknown_keys_are_ignored_unless_the_format_is_strict() -> None:
    found = STRICT.object_of(SHUT) | {"more": 1}
    assert LENIENT.parse(found) == SHUT
    with pytest.raises(UrpiError, match=r"^a box has no other keys than type, v, .*'more'"):
        STRICT.parse(found)


def test_a_key_of_other_objects_is_neither_written_nor_read() -> None:
    found = STRICT.object_of(Box(1, Colour.RED, "open", 0, lid="lost"))
    assert "lid" not in found
    assert STRICT.parse(found | {"lid": 7}) == Box(1, Colour.RED, "open", 0)


@each(
    ("changes", "reason"),
    [
        ({"type": "can"}, "the type must be one of box, bag; found 'can'"),
        ({"type": ["box"]}, "the type must be one of box, bag; found \\['box'\\]"),
        ({"v": 1.0}, "v of a box must be 1; found 1.0"),
        ({"v": ...}, "v of a box must be 1; found none"),
        ({"size": 10}, "size of a box must be a whole number from 1 to 9; found 10"),
        ({"size": True}, "size of a box must be .*; found True"),
        ({"size": 1.0}, "size of a box must be .*; found 1.0"),
        ({"size": ...}, "a box needs the key size: a whole number from 1 to 9"),
        ({"maker": ...}, "a box needs the key maker: a text"),
        ({"lid": ...}, "a box needs the key lid"),
        ({"colour": "green"}, "colour of a box must be red or blue; found 'green'"),
        ({"colour": {}}, "colour of a box must be red or blue"),
        ({"state": None}, "state of a box must be open or shut; found None"),
        ({"owner": None}, "owner of a box must be a text; found None"),
        ({"owner": "\ud800"}, "owner of a box must be a text"),
        ({"heavy": False}, "heavy of a box must be true, or absent; found False"),
        ({"full": 1}, "full of a box must be true or false; found 1"),
        ({"names": "ab"}, "names of a box must be a list of texts"),
        ({"names": [1]}, "names of a box must be a list of texts"),
        ({"codes": [1, 1]}, "codes of a box must be digits; found \\[1, 1\\]"),
        ({"codes": [1, 2, 3, 4]}, "codes of a box must be digits"),
        ({"label": []}, "label of a box must be a label; found \\[\\]"),
        ({"label": {"text": "long"}}, "text of the label must be a text of at most 3 characters"),
        ({"label": {"text": "", "code": "ab\n"}}, "code of the label must be two small letters"),
        ({"label": {"text": "", "more": 1}}, "the label has no other keys than text, code"),
    ],
)
def test_an_invalid_object_is_rejected_with_its_key(changes: dict[str, Any], reason: str) -> None:
    found = STRICT.object_of(SHUT) | changes
    with pytest.raises(UrpiError, match=f"^{reason}") as raised:
        STRICT.parse({key: value for key, value in found.items() if value is not ...})
    assert "\n" not in str(raised.value)


def test_an_object_without_a_label_is_rejected_as_a_whole() -> None:
    bag = {"type": "bag", "label": {"text": "", "more": 1}}
    assert LENIENT.parse(bag) == Bag(Label(""))
    with pytest.raises(UrpiError, match=r"^label of a bag must be a label such as {}; found {"):
        LENIENT.parse(bag | {"label": {}})


def test_a_number_without_limits_is_refused_when_the_class_is_compiled() -> None:
    @dataclass(frozen=True)
    class Endless:
        size: int

    with pytest.raises(AssertionError, match="needs a Kind"):
        Type("endless", Endless)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
KEYS = sorted({"type", "v"} | STRICT.object_of(SHUT).keys() | STRICT.object_of(OPEN).keys())


@given(JSON, st.sampled_from(KEYS))
def test_any_value_of_any_key_is_accepted_or_rejected(value: Any, key: str) -> None:
    for found in (value, STRICT.object_of(SHUT) | {key: value}, {"type": "bag", "label": value}):
        for codec in (STRICT, LENIENT):
            try:
                parsed = codec.parse(found)
            except UrpiError as error:
                assert "\n" not in str(error)  # noqa: PT017 - not every value is invalid
            else:
                assert codec.parse(json.loads(codec.line_of(parsed))) == parsed


def test_a_kind_of_its_own_converts_in_both_directions() -> None:
    @dataclass(frozen=True)
    class Shout:
        text: Annotated[str, Kind(TEXT.allowed, str.upper, str.lower)]

    codec: Codec[Shout] = Codec("a {}", (Type("shout", Shout),))
    assert codec.parse({"type": "shout", "text": "é"}) == Shout("É")
    assert codec.line_of(Shout("É")) == '{"type":"shout","text":"é"}'
