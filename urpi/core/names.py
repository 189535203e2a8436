"""Names that are entered: of players, so that every display can show them, and of tables.

Dice have numbers, which are limited here as well.
"""

import re
import unicodedata
from typing import Final

from urpi.core.errors import UrpiError

BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols without ink: fillers of Hangul, and the empty braille pattern."""
MAX_NAME: Final = 40
"""Maximum number of characters of a name that is entered; a display shows about ten."""
TABLE_ALLOWED: Final = "1 to 32 of a-z, 0-9 and -, with no - at either end"
LAST_DIE: Final = 99
"""Largest number of a die. Those of a hub have at most 8."""
CLUB: Final = "club"
"""The club's user at the broker, which no table may be called."""
_SPACE: Final = re.compile(r"\s+")
_TABLE: Final = re.compile("[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")


class InvalidNameError(UrpiError):
    """A name has characters, but none that can be seen."""


def normalised_name(text: str) -> str:
    r"""A player's name in Unicode's form NFC, without characters that cannot be seen.

    Control and format characters (categories Cc and Cf, such as the zero-width space and marks
    for the direction of writing) are removed, and white space is one space between words.

    Args:
        text: The name as entered, in one line; it may be empty.

    Raises:
        InvalidNameError: If characters were entered, but nothing remains that can be seen.

    >>> normalised_name("  Be\u0301la\u200b "), normalised_name(" ")
    ('Béla', '')
    """
    # A tab and a line end are control characters too, but they separate words.
    shown = "".join(one for one in text if one.isspace() or not _is_control(one))
    name = unicodedata.normalize("NFC", _SPACE.sub(" ", shown).strip())
    # Not `name`: a name of invisible characters only is empty by now, and must not pass for none.
    if text.strip() and not any(map(_has_ink, name)):
        message = "The name has no visible character; enter another, or leave it empty."
        raise InvalidNameError(message)
    return name


def check_table(table: str) -> str:
    """The id of a table.

    Raises:
        UrpiError: If it is invalid.
    """
    if not _TABLE.fullmatch(table) or table == CLUB:
        message = f"A table's id must be {TABLE_ALLOWED}, and not {CLUB}; found {table[:60]!r}."
        raise UrpiError(message)
    return table


def _is_control(one: str) -> bool:
    return unicodedata.category(one) in {"Cc", "Cf"}


def _has_ink(one: str) -> bool:
    # Letters, numbers, punctuation and symbols; a combining mark alone has nothing to stand on.
    return unicodedata.category(one)[0] in "LNPS" and one not in BLANK
