"""Importing a record: a game that was written down, refereed move by move as it is entered.

What stands in the record becomes facts: a throw and a move are answers, as people give them
when dice and switches cannot. So an imported game is a game like any other, it replays, and
its record is the one that was read: its tags stand in its `game` fact, its comments in the
answers' facts, under keys of their own that the referee passes over.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from urpi.errors import UrpiError
from urpi.journal.build_record import COMMENTS, PASSED, TAGS, build_record
from urpi.journal.entries import Entry
from urpi.journal.importing import IMPORTED, store_runs
from urpi.journal.journal import Journal
from urpi.journal.replay import timing_settings
from urpi.referee import Phase, Settings, State, Timing, begin, step
from urpi.referee.decisions import Refused
from urpi.referee.facts import Abandon, Answer, Draw, Fact, Game, Occupancy, Resign
from urpi.referee.lines import decision_line, fact_line
from urpi.rules import Side
from urpi.rules.record import GameRecord, Thrown, check_record, first_position, parse_record

TURN_MS: Final = 1000
"""A record has no times; a throw is played so long after the one before it."""


def import_record(journal: Journal, text: str, now: datetime, program: str) -> int:
    """Store the game of a record; its number.

    Args:
        journal: where to.
        text: the record's.
        now: when it is imported; it stands for the date too where the record has none.
        program: the version that referees it.

    Raises:
        UrpiError: when it is no record, breaks its rules, or cannot be refereed as it stands;
            the message names the line or the turn, and nothing is stored.
    """
    record = parse_record(text)
    check_record(record)
    entries = _entries_of(record)
    if build_record(entries, now) != record:
        message = "The record cannot be refereed as it stands: its turns would be others."
        raise UrpiError(message)
    settings = {**timing_settings(Timing()), IMPORTED: now.isoformat(timespec="seconds")}
    started = _started(record, now).isoformat(timespec="seconds")
    opening, *others = entries
    with journal.together():
        game = journal.new_game(opening.line, started, program, settings)
        store_runs(journal, game, others)
        if record.tag("Result") not in {None, "*"}:
            journal.finish(game, started)
    return game


def _started(record: GameRecord, now: datetime) -> datetime:
    """The record's day, as far as it says one."""
    try:
        day = datetime.strptime(record.tag("Date") or "", "%Y.%m.%d")  # noqa: DTZ007 - a day
    except ValueError:
        return now
    return day.replace(tzinfo=now.tzinfo)


@dataclass(slots=True)
class _Sitting:
    """A referee that is told a record; its entries as they would have been stored."""

    state: State = field(default_factory=lambda: begin(Settings(lambda code, _details: code)))
    entries: list[Entry] = field(default_factory=list)

    def tell(self, fact: Fact, **keys: Any) -> None:
        """Take a fact, with keys that only the record knows.

        Raises:
            UrpiError: when the referee refuses it.
        """
        line = fact_line(fact)
        if keys:
            told = json.dumps(keys, ensure_ascii=False, separators=(",", ":"))
            line = f"{line[:-1]},{told[1:]}"
        self.state, decisions = step(self.state, fact)
        self.entries.append(Entry(len(self.entries) + 1, "fact", line))
        for decision in decisions:
            if isinstance(decision, Refused):
                message = f"The record cannot be refereed: {decision.what} is {decision.code}."
                raise UrpiError(message)
            entry = Entry(len(self.entries) + 1, "decision", decision_line(decision))
            self.entries.append(entry)

    def show(self, t: int) -> None:
        """The squares show the position."""
        if self.state.position is not None and self.state.phase is not Phase.OVER:
            self.tell(Occupancy(t, self.state.now.occupancy))


def _entries_of(record: GameRecord) -> tuple[Entry, ...]:
    sitting = _Sitting()
    sitting.tell(_opening(record), **{TAGS: [list(tag) for tag in record.tags]})
    sitting.show(0)
    t = 0
    for turn in record.turns:
        for thrown in turn.throws:
            t += TURN_MS
            _tell_throw(sitting, thrown, t)
    _end(sitting, record, t + TURN_MS)
    return tuple(sitting.entries)


def _opening(record: GameRecord) -> Game:
    position = first_position(record)
    return Game(
        0,
        position.rules.id,
        record.tag("Light") or "",
        record.tag("Dark") or "",
        position.rules.changed,
        position.turn,
        record.tag("Position"),
    )


def _tell_throw(sitting: _Sitting, thrown: Thrown, t: int) -> None:
    """Enter a throw and its moves, so quickly that no timer asks what they are."""
    passed = (play.comments for play in thrown.plays if play.move == "pass")
    keys = {COMMENTS: thrown.comments, PASSED: tuple(one for about in passed for one in about)}
    sitting.tell(Answer(t, faces=thrown.faces), **_kept(keys))
    for play in thrown.plays:
        if play.move == "pass":
            continue
        t += 1
        sitting.tell(Answer(t, move=play.move), **_kept({COMMENTS: play.comments}))
        sitting.show(t)
        if play.taken_back:
            t += 1
            sitting.tell(Answer(t, takeback=True))
            sitting.show(t)


def _kept(comments: dict[str, tuple[str, ...]]) -> dict[str, list[str]]:
    return {key: list(texts) for key, texts in comments.items() if texts}


def _end(sitting: _Sitting, record: GameRecord, t: int) -> None:
    """What ended the game, where the board does not say it."""
    result = record.tag("Result") or "*"
    if sitting.state.phase is Phase.OVER:
        return
    for fact in _ending(result, record.tag("Termination"), t):
        sitting.tell(fact)


def _ending(result: str, termination: str | None, t: int) -> Iterator[Fact]:
    if result in {side.value for side in Side}:
        yield Resign(t, Side(result).other)
    elif result == "draw":
        yield Draw(t, Side.LIGHT, agreed=termination == "agreed")
    elif termination == "abandoned":
        yield Abandon(t, Side.LIGHT)
