"""Importing: games from an archive or a record, stored all together or not at all.

What comes from outside is checked before anything is written: each line, that the game is
legal, and that what was decided fits it. A decision that this version would take otherwise is
no reason to refuse: `urpi games replay` tells of it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import IO, Final

from urpi.errors import UrpiError
from urpi.journal.archive import ArchivedGame, read_archive
from urpi.journal.build_record import build_record
from urpi.journal.course import Course
from urpi.journal.entries import Entry
from urpi.journal.journal import Journal
from urpi.journal.queries import list_games
from urpi.journal.replay import timing_of
from urpi.referee.decisions import Moved
from urpi.referee.facts import Game
from urpi.referee.lines import parse_decision, parse_fact
from urpi.rules import Position
from urpi.rules.record import check_record

IMPORTED: Final = "imported"
"""The setting that says when a game was read from a record or an archive."""
OF_A_TABLE: Final = "table"
"""The setting by which a table finds its unfinished game; here it is of no table any more."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The numbers of the games that were stored, and how many the journal had already."""

    games: tuple[int, ...]
    known: int = 0


def import_archive(journal: Journal, file: IO[bytes], now: datetime) -> Imported:
    """Store every game of an archive that the journal does not have yet.

    Args:
        journal: where to.
        file: the archive; it is read several times from its start, so that no more than one
            game is in memory.
        now: when it is imported.

    Raises:
        UrpiError: when a line is wrong, a game breaks its rules, or the disk fails; the message
            names the line, and nothing is stored.
    """
    for _ in _games_of(file):
        # To the end first: damage is reported as such, and not as some broken rule.
        pass
    for game in _games_of(file):
        _check(game)
    known = _digests(journal)
    stored, met = [], 0
    # All has been checked by now, so that other writers need not wait for that.
    with journal.together():
        for game in _games_of(file):
            digest = _digest(game.started, game.entries)
            if digest in known:
                met += 1
            else:
                stored.append(_store(journal, game, now))
                known.add(digest)
    return Imported(tuple(stored), met)


def _games_of(file: IO[bytes]) -> Iterator[ArchivedGame]:
    file.seek(0)
    return read_archive(file.readline)


def _check(game: ArchivedGame) -> None:
    """Refuse a game that cannot be one.

    Raises:
        UrpiError: naming the line of the archive.
    """
    try:
        started = _moment(game.started)
        if game.finished is not None:
            _moment(game.finished)
        timing_of(game.settings)
    except UrpiError as error:
        message = f"Line {game.line} of the archive: {error}"
        raise UrpiError(message) from error
    _check_lines(game.entries)
    try:
        check_record(build_record(game.entries, started))
    except UrpiError as error:
        message = f"The game of line {game.line} of the archive: {error}"
        raise UrpiError(message) from error


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        message = f"a time is like 2026-11-20T19:02:11+01:00; found {text[:40]!r}."
        raise UrpiError(message)
    return moment


def _check_lines(entries: Iterable[Entry]) -> None:
    """Refuse lines that are none, facts that go back in time, and what leads elsewhere."""
    opening, *others = entries
    game = parse_fact(opening.line, opening.seq) if opening.kind == "fact" else None
    if not isinstance(game, Game):
        message = f"Line {opening.seq}: a game begins with a line of type game."
        raise UrpiError(message)
    course, last_t = Course(game), game.t
    for entry in others:
        if entry.kind == "decision":
            _follow(course, entry)
        else:
            last_t = _check_fact(entry, last_t)


def _check_fact(entry: Entry, last_t: int) -> int:
    fact = parse_fact(entry.line, entry.seq)
    if isinstance(fact, Game):
        message = f"Line {entry.seq}: a game has one line of type game, its first."
        raise UrpiError(message)
    if fact.t < last_t:
        message = f"Line {entry.seq}: t goes back, from {last_t} to {fact.t}."
        raise UrpiError(message)
    return fact.t


def _follow(course: Course, entry: Entry) -> None:
    """Go on with a decision, and see that a move leads where it says."""
    decision = parse_decision(entry.line, entry.seq)
    before, roll = course.position, course.roll
    try:
        course.take(decision)
        if isinstance(decision, Moved) and roll is not None:
            leads = _played(before, roll.faces, decision.move)
            if course.position != leads:
                message = f"{decision.move} leads to {leads}; found {decision.position}."
                raise UrpiError(message)
    except UrpiError as error:
        message = f"Line {entry.seq}: {error}"
        raise UrpiError(message) from error


def _played(position: Position, faces: str, move: str) -> Position:
    rules = position.rules
    throw = rules.dice.throw(faces)
    legal = {each.text: each for each in rules.legal_moves(position, throw)}
    if move not in legal:
        allowed = ", ".join(legal) or "none"
        message = f"{move} is not legal with {faces}; found legal: {allowed}."
        raise UrpiError(message)
    return rules.play(position, throw, legal[move])


def _digests(journal: Journal) -> set[bytes]:
    """What tells every game of the journal from others."""
    games = list_games(journal)
    return {_digest(game.started.isoformat(), journal.entries(game.id)) for game in games}


def _digest(started: str, entries: Iterable[Entry]) -> bytes:
    """When a game began, how, and what was decided: the same after its edges were pruned."""
    digest = sha256(datetime.fromisoformat(started).isoformat().encode())
    for number, entry in enumerate(entries):
        if number == 0 or entry.kind == "decision":
            digest.update(f"\n{entry.line}".encode())
    return digest.digest()


def _store(journal: Journal, game: ArchivedGame, now: datetime) -> int:
    settings = {IMPORTED: now.isoformat(timespec="seconds"), **game.settings}
    if OF_A_TABLE in settings:
        settings["table_there"] = settings.pop(OF_A_TABLE)
    opening, *others = game.entries
    number = journal.new_game(opening.line, game.started, game.program, settings)
    store_runs(journal, number, others)
    if game.finished is not None:
        journal.finish(number, game.finished)
    return number


def store_runs(journal: Journal, game: int, entries: Iterable[Entry]) -> None:
    """Store entries so that they keep their order: facts, what they decided, facts again.

    Raises:
        UrpiError: as `Journal.append`.
    """
    facts: list[str] = []
    decisions: list[str] = []
    for entry in entries:
        if entry.kind == "decision":
            decisions.append(entry.line)
            continue
        if decisions:
            journal.append(game, facts, decisions)
            facts, decisions = [], []
        facts.append(entry.line)
    if facts or decisions:
        journal.append(game, facts, decisions)
