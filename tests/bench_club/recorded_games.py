"""Games that were refereed once, and are then played by many simulated tables."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from tests.club_live.table import RandomGame
from tests.journal.games import STARTED
from urpi.link.protocol.line_checks import without_names
from urpi.link.protocol.messages import GameHead
from urpi.referee import Snapshot

PROGRAM: Final = "1.0.0"


@dataclass(frozen=True)
class Beat:
    """What a table has stored since the beat before: a throw, or a move.

    Attributes:
        lines: The journal's lines, as they are published.
        snapshot: The game after them.
        over: Whether the game has ended.
    """

    lines: tuple[str, ...]
    snapshot: Snapshot
    over: bool


@dataclass(frozen=True)
class RecordedGame:
    """A whole game.

    Attributes:
        rules: The RULES word.
        settings: What a replay needs.
        beats: Its throws and moves.
    """

    rules: str
    settings: Mapping[str, str]
    beats: tuple[Beat, ...]

    def head(self, number: int) -> GameHead:
        """Return what is known of the game at its beginning."""
        return GameHead(number, STARTED, PROGRAM, self.rules, self.settings)


class _Recorder:
    """Records what is stored, in place of a journal."""

    def __init__(self) -> None:
        self.settings: Mapping[str, str] = {}
        self.lines: list[str] = []

    def new_game(
        self, line: str, _started: object, _program: str, settings: Mapping[str, str]
    ) -> int:
        self.settings = settings
        self.lines.append(line)
        return 1

    def append(
        self, _game: int, facts: Iterable[str], decisions: Iterable[str], ended: object = None
    ) -> None:
        del ended
        self.lines += [*facts, *decisions]

    def taken(self) -> tuple[str, ...]:
        """Return what was stored since the last call."""
        lines, self.lines = self.lines, []
        return tuple(without_names(line) for line in lines)


def record(seed: int) -> RecordedGame:
    """Play a random game."""
    recorder = _Recorder()
    game = RandomGame(recorder, random.Random(seed))  # type: ignore[arg-type]
    beats = []
    while True:
        beats.append(Beat(recorder.taken(), game.now, game.over))
        if game.over:
            break
        game.play()
    position = game.now.position
    assert position is not None
    return RecordedGame(position.rules.text, recorder.settings, tuple(beats))
