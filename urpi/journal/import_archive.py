"""Import of an archive: all of its games are stored, or none.

An archive is checked before anything is written: each line, that each game is legal, and that its
decisions are consistent. A decision that this version of the program would make differently is
accepted: `urpi games replay` reports it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import IO, Final

from urpi.core.errors import UrpiError
from urpi.core.moments import parse_moment
from urpi.journal.archive import ARCHIVE_LIMITS, ArchivedGame, ArchiveLimits, read_archive
from urpi.journal.build_record import build_record
from urpi.journal.corrections import insert_corrections
from urpi.journal.course import Course
from urpi.journal.entries import IMPORTED, Entry
from urpi.journal.journal import Journal
from urpi.journal.queries import list_games
from urpi.journal.replay import timing_of
from urpi.referee.decisions import Moved
from urpi.referee.facts import Game
from urpi.referee.lines import parse_decision, parse_fact
from urpi.rules import Position
from urpi.rules.record import check_record

_TABLE: Final = "table"
"""The setting by which a table finds its unfinished game."""
TABLE_THERE: Final = "table_there"
"""Its name after an import, so that no table here resumes the game."""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The result of an import.

    Attributes:
        games: The numbers of the games that were stored.
        known: Number of games that the journal already had; 0 by default, as in a new file.
    """

    games: tuple[int, ...]
    known: int = 0


def import_archive(
    journal: Journal, file: IO[bytes], now: datetime, limits: ArchiveLimits = ARCHIVE_LIMITS
) -> ImportResult:
    """Store every game of an archive that the journal does not have yet.

    Args:
        journal: The journal.
        file: The archive. It is read several times from its start, so that only one game at a
            time is in memory.
        now: The local time.
        limits: The sizes above which the archive is rejected.

    Raises:
        UrpiError: If a line is invalid, a game breaks its rules, or the disk fails; the message
            contains the line's number, and nothing is stored.
    """
    check_archive(file, limits)
    return store_archive(journal, file, now, limits)


def check_archive(file: IO[bytes], limits: ArchiveLimits = ARCHIVE_LIMITS) -> None:
    """Check an archive without a journal; the arguments are those of `import_archive`.

    Raises:
        UrpiError: As `import_archive`.
    """
    for _ in _games_of(file, limits):
        # First to the end, where the checksum is: damage is reported as such, not as a broken rule.
        pass
    for game in _games_of(file, limits):
        _check(game)


def store_archive(
    journal: Journal, file: IO[bytes], now: datetime, limits: ArchiveLimits = ARCHIVE_LIMITS
) -> ImportResult:
    """Do what `import_archive` does with an archive that has been checked."""
    digests = _digests(journal)
    stored, known = [], 0
    # Everything has been checked by now, so other writers need not wait for that.
    with journal.transaction():
        for game in _games_of(file, limits):
            digest = _digest(game.started, game.entries)
            if digest in digests:
                known += 1
            else:
                stored.append(_store(journal, game, now))
                digests.add(digest)
    return ImportResult(tuple(stored), known)


def _games_of(file: IO[bytes], limits: ArchiveLimits) -> Iterator[ArchivedGame]:
    file.seek(0)
    return read_archive(file.readline, limits)


def _check(game: ArchivedGame) -> None:
    """Check a game.

    Raises:
        UrpiError: If it is invalid; the message contains the line of the archive.
    """
    try:
        started = parse_moment(game.started, "a time")
        if game.finished is not None:
            parse_moment(game.finished, "a time")
        for one in game.corrections:
            parse_moment(one.at, "a time")
            if one.kind == "started":
                parse_moment(one.text, "a time")
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


def _check_lines(entries: Iterable[Entry]) -> None:
    """Check a game's lines: each one, that time never goes back, that moves fit positions."""
    opening, *others = entries
    game = parse_fact(opening.line, opening.seq) if opening.kind == "fact" else None
    if not isinstance(game, Game):
        message = f"Line {opening.seq}: a game must begin with a line of type game."
        raise UrpiError(message)
    course, last_t = Course(game), game.t
    for entry in others:
        if entry.kind == "decision":
            _check_decision(course, entry)
        else:
            last_t = _check_fact(entry, last_t)


def _check_fact(entry: Entry, last_t: int) -> int:
    fact = parse_fact(entry.line, entry.seq)
    if isinstance(fact, Game):
        message = f"Line {entry.seq}: only the first line of a game may be of type game."
        raise UrpiError(message)
    if fact.t < last_t:
        message = f"Line {entry.seq}: t decreases from {last_t} to {fact.t}."
        raise UrpiError(message)
    return fact.t


def _check_decision(course: Course, entry: Entry) -> None:
    """Follow a decision, and check that a move leads to the stored position."""
    decision = parse_decision(entry.line, entry.seq)
    before, roll = course.position, course.roll
    try:
        course.apply(decision)
        if isinstance(decision, Moved) and roll is not None:
            after = _position_after(before, roll.faces, decision.move)
            if course.position != after:
                message = f"{decision.move} leads to {after}; found {decision.position}."
                raise UrpiError(message)
    except UrpiError as error:
        message = f"Line {entry.seq}: {error}"
        raise UrpiError(message) from error


def _position_after(position: Position, faces: str, move: str) -> Position:
    rules = position.rules
    throw = rules.dice.throw(faces)
    legal = {each.text: each for each in rules.legal_moves(position, throw)}
    if move not in legal:
        allowed = ", ".join(legal) or "none"
        message = f"{move} is not legal with {faces}; found legal: {allowed}."
        raise UrpiError(message)
    return rules.play(position, throw, legal[move])


def _digests(journal: Journal) -> set[bytes]:
    """The digest of every game of the journal."""
    games = list_games(journal)
    return {_digest(game.stored_start.isoformat(), journal.entries(game.id)) for game in games}


def _digest(started: str, entries: Iterable[Entry]) -> bytes:
    """Identify a game by its start, its first entry and its decisions, which pruning keeps."""
    # Parsed and written again, because one moment can be written in several ways.
    digest = sha256(datetime.fromisoformat(started).isoformat().encode())
    for number, entry in enumerate(entries):
        # Not the facts: a pruned game is the same game.
        if number == 0 or entry.kind == "decision":
            digest.update(f"\n{entry.line}".encode())
    return digest.digest()


def _store(journal: Journal, game: ArchivedGame, now: datetime) -> int:
    # The archive's own settings take precedence: a game keeps the time of its first import.
    settings = {IMPORTED: now.isoformat(timespec="seconds"), **game.settings}
    if _TABLE in settings:
        settings[TABLE_THERE] = settings.pop(_TABLE)
    opening, *others = game.entries
    number = journal.new_game(opening.line, game.started, game.program, settings)
    store_runs(journal, number, others)
    if game.finished is not None:
        journal.finish(number, game.finished)
    insert_corrections(journal, (replace(one, game=number) for one in game.corrections))
    return number


def store_runs(journal: Journal, game: int, entries: Iterable[Entry]) -> None:
    """Store entries in their order: a batch for each run of facts and the decisions after it.

    Raises:
        UrpiError: As `Journal.append`.
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
