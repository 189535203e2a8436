"""What is found in a file: the messages, what is said of them, and what cannot be a message."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from urpi.show.words.sentences import CONTEXT_END

MessageId: TypeAlias = str | tuple[str, str]
"""A message, or its singular and plural. Its context, if any, is before a `CONTEXT_END`."""
Comments: TypeAlias = Mapping[MessageId, tuple[str, ...]]
"""What the code says of a message to translators."""
TRANSLATORS: Final = "Translators: "
"""The beginning of a comment for translators."""


class Unreadable(NamedTuple):
    """A message that is composed at run time, and so cannot be in a catalogue."""

    line: int
    mark: str


class Found(NamedTuple):
    """The messages of a file in their order, and those that are composed at run time."""

    messages: tuple[MessageId, ...]
    unreadable: tuple[Unreadable, ...]
    comments: Comments = MappingProxyType({})


class Use(NamedTuple):
    """The files that contain a message, and the comments for its translators."""

    files: list[str]
    comments: list[str]


def singular(message: MessageId) -> str:
    """Return a message with its context, of a plural the singular wording."""
    return message if isinstance(message, str) else message[0]


def context_and_text(message: str) -> tuple[str | None, str]:
    """Return a message's context, None if it has none, and its text."""
    context, _, text = message.rpartition(CONTEXT_END)
    return context or None, text
