"""The messages that are marked in the code: found once, for all who hold something to them."""

from functools import cache

from tools.catalogues.__main__ import PACKAGE
from tools.catalogues.messages import messages_of


@cache
def messages():
    """Every message with the files that it stands in."""
    return messages_of(PACKAGE)


@cache
def singular():
    """Every message as it is asked for: of a plural, its wording for one."""
    return frozenset(map(singular_of, messages()))


def singular_of(message):
    return message if isinstance(message, str) else message[0]
