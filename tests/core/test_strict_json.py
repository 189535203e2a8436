"""Strict JSON: what `json.loads` accepts, and must not be stored or forwarded."""

import json

import pytest

from urpi.core.strict_json import decode, parse

INVALID = [
    ('{"a":1,"a":1}', "a key occurs twice"),
    ('[{"b":{"a":1,"a":2}}]', "a key occurs twice"),
    ("NaN", "NaN is not valid JSON"),
    ('{"a":-Infinity}', "-Infinity is not valid JSON"),
]


@pytest.mark.parametrize(("text", "reason"), INVALID)
def test_what_only_the_standard_decoder_accepts_is_invalid(text: str, reason: str) -> None:
    json.loads(text)
    for function in (parse, decode):
        with pytest.raises(ValueError, match=reason):
            function(text)


@pytest.mark.parametrize("text", ["", "{", "{} {}", "{'a':1}", "\ufeff{}"])
def test_what_is_not_json_is_invalid(text: str) -> None:
    for function in (parse, decode):
        with pytest.raises(ValueError, match=r"line 1 column"):
            function(text)


def test_a_lone_surrogate_can_be_decoded_but_not_stored() -> None:
    text = r'{"a":"\ud800"}'
    assert decode(text) == {"a": "\ud800"}
    with pytest.raises(ValueError, match="surrogates not allowed"):
        parse(text)
    assert parse(r'"\ud83c\udfb2"') == "🎲"


def test_a_text_that_is_nested_too_deeply_is_invalid() -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        parse("[" * 200_000 + "]" * 200_000)


def test_a_number_with_a_fraction_is_converted_as_requested() -> None:
    assert parse("[1, 2.5, 3e2]") == [1, 2.5, 300.0]
    assert parse("[1, 2.5, 3e2]", "<{}>".format) == [1, "<2.5>", "<3e2>"]
