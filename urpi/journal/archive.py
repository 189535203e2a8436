"""The archive: whole games as JSON lines, to be kept elsewhere or read into another journal.

FORMATS.md, Archive: a line that says what follows, each game's line with its own lines behind
it, and at the end how many games there were and the SHA-256 of all before. What is written is
complete: read into an empty journal it gives the same games.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from urpi.errors import UrpiError
from urpi.journal.entries import Entry
from urpi.journal.journal import Journal
from urpi.journal.queries import find_game, settings_of
from urpi.referee.line_types import FACT_TYPES
from urpi.referee.lines import LONGEST_LINE

FORMAT: Final = 1
"""Counts up when an older program could not read what is written."""
MOST_GAMES: Final = 100_000
MOST_LINES: Final = 500_000
"""Of one game; eight hours with a switch that flickers all the time."""
LARGEST_BYTES: Final = 2**30

HEAD: Final = "urpi-games"
GAME: Final = "stored-game"
END: Final = "end"


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """A game of an archive. `line` is the number of its own line there, from 1.

    `entries` are numbered by their lines in the archive.
    """

    line: int
    started: str
    program: str
    finished: str | None
    settings: Mapping[str, str]
    entries: tuple[Entry, ...]


def write_archive(
    journal: Journal, games: Iterable[int], write: Callable[[str], object], program: str
) -> None:
    """Write games, oldest first or as they are given.

    Args:
        journal: where they are.
        games: their numbers.
        write: takes the text of a line, its end included.
        program: the version that writes.

    Raises:
        UrpiError: when there is no such game, or the journal cannot be read.
    """
    digest, count = sha256(), 0

    def put(line: str) -> None:
        digest.update(f"{line}\n".encode())
        write(f"{line}\n")

    put(_line({"type": HEAD, "format": FORMAT, "program": program}))
    for count, game in enumerate(games, 1):  # noqa: B007 - counted
        lines = [entry.line for entry in journal.entries(game)]
        put(_line(_about(journal, game, len(lines))))
        for line in lines:
            put(line)
    write(_line({"type": END, "games": count, "sha256": digest.hexdigest()}) + "\n")


def _about(journal: Journal, game: int, lines: int) -> dict[str, Any]:
    summary = find_game(journal, game)
    finished = summary.finished and summary.finished.isoformat()
    return {
        "type": GAME,
        "game": game,
        "started": summary.started.isoformat(),
        "program": summary.program,
        **({"finished": finished} if finished else {}),
        "settings": settings_of(journal, game),
        "lines": lines,
    }


def _line(told: Mapping[str, Any]) -> str:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


class _Lines:
    """The lines of an archive, numbered, hashed, and none longer than one may be."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read, self._digest = read, sha256()
        self.number = self._bytes = 0

    def next(self) -> str:
        """The next line without its end.

        Raises:
            UrpiError: when there is none, it is too long, or no UTF-8.
        """
        self.number += 1
        line = self._read(4 * LONGEST_LINE)
        self._bytes += len(line)
        if self._bytes > LARGEST_BYTES:
            raise self.wrong(
                f"an archive is at most {LARGEST_BYTES} bytes long; export fewer games"
            )
        if not line:
            raise self.wrong("the archive ends here, without its end line; it was cut off")
        if not line.endswith(b"\n"):
            raise self.wrong("it has no end; it is too long, or was cut off")
        self._before = self._digest.copy()
        self._digest.update(line)
        try:
            return line[:-1].decode()
        except UnicodeDecodeError as error:
            raise self.wrong("it is no UTF-8") from error

    def digest_before(self) -> str:
        """The SHA-256 of all lines before this one."""
        return self._before.hexdigest()

    def ends(self) -> bool:
        """Whether nothing is left."""
        return not self._read(1)

    def wrong(self, why: str) -> UrpiError:
        """The error that names this line."""
        return UrpiError(f"Line {self.number} of the archive: {why}.")


