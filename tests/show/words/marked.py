"""The messages that are marked in the code, read once for all tests."""

from functools import cache

from tools.catalogues.__main__ import PACKAGE
from tools.catalogues.messages import messages_of


@cache
def messages():
    """Return every message with the files that contain it."""
    return messages_of(PACKAGE)


@cache
def singular():
    """Return every message, of a plural the singular wording."""
    return frozenset(map(singular_of, messages()))


def singular_of(message):
    return message if isinstance(message, str) else message[0]
