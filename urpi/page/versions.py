"""Versions of the state as they are sent, and the progress of each page through them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from urpi.http.responses import json_bytes
from urpi.page.documents.record import RecordLine, lines_document
from urpi.show.words import Words

FIRST_LINES: Final = 200
"""Lines of the record in the first state that a page receives."""
LATER_LINES: Final = 12
"""Lines of the record in the states after it."""


@dataclass(slots=True)
class Cursor:
    """How much one page has received.

    Attributes:
        seq: The place of the newest decision in the journal.
        version: The number of the state's version.
        game: The game of that version.
        line: The number of lines in that game's record.
        table: The version of the virtual table.
    """

    seq: int
    version: int = 0
    game: int | None = None
    line: int = -1
    table: int = 0


@dataclass(frozen=True)
class Version:
    """One state of the table.

    Its JSON is encoded once for all browsers, without the opening brace: `may_act`, which differs
    between browsers, is put in front.

    Attributes:
        number: Counts the versions from 1.
        state: The state document without the record.
        lines: The record.
        words: The language.
    """

    number: int
    state: dict[str, Any]
    lines: tuple[RecordLine, ...]
    words: Words

    @property
    def seq(self) -> int:
        """The place of the newest decision that the state includes."""
        return int(self.state["seq"])

    @cached_property
    def _first(self) -> bytes:
        return self._with_record(FIRST_LINES)

    @cached_property
    def _later(self) -> bytes:
        return self._with_record(LATER_LINES)

    def _with_record(self, count: int) -> bytes:
        return json_bytes({**self.state, **lines_document(self.lines, self.words, count)})[1:]

    def document(self, *, may_act: bool, cursor: Cursor | None = None) -> bytes:
        """The state's JSON for a browser, with every line of the record that it lacks."""
        # Most pages have all but the newest line, and every state is sent to all of them.
        body = self._later if cursor is not None and self._follows(cursor) else self._first
        return _with_may_act(body, may_act=may_act)

    def short_document(self, *, may_act: bool) -> bytes:
        """The state's JSON with only the last lines of the record."""
        return _with_may_act(self._later, may_act=may_act)

    def _follows(self, cursor: Cursor) -> bool:
        known = len(self.lines) - LATER_LINES
        return cursor.version > 0 and cursor.game == self.state["game"] and cursor.line >= known

    def send(self, cursor: Cursor, *, may_act: bool) -> bytes:
        """Return the state's JSON as `document` does, and advance the cursor."""
        document = self.document(may_act=may_act, cursor=cursor)
        cursor.version, cursor.seq = self.number, max(cursor.seq, self.seq)
        cursor.game, cursor.line = self.state["game"], len(self.lines)
        return document


def _with_may_act(body: bytes, *, may_act: bool) -> bytes:
    return (b'{"may_act":true,' if may_act else b'{"may_act":false,') + body
