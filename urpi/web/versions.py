"""A state as it is sent, and how far a page has got."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from urpi.web.documents.record import Line, lines_document
from urpi.web.event_lines import json_bytes
from urpi.words import Words

WHOLE_RECORD: Final = 200
LATE_RECORD: Final = 12
"""Lines of the record in the first state that a page gets, and in those after it."""


@dataclass(slots=True)
class Cursor:
    """How far a page has got.

    The newest decision's `seq`, the state's version, of which `game` it was and the last `line`
    of that game's record, and the virtual table's version.
    """

    seq: int
    version: int = 0
    game: int | None = None
    line: int = -1
    table: int = 0


@dataclass(frozen=True)
class Version:
    """One state of the table; `number` counts them from 1.

    Its bytes are those of an object without the opening brace: what differs from browser to
    browser goes in front.
    """

    number: int
    shown: dict[str, Any]
    lines: tuple[Line, ...]
    words: Words

    @property
    def seq(self) -> int:
        """The newest decision that it shows."""
        return int(self.shown["seq"])

    @cached_property
    def _full(self) -> bytes:
        return self._with_record(WHOLE_RECORD)

    @cached_property
    def _late(self) -> bytes:
        return self._with_record(LATE_RECORD)

    def _with_record(self, most: int) -> bytes:
        return json_bytes({**self.shown, **lines_document(self.lines, self.words, most)})[1:]

    def document(self, *, may_act: bool, cursor: Cursor | None = None) -> bytes:
        """The state's JSON for a browser, with all that its record lacks."""
        body = self._late if cursor is not None and self._follows(cursor) else self._full
        return (b'{"may_act":true,' if may_act else b'{"may_act":false,') + body

    def _follows(self, cursor: Cursor) -> bool:
        known = len(self.lines) - LATE_RECORD
        return cursor.version > 0 and cursor.game == self.shown["game"] and cursor.line >= known

    def send(self, cursor: Cursor, *, may_act: bool) -> bytes:
        """The same; the cursor is moved."""
        document = self.document(may_act=may_act, cursor=cursor)
        cursor.version, cursor.seq = self.number, max(cursor.seq, self.seq)
        cursor.game, cursor.line = self.shown["game"], len(self.lines)
        return document
