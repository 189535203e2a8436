"""Mutated input for everything that reads it: bytes, characters, and JSON values of other types.

The strategies are hypothesis': a failure prints the input in its smallest form, and how to run it
again. A run of the tests tries some dozen inputs of each reader, `--hypothesis-profile=thorough`
thousands.
"""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

from urpi.core.errors import UrpiError

LONGEST_MESSAGE = 2000
"""Characters of an error; input is shown in part."""

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.sampled_from([10**4000, -(10**4000), 0, -1, 1e308, -0.0, 2.5, float("inf"), float("nan")]),
    st.text(max_size=12),
    st.sampled_from(["", "\0", "\ud800", "\n", "é" * 300, "finkel", "light", "gs--", "A1", "+A4"]),
)
VALUES = st.one_of(
    SCALARS,
    st.lists(SCALARS, max_size=3),
    st.dictionaries(st.text(max_size=5), SCALARS, max_size=3),
    st.sampled_from([[[]], {}, {"type": []}, [[[[[[]]]]]], [{}], {"": {"": {}}}]).map(deepcopy),
)
DEEP = st.sampled_from([40, 400, 30_000]).flatmap(
    lambda depth: st.sampled_from(["[" * depth, "[" * depth + "]" * depth, '{"a":' * depth])
)


def places(document: Any, *path: Any) -> list[tuple[Any, ...]]:
    """The path of every value in a document, the document's own first."""
    found = [path]
    if isinstance(document, dict):
        for key, value in document.items():
            found += places(value, *path, key)
    elif isinstance(document, list):
        for number, value in enumerate(document):
            found += places(value, *path, number)
    return found


@st.composite
def mutated(draw: st.DrawFn, document: Any) -> Any:
    """A document of which one to three values are of another type, missing, or joined by others."""
    document = deepcopy(document)
    # Mostly one: a reader stops at the first that it refuses.
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3]))):
        *path, last = draw(st.sampled_from(places(document)[1:] or [(None,)]))
        inside = document
        for step in path:
            inside = inside[step]
        if last is None or not isinstance(inside, dict | list):
            return draw(VALUES)
        how = draw(st.sampled_from(["replace", "replace", "replace", "remove", "add"]))
        if how == "remove":
            del inside[last]
        elif how == "replace":
            inside[last] = draw(VALUES)
        elif isinstance(inside, dict):
            inside[draw(st.text(max_size=5))] = draw(VALUES)
        else:
            inside.insert(last, draw(VALUES))
    return document


def json_texts(document: Any) -> st.SearchStrategy[str]:
    """A mutated document as JSON; now and then what json writes and JSON does not have.

    With escapes, a lone surrogate reaches what reads the decoded text.
    """
    return st.builds(
        lambda found, escapes: json.dumps(found, ensure_ascii=escapes),
        mutated(document),
        st.booleans(),
    )


@st.composite
def spoilt(draw: st.DrawFn, text: str) -> bytes:
    """The bytes of a text with some changed, removed, repeated or inserted."""
    data = text.encode("utf-8", "surrogatepass")
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 8)))
        how = draw(st.sampled_from(["remove", "insert", "repeat", "cut"]))
        if how == "remove":
            data = data[:start] + data[end:]
        elif how == "insert":
            data = data[:start] + draw(st.binary(max_size=8)) + data[end:]
        elif how == "repeat":
            data = data[:end] + data[start:end] * draw(st.integers(1, 50)) + data[end:]
        else:
            data = data[:start]
    return data


def inputs(document: Any) -> st.SearchStrategy[bytes]:
    """A JSON document mutated in its values, in its bytes, or nested deeper than anything is."""
    text = json.dumps(document, ensure_ascii=False)
    mutations = json_texts(document).map(lambda found: found.encode("utf-8", "surrogatepass"))
    rest = (spoilt(text), DEEP.map(str.encode), st.binary(max_size=40))
    return st.one_of(*[mutations] * 7, *rest)


def reads(reader: Callable[[Any], object], found: Any) -> bool:
    """Return whether a reader accepts an input; otherwise its error must have one line.

    Any exception other than `UrpiError` is a fault, and is not caught.
    """
    try:
        reader(found)
    except UrpiError as error:
        message = str(error)
        assert message, "an error without a message"
        assert "\n" not in message, message
        assert len(message) <= LONGEST_MESSAGE, message
        return False
    return True
