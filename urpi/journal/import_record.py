"""Import of a record: a game that was written down is refereed move by move.

The record is converted to facts: throws and moves become answers, as players enter them when dice
or switches fail. So an imported game is like any other: it can be replayed, and its record is the
one that was imported. The record's tags are stored in the `game` fact and its comments in the
answers' facts, under keys of their own, which the referee ignores.
"""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, time
from typing import Any, Final

from urpi.core.errors import UrpiError
from urpi.journal.build_record import COMMENTS, PASSED, TAGS, build_record, exported_record
from urpi.journal.entries import IMPORTED, Entry
from urpi.journal.formats import read_game
from urpi.journal.import_archive import TABLE_THERE, store_runs
from urpi.journal.journal import Journal
from urpi.journal.queries import entries_of, list_games
from urpi.journal.replay import timing_settings
from urpi.referee import Phase, Settings, State, Timing, begin, step
from urpi.referee.decisions import Refused
from urpi.referee.facts import Abandon, Answer, Decline, Draw, Fact, Game, Occupancy, Resign
from urpi.referee.lines import decision_line, fact_line
from urpi.referee.state import GameState
from urpi.rules import RuleSet, Side
from urpi.rules.record import GameRecord, Thrown, check_record, first_position

TURN_MS: Final = 1000
"""Time between two throws. A record contains no times."""
_DAY: Final = re.compile(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")
_TIME: Final = re.compile(
    r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])?"
)
_PARTLY_UNKNOWN: Final = re.compile(r"(?=.*\?)([0-9]{4}|\?{4})(\.([0-9]{2}|\?\?)){2}|\??")


def import_record(journal: Journal, text: str, now: datetime, program: str) -> int:
    """Store the game of a record, and return its number; that of the stored game if it is known.

    Args:
        journal: The journal.
        text: The record's text, or a game in another format that is converted to one.
        now: The local time; also the game's date if the record has none.
        program: The version of the program that referees it.

    Raises:
        UrpiError: If it is not a record, breaks its rules, or cannot be refereed as it is
            written; the message contains the line or the turn, and nothing is stored.
    """
    record, entries = check_import(text, now)
    known = known_game(journal, record)
    return store_record(journal, record, entries, now, program) if known is None else known


def check_import(
    text: str, now: datetime, rules: RuleSet | None = None
) -> tuple[GameRecord, tuple[Entry, ...]]:
    """Referee a record without a journal; return it and its entries for `store_record`.

    The arguments are those of `import_record`, and the rule set of a game that names none.

    Raises:
        UrpiError: As `import_record`.
    """
    record = read_game(text, rules)
    check_record(record)
    _started(record, now)
    entries = _entries_of(record)
    # The comparison proves that an export of the stored game is what was imported.
    if build_record(entries, now) != record:
        message = "The record cannot be refereed as it is: its turns would be different."
        raise UrpiError(message)
    return record, entries


def store_record(
    journal: Journal, record: GameRecord, entries: Sequence[Entry], now: datetime, program: str
) -> int:
    """Store a record that has been refereed; return its number."""
    settings = {**timing_settings(Timing()), IMPORTED: now.isoformat(timespec="seconds")}
    if table := record.tag("Table"):
        settings[TABLE_THERE] = table
    started = _started(record, now).isoformat(timespec="seconds")
    opening, *others = entries
    with journal.transaction():
        game = journal.new_game(opening.line, started, program, settings)
        store_runs(journal, game, others)
        if record.tag("Result") not in {None, "*"}:
            journal.finish(game, started)
    return game


def known_game(journal: Journal, record: GameRecord) -> int | None:
    """Return the number of the stored game with a record's key, or else with the same record."""
    key, day = record.tag("Game"), day_of(record)
    rules = first_position(record).rules.text
    for game in list_games(journal):
        # The records of the others need not be made. A day is that of another time zone, perhaps.
        if game.rules != rules or (day and abs((game.started.date() - day).days) > 1):
            continue
        stored = exported_record(journal, game.id)
        if stored == record or (key and stored.tag("Game") == key):
            return game.id
        # The record from before its corrections is that of the same game.
        if game.corrections and build_record(entries_of(journal, game.id), game.started) == record:
            return game.id
    return None


