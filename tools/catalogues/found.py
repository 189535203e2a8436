"""What is found in a file: the messages, and what cannot be one."""

from typing import NamedTuple, TypeAlias

MessageId: TypeAlias = str | tuple[str, str]
"""A message, or its singular and plural."""


class Unreadable(NamedTuple):
    """A message that is composed at run time, and so cannot be in a catalogue."""

    line: int
    mark: str


class Found(NamedTuple):
    """The messages of a file in their order, and those that are composed at run time."""

    messages: tuple[MessageId, ...]
    unreadable: tuple[Unreadable, ...]
