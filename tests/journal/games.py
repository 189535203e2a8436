"""Whole games, refereed and stored as by the service, from players' answers and readings."""

import random
from collections.abc import Mapping
from pathlib import Path

from urpi.journal import Journal, entries_of, timing_settings
from urpi.referee import Phase, Settings, Snapshot, Timing, begin, snapshot, step
from urpi.referee.facts import Answer, Fact, Game, Occupancy, Resign
from urpi.referee.lines import decision_line, fact_line
from urpi.rules import Position, Side

STARTED = "2026-11-20T19:02:11+01:00"
GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Bo"}'
"""The line that begins a game."""
TIMING = Timing(still_ms=200)
NONE: Mapping[str, str] = {}


class StoredGame:
    """A game with its referee, stored fact by fact."""

    def __init__(self, journal: Journal, opening: Game, settings: Mapping[str, str] = NONE) -> None:
        self.journal = journal
        self.state = begin(Settings(lambda code, _details: f"This is {code}.", TIMING))
        self.number = journal.new_game(
            fact_line(opening), STARTED, "1.0.0", {**timing_settings(TIMING), **settings}
        )
        self.state, decisions = step(self.state, opening)
        journal.append(self.number, [], map(decision_line, decisions))

    @property
    def now(self) -> Snapshot:
        return snapshot(self.state)

    @property
    def position(self) -> Position:
        assert self.now.position is not None
        return self.now.position

    def apply(self, fact: Fact) -> None:
        self.state, decisions = step(self.state, fact)
        self.journal.append(self.number, [fact_line(fact)], map(decision_line, decisions))

    def apply_reading(self, t: int) -> None:
        """Apply a reading of the squares that shows the position."""
        self.apply(Occupancy(t, self.position.occupancy))


def _choose(game: StoredGame, t: int, dice: random.Random) -> Answer:
    now = game.now
    if now.phase is Phase.CHOOSE_FIRST:
        return Answer(t, first=dice.choice(list(Side)))
    if now.phase is Phase.MOVE:
        return Answer(t, move=dice.choice(now.legal))
    if now.phase is Phase.THROW and dice.random() < 0.1:
        return Answer(t, takeback=True)
    set_of_dice = game.position.rules.dice
    faces = dice.choices(list(set_of_dice.faces), k=set_of_dice.count)
    return Answer(t, faces="".join(faces))


def store_game(
    journal: Journal,
    rules: str = "finkel",
    seed: int = 1,
    longest: int = 3000,
    settings: Mapping[str, str] = NONE,
    position: Position | None = None,
) -> int:
    """Referee and store a random game, by default from the start position; return its number.

    The `settings` are stored with it besides the times. Light resigns if the game has not ended
    after `longest` answers.
    """
    # Thousands of syncs would take long, and these tests need no durability.
    journal.rows("PRAGMA synchronous = OFF")
    dice = random.Random(seed)
    opening = Game(0, rules, "Ann", "Zoë", first=None if seed % 2 else Side.DARK)
    if position is not None:
        changed = position.rules.changed
        opening = Game(0, rules, "Ann", "Zoë", changed, position=str(position))
    game = StoredGame(journal, opening, settings)
    game.apply_reading(1000)
    for t in range(2000, longest * 1000, 1000):
        if game.now.phase is Phase.OVER:
            return game.number
        game.apply(_choose(game, t, dice))
        game.apply_reading(t + 500)
    game.apply(Resign(longest * 1000, Side.LIGHT))
    return game.number


def store_ended_game(folder: Path) -> Path:
    """Store a game of finkel that has ended in a new journal, and return the journal's path."""
    path = folder / "journal.db"
    with Journal.open(path) as journal:
        store_game(journal, "finkel", seed=1, longest=80)
        journal.finish(1, STARTED)
    return path


def lines_of(path: Path, game: int = 1) -> list[str]:
    """Return the lines of a stored game."""
    with Journal.open(path, create=False) as journal:
        return [entry.line for entry in entries_of(journal, game)]
