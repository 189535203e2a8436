"""The messages that are marked in the code, read once for all tests."""

from functools import cache

from tools.catalogues.__main__ import PACKAGE
from tools.catalogues.found import context_and_text, singular
from tools.catalogues.messages import messages_of


@cache
def messages():
    """Return every message, with its context, and its files and comments."""
    return messages_of(PACKAGE)


@cache
def looked_up():
    """Return every message as it is looked up: with its context, of a plural the singular."""
    return frozenset(map(singular, messages()))


def english_texts(message):
    """Return the English wordings of a message: one, or two of a plural."""
    one = context_and_text(singular(message))[1]
    return (one,) if isinstance(message, str) else (one, message[1])