def read_archive(readline: Callable[[int], bytes]) -> Iterator[ArchivedGame]:
    """The games of an archive, one after the other.

    That nothing was lost or changed on the way is known when the last one has been asked for.

    Args:
        readline: gives the next line with its end, at most so many bytes of it.

    Raises:
        UrpiError: when it is no archive, is damaged, too large, or a newer version's; the
            message names the line.
    """
    lines = _Lines(readline)
    head = _object(lines)
    if head.get("type") != HEAD:
        raise lines.wrong(f'an archive begins with a line of the type "{HEAD}"')
    if type(head.get("format")) is not int or head["format"] < 1:
        raise lines.wrong(f"format is a whole number from 1 on; found {head.get('format')!r}")
    if head["format"] > FORMAT:
        raise lines.wrong(
            f"it is of format {head['format']}, this program reads up to {FORMAT}; "
            "install a newer urpi"
        )
    count = 0
    while (about := _object(lines)).get("type") == GAME:
        count += 1
        if count > MOST_GAMES:
            raise lines.wrong(f"an archive has at most {MOST_GAMES} games; export fewer")
        yield _game(lines, about)
    _check_end(lines, about, count)


def _check_end(lines: _Lines, end: dict[str, Any], games: int) -> None:
    if end.get("type") != END:
        raise lines.wrong(f'here stands a line of the type "{GAME}" or "{END}"')
    if end.get("games") != games:
        raise lines.wrong(f"it says {end.get('games')!r} games, but {games} stand before it")
    if end.get("sha256") != lines.digest_before():
        raise lines.wrong("the lines before it are not those that were written; it is damaged")
    if not lines.ends():
        lines.number += 1
        raise lines.wrong("nothing may follow the end line")


def _object(lines: _Lines) -> dict[str, Any]:
    text = lines.next()
    try:
        found = json.loads(text) if len(text) <= LONGEST_LINE else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise lines.wrong(f"it is no JSON object of at most {LONGEST_LINE} characters")
    return found


def _game(lines: _Lines, about: dict[str, Any]) -> ArchivedGame:
    line = lines.number
    started, program = _text(lines, about, "started"), _text(lines, about, "program")
    finished = _text(lines, about, "finished") if "finished" in about else None
    settings = about.get("settings")
    if not isinstance(settings, dict) or not all(type(v) is str for v in settings.values()):
        raise lines.wrong("settings is an object of texts")
    count = about.get("lines")
    if type(count) is not int or not 1 <= count <= MOST_LINES:
        raise lines.wrong(f"lines is a whole number from 1 to {MOST_LINES}; found {count!r}")
    entries = tuple(_entry(lines) for _ in range(count))
    return ArchivedGame(line, started, program, finished, settings, entries)


_TYPE_SECOND: Final = re.compile(r'\{"t":[0-9]+,"type":"([a-z-]+)"[,}]')

FACTS: Final = frozenset(kind.name for kind in FACT_TYPES)
"""The types of facts; every other line of a game is a decision."""


def _entry(lines: _Lines) -> Entry:
    text = lines.next()
    if len(text) > LONGEST_LINE:
        raise lines.wrong(f"it is longer than {LONGEST_LINE} characters")
    # Lines that a journal wrote begin so; to read each of them three times would take long.
    begins = _TYPE_SECOND.match(text)
    kind = begins[1] if begins else _type_of(text, lines)
    return Entry(lines.number, "fact" if kind in FACTS else "decision", text)


def _type_of(text: str, lines: _Lines) -> str:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise lines.wrong("it is not a JSON object") from error
    kind = found.get("type") if isinstance(found, dict) else None
    if not isinstance(kind, str):
        raise lines.wrong("it is not a JSON object with a text as its type")
    return kind


def _text(lines: _Lines, about: dict[str, Any], key: str) -> str:
    found = about.get(key)
    if not isinstance(found, str):
        raise lines.wrong(f"{key} is a text; found {found!r}")
    return found
