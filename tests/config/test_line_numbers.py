"""The line numbers of keys in a TOML text."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.config.line_numbers import key_lines
from urpi.config.reading import line_of

TEXT = """\
# a comment with [brackets] and a = sign
top = 1

[table]   # more
light = "Ann # no comment"
'dark' = '''
[not.a.header]
not = "a key"
'''
"lang\\u0075age" = "en"
options = { pieces = "5", list = [
  1, # one ]
  2,
] }
[ hub . "faces" ]
d4 = [
  "gold",
  "]",
]
deep.er . key = 3
text = \"\"\"four quotes at its end\"\"\"\"
last = 2026-11-20"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("top",), 2),
        (("table",), 4),
        (("table", "light"), 5),
        (("table", "dark"), 6),
        (("table", "language"), 10),
        (("table", "options"), 11),
        (("hub", "faces"), 15),
        (("hub", "faces", "d4"), 16),
        (("hub", "faces", "deep", "er", "key"), 20),
        (("hub", "faces", "text"), 21),
        (("hub", "faces", "last"), 22),
    ],
)
def test_every_key_and_header_has_its_line(path: tuple[str, ...], line: int) -> None:
    tomllib.loads(TEXT)
    assert key_lines(TEXT)[path] == line


def test_text_inside_a_string_or_a_list_is_not_a_key() -> None:
    assert len(key_lines(TEXT)) == 11


def test_a_key_of_an_inline_table_has_the_line_of_the_table() -> None:
    assert line_of(key_lines(TEXT), ("table", "options", "pieces")) == 11


def test_a_missing_key_has_no_line() -> None:
    assert line_of(key_lines(TEXT), ("gpio", "chip")) is None


def test_lines_are_counted_correctly_with_carriage_returns() -> None:
    assert key_lines(TEXT.replace("\n", "\r\n")) == key_lines(TEXT)


VALUES = st.sampled_from(
    ["1", '"#"', "'\"'", '"\\""', "[\n1,\n[2]]", '{ a = "}" }', "'''\n'\n'''", '"""\n"x = 1\n"""']
)


@given(st.lists(st.tuples(VALUES, st.sampled_from(["", "  ", "# [x]\n", "\n\n"])), max_size=8))
def test_the_line_of_a_key_is_correct_after_any_text(parts: list[tuple[str, str]]) -> None:
    text, expected = "", {}
    for number, (value, before) in enumerate(parts):
        text += before
        expected[f"key{number}",] = text.count("\n") + 1
        text += f"key{number} = {value} # end\n"
    tomllib.loads(text)
    assert key_lines(text) == expected