def day_of(record: GameRecord) -> date | None:
    """Return the day of the Date tag, None if it is absent or some of it is unknown (``??``).

    Raises:
        UrpiError: If the tag has another form than PGN's, or names no day of the calendar.
    """
    text = record.tag("Date")
    if text is None or _PARTLY_UNKNOWN.fullmatch(text):
        return None
    match = _DAY.fullmatch(text)
    with suppress(ValueError):
        if match is not None:
            return date(*map(int, match.groups()))
    message = (
        f"A record's Date must be a day such as 2026.11.26, with ?? for what is unknown; "
        f"found {text[:20]!r}."
    )
    raise UrpiError(message)


def _started(record: GameRecord, now: datetime) -> datetime:
    """The time at which the record's game began, or the midnight before; `now` without a day.

    Raises:
        UrpiError: If the tag Date or Time has another form.
    """
    day, text = day_of(record), record.tag("Time")
    if text is not None and not _TIME.fullmatch(text):
        message = f"A record's Time must be such as 19:02:11+01:00; found {text[:20]!r}."
        raise UrpiError(message)
    if day is None:
        return now
    at = time() if text is None else time.fromisoformat(text)
    return datetime.combine(day, at, at.tzinfo or now.tzinfo)


@dataclass(slots=True)
class _Refereed:
    """A game being refereed, and its entries as they would have been stored."""

    state: State = field(default_factory=lambda: begin(Settings(lambda code, _details: code)))
    entries: list[Entry] = field(default_factory=list)

    def add(self, fact: Fact, **keys: Any) -> None:
        """Step a fact; add it with further keys for its line, and the decisions on it.

        Raises:
            UrpiError: If the referee refuses it.
        """
        line = fact_line(fact)
        if keys:
            further = json.dumps(keys, ensure_ascii=False, separators=(",", ":"))
            line = f"{line[:-1]},{further[1:]}"
        self.state, decisions = step(self.state, fact)
        self.entries.append(Entry(len(self.entries) + 1, "fact", line))
        for decision in decisions:
            if isinstance(decision, Refused):
                message = f"The record cannot be refereed: {decision.what} is {decision.code}."
                raise UrpiError(message)
            entry = Entry(len(self.entries) + 1, "decision", decision_line(decision))
            self.entries.append(entry)

    def add_reading(self, t: int) -> None:
        """Add a reading of the squares that shows the position."""
        state = self.state
        if isinstance(state, GameState) and state.phase is not Phase.OVER:
            self.add(Occupancy(t, state.position.occupancy))


def _entries_of(record: GameRecord) -> tuple[Entry, ...]:
    game = _Refereed()
    game.add(_opening(record), **{TAGS: [list(tag) for tag in record.tags]})
    game.add_reading(0)
    t = 0
    for turn in record.turns:
        for thrown in turn.throws:
            t += TURN_MS
            _add_throw(game, thrown, t)
            if thrown.declined:
                t += TURN_MS
                game.add(Decline(t, turn.side))
    _end(game, record, t + TURN_MS)
    return tuple(game.entries)


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
        decline=position.rules.may_decline,
    )


def _add_throw(game: _Refereed, thrown: Thrown, t: int) -> None:
    """Add a throw and its moves, fast enough that no waiting time of the referee ends."""
    on_passes = (play.comments for play in thrown.plays if play.move == "pass")
    keys = {COMMENTS: thrown.comments, PASSED: tuple(one for some in on_passes for one in some)}
    game.add(Answer(t, faces=thrown.faces), **_not_empty(keys))
    for play in thrown.plays:
        if play.move == "pass":
            continue
        t += 1
        game.add(Answer(t, move=play.move), **_not_empty({COMMENTS: play.comments}))
        game.add_reading(t)
        if play.taken_back:
            t += 1
            game.add(Answer(t, takeback=True))
            game.add_reading(t)


def _not_empty(comments: dict[str, tuple[str, ...]]) -> dict[str, list[str]]:
    return {key: list(texts) for key, texts in comments.items() if texts}


def _end(game: _Refereed, record: GameRecord, t: int) -> None:
    """Add the fact that ended the game, if it did not end on the board."""
    result = record.tag("Result") or "*"
    if game.state.phase is Phase.OVER:
        return
    for fact in _ending(result, record.tag("Termination"), t):
        game.add(fact)


def _ending(result: str, termination: str | None, t: int) -> Iterator[Fact]:
    if result in {side.value for side in Side}:
        # A record says who has won; the other one must have resigned, as the board shows no win.
        yield Resign(t, Side(result).other)
    elif result == "draw":
        yield Draw(t, Side.LIGHT, agreed=termination == "agreed")
    elif termination == "abandoned":
        yield Abandon(t, Side.LIGHT)
