"""A number of things has plural forms, and each placeholder is described to translators."""

import re

import pytest

from tests.show.words.marked import english_texts, messages
from tools.catalogues.placeholders import known_placeholders, placeholders_of

FUNCTION_WORDS = {"and", "as", "for", "in", "is", "of", "on", "or", "to", "up"}
"""After a number these begin another part of the sentence; a counted noun would be before them."""
LABELS = {"die", "game", "pairing", "round", "step", "threw", "throws", "turn"}
"""Nouns whose numbers are names, and verbs after which a throw is named."""
UNITS = {"s", "ms", "min", "V"}
"""The symbols of units are the same for every number."""


def uncounted(message):
    """Yield the placeholders for a number of things that are followed by what is counted.

    A number after the noun that it belongs to (*turn {number}*) counts nothing.
    """
    for name in placeholders_of(message):
        if name in known_placeholders()["count"]:
            for found in re.finditer(rf"(\w+ )?\{{{name}\}} ([A-Za-z]+)", message):
                noun, following = found.groups()
                is_label = noun is not None and noun.strip().lower() in LABELS
                if not is_label and following not in FUNCTION_WORDS | UNITS:
                    yield name


def test_a_counted_noun_has_plural_forms():
    found = {
        message: names
        for message in messages()
        if isinstance(message, str) and (names := list(uncounted(*english_texts(message))))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("Wait {seconds} seconds.", ["seconds"]),
        ("The {count} games", ["count"]),
        ("{number} large stones", ["number"]),
        ("games: {count}", []),
        ("{seconds} s ago", []),
        ("{count} of {all} games", ["all"]),
        ("Game {number} of table {table}", []),
        ("round {number} has begun", []),
        ("{name} games", []),
    ],
)
def test_what_is_found_to_need_plural_forms(message, names):
    assert list(uncounted(message)) == names


def test_every_placeholder_is_described():
    used = {
        name for one in messages() for text in english_texts(one) for name in placeholders_of(text)
    }
    kinds = known_placeholders()
    described = [name for kind in kinds.values() for name in kind]
    assert sorted(used) == sorted(described)


def test_translators_read_what_a_placeholder_stands_for():
    assert (
        "{since}: a time of the day, such as 18:05"
        in messages()["Not saved since {since}"].comments
    )
