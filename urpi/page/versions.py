"""Versions of the state as they are sent, and the progress of each page through them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from urpi.http.responses import json_bytes
from urpi.link.broker.state_message import clock_document
from urpi.page.documents.record import RecordLine, lines_document
from urpi.page.documents.state import Scene, state_document
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
        words: The language of its viewer, None for the table's.
        version: The number of the state's version.
        game: The game of that version.
        line: The number of lines in that game's record.
        table: The version of the virtual table.
    """

    seq: int
    words: Words | None = None
    version: int = 0
    game: int | None = None
    line: int = -1
    table: int = 0


@dataclass(frozen=True)
class Version:
    """One state of the table.

    Its JSON is encoded once for all browsers of a language, without the opening brace: what differs
    between browsers, `may_act` and the time that is left when it is sent, is put in front.

    Attributes:
        number: Counts the versions from 1.
        scene: What the state document is made from, with the table's language.
        lines: The record.
        clock: Returns the game's time in ms.
    """

    number: int
    scene: Scene
    lines: tuple[RecordLine, ...]
    clock: Callable[[], int] = field(repr=False, compare=False)
    _encoded: dict[tuple[str, int], bytes] = field(default_factory=dict, repr=False, compare=False)

    @property
    def words(self) -> Words:
        """The table's language."""
        return self.scene.words

    @property
    def seq(self) -> int:
        """The place of the newest decision that the state includes."""
        return self.scene.seq

    @cached_property
    def state(self) -> dict[str, Any]:
        """The state document in the table's language, without the record."""
        return state_document(self.scene)

    def _body(self, words: Words | None, count: int) -> bytes:
        words = words or self.words
        key = words.language, count
        if key not in self._encoded:
            own = words.language == self.words.language
            state = self.state if own else state_document(replace(self.scene, words=words))
            document = {**state, **lines_document(self.lines, words, count)}
            self._encoded[key] = json_bytes(document)[1:]
        return self._encoded[key]

    def document(
        self, *, may_act: bool, cursor: Cursor | None = None, words: Words | None = None
    ) -> bytes:
        """The state's JSON for a browser, with every line of the record that it lacks.

        Args:
            may_act: Whether the browser may act.
            cursor: What the page has received; by default nothing.
            words: The language, by default the table's.
        """
        # Most pages have all but the newest line, and every state is sent to all of them.
        follows = cursor is not None and self._follows(cursor)
        body = self._body(words, LATER_LINES if follows else FIRST_LINES)
        return self._complete(body, may_act=may_act)

    def short_document(self, *, may_act: bool, words: Words) -> bytes:
        """The state's JSON with only the last lines of the record."""
        return self._complete(self._body(words, LATER_LINES), may_act=may_act)

    def _follows(self, cursor: Cursor) -> bool:
        known = len(self.lines) - LATER_LINES
        return cursor.version > 0 and cursor.game == self.scene.game and cursor.line >= known

    def send(self, cursor: Cursor, *, may_act: bool) -> bytes:
        """Return the state's JSON as `document` does, and advance the cursor."""
        document = self.document(may_act=may_act, cursor=cursor, words=cursor.words)
        cursor.version, cursor.seq = self.number, max(cursor.seq, self.seq)
        cursor.game, cursor.line = self.scene.game, len(self.lines)
        return document

    def _complete(self, body: bytes, *, may_act: bool) -> bytes:
        due, now = self.scene.snapshot.seems_due, self.clock()
        left = None if due is None else max(due - now, 0)
        timed: dict[str, Any] = {"may_act": may_act, "seems_ms": left}
        clock = clock_document(self.scene.snapshot.at(now))
        if clock is not None:
            timed["clock"] = clock
        return json_bytes(timed)[:-1] + b"," + body
