"""`tools.wording`: counts of words in docstrings and comments."""

from tools.wording import count, table

SOURCE = '''"""Report what the hub said. Nobody told it."""

LIMIT = 5
"""Returns nobody."""


def said() -> str:  # told is counted here
    return "said and heard: not a docstring"
'''


def test_words_are_counted_in_docstrings_and_comments_only():
    counted = count([SOURCE])
    assert {name: found for name, found in counted.groups.items() if found} == {
        "say": 1,
        "tell": 2,
        "whoever": 2,
        "return": 1,
    }
    assert counted.words == 14


def test_rates_are_per_ten_thousand_words():
    assert count(["# said " + "word " * 99]).rate("say") == 100


def test_an_empty_folder_has_no_rate():
    assert "0.0" in table({"empty": count([])})


def test_strings_below_constants_and_attributes_are_counted_apart_from_comments():
    source = """'''A module's own docstring.'''
LIMIT = 5  # reached in practice
'''A constant's,
of two lines.'''


class Die:
    '''A class's own docstring.'''

    face: str
    '''An attribute's.'''

    def __init__(self) -> None:
        '''A method's own docstring.'''
        self.since = 0
        '''Another attribute's.'''
"""
    counted = count([source])
    assert (counted.lines, counted.comment_lines, counted.attribute_lines) == (16, 1, 4)
    assert table({"die": counted}).splitlines()[-2:] == [
        "comments, % of lines          6.2",
        "with attributes' docstrings  31.2",
    ]
