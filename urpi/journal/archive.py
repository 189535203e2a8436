"""The archive: whole games as JSON lines, to be stored elsewhere or imported into another journal.

FORMATS.md, Archive: a header, for each game a line about it followed by its lines, and at the end
the number of games and the SHA-256 of everything before. Nothing is left out: imported into an
empty journal, the games are the same.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Final

from urpi.core import strict_json
from urpi.core.errors import UrpiError
from urpi.journal.corrections import KINDS, Correction
from urpi.journal.entries import SEAL_KEY, Entry
from urpi.journal.journal import Journal
from urpi.journal.queries import find_game, settings_of
from urpi.referee.line_types import FACT_TYPES
from urpi.referee.lines import LONGEST_LINE

FORMAT: Final = 1
"""To be increased when an older program could not read what is written."""
HEAD: Final = "urpi-games"
GAME: Final = "stored-game"
END: Final = "end"


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """Maximum sizes of an archive.

    Attributes:
        games: The number of games.
        lines: The number of lines of one game. The default is eight hours with a switch that
            flickers all the time.
        size_bytes: The size of the file.
    """

    games: int = 100_000
    lines: int = 500_000
    size_bytes: int = 2**30


ARCHIVE_LIMITS: Final = ArchiveLimits()


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """A game of an archive.

    Attributes:
        line: The number of the line about it in the archive, from 1.
        started: When it began, as written.
        program: The version of the program that refereed it.
        finished: When it ended, None if it has not.
        settings: Its settings, by name.
        corrections: Its corrections; their games are 0.
        entries: Its entries; their seqs are the numbers of their lines in the archive.
    """

    line: int
    started: str
    program: str
    finished: str | None
    settings: Mapping[str, str]
    corrections: tuple[Correction, ...]
    entries: tuple[Entry, ...]


def write_archive(
    journal: Journal, games: Iterable[int], write: Callable[[str], object], program: str
) -> None:
    """Write games to an archive, in the given order.

    Args:
        journal: The journal.
        games: The games' numbers.
        write: Called with each line, its end included.
        program: The version of the program that writes.

    Raises:
        UrpiError: If there is no such game, or the journal cannot be read.
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
    # Not by `put`: the end line is not part of what its own checksum covers.
    write(_line({"type": END, "games": count, "sha256": digest.hexdigest()}) + "\n")


def _about(journal: Journal, game: int, lines: int) -> dict[str, Any]:
    summary = find_game(journal, game)
    finished = summary.stored_finish and summary.stored_finish.isoformat()
    corrections = [
        {key: value for key, value in asdict(one).items() if key != "game"}
        for one in summary.corrections
    ]
    return {
        "type": GAME,
        "game": game,
        "started": summary.stored_start.isoformat(),
        "program": summary.program,
        **({"finished": finished} if finished else {}),
        **({"corrections": corrections} if corrections else {}),
        "settings": {k: v for k, v in settings_of(journal, game).items() if k != SEAL_KEY},
        "lines": lines,
    }


def _line(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


class _Lines:
    """Reads the lines of an archive: numbers them, hashes them, and limits their length."""

    def __init__(self, read: Callable[[int], bytes], limits: ArchiveLimits) -> None:
        self._read, self._digest = read, sha256()
        self.limits = limits
        self.number = self._bytes = 0

    def next(self) -> str:
        """Return the next line without its end.

        Raises:
            UrpiError: If there is none, it is too long, or not UTF-8.
        """
        self.number += 1
        # A character has at most four bytes in UTF-8.
        line = self._read(4 * LONGEST_LINE)
        self._bytes += len(line)
        if self._bytes > self.limits.size_bytes:
            raise self.error(
                f"an archive is at most {self.limits.size_bytes} bytes long; export fewer games"
            )
        if not line:
            raise self.error("the archive ends here, without its end line; it was cut off")
        # `readline` returns a part of a line that is longer than the limit.
        if not line.endswith(b"\n"):
            raise self.error("it has no end; it is too long, or was cut off")
        # The end line contains the digest of everything before itself.
        self._before = self._digest.copy()
        self._digest.update(line)
        try:
            return line[:-1].decode()
        except UnicodeDecodeError as error:
            raise self.error("it is not UTF-8") from error

    def digest_before(self) -> str:
        """The SHA-256 of all lines before this one, in hexadecimal."""
        return self._before.hexdigest()

    def ends(self) -> bool:
        return not self._read(1)

    def error(self, why: str) -> UrpiError:
        return UrpiError(f"Line {self.number} of the archive: {why}.")


def read_archive(
    readline: Callable[[int], bytes], limits: ArchiveLimits = ARCHIVE_LIMITS
) -> Iterator[ArchivedGame]:
    """Yield the games of an archive, one after the other.

    The checksum is at the end, so whether the archive is damaged is known only after the last
    game.

    Args:
        readline: Returns the next line with its end, at most the given number of bytes of it.
        limits: The sizes above which it is rejected.

    Raises:
        UrpiError: If it is not an archive, is damaged, too large, or of a newer version; the
            message contains the line's number.
    """
    lines = _Lines(readline, limits)
    head = _object(lines)
    if head.get("type") != HEAD:
        raise lines.error(f'an archive begins with a line of the type "{HEAD}"')
    # `type`, because True is an instance of int.
    if type(head.get("format")) is not int or head["format"] < 1:
        raise lines.error(f"format is a whole number from 1 on; found {head.get('format')!r}")
    if head["format"] > FORMAT:
        raise lines.error(
            f"it is of format {head['format']}, this program reads up to {FORMAT}; "
            "install a newer urpi"
        )
    count = 0
    while (about := _object(lines)).get("type") == GAME:
        count += 1
        if count > limits.games:
            raise lines.error(f"an archive has at most {limits.games} games; export fewer")
        yield _game(lines, about)
    _check_end(lines, about, count)


def _check_end(lines: _Lines, end: dict[str, Any], games: int) -> None:
    if end.get("type") != END:
        raise lines.error(f'expected a line of the type "{GAME}" or "{END}"')
    if end.get("games") != games:
        raise lines.error(f"it counts {end.get('games')!r} games, but there are {games} before it")
    if end.get("sha256") != lines.digest_before():
        raise lines.error("the lines before it are not what was written; the archive is damaged")
    if not lines.ends():
        lines.number += 1
        raise lines.error("nothing may follow the end line")


def _object(lines: _Lines) -> dict[str, Any]:
    text = lines.next()
    try:
        found = strict_json.parse(text) if len(text) <= LONGEST_LINE else None
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise lines.error(f"it is not a JSON object of at most {LONGEST_LINE} characters")
    return found


def _game(lines: _Lines, about: dict[str, Any]) -> ArchivedGame:
    line = lines.number
    started, program = _text(lines, about, "started"), _text(lines, about, "program")
    finished = _text(lines, about, "finished") if "finished" in about else None
    settings = about.get("settings")
    if not isinstance(settings, dict) or not all(type(v) is str for v in settings.values()):
        raise lines.error("settings is an object of texts")
    count = about.get("lines")
    most = lines.limits.lines
    if type(count) is not int or not 1 <= count <= most:
        raise lines.error(f"lines is a whole number from 1 to {most}; found {count!r}")
    corrections = _corrections(lines, about.get("corrections", []))
    entries = tuple(_entry(lines) for _ in range(count))
    return ArchivedGame(line, started, program, finished, settings, corrections, entries)


def _corrections(lines: _Lines, found: Any) -> tuple[Correction, ...]:
    keys = ("at", "kind", "text", "reason")
    if not isinstance(found, list) or not all(
        isinstance(one, dict)
        and all(isinstance(one.get(key), str) for key in keys)
        and one["kind"] in KINDS - {"deleted"}
        and "\n" not in one["at"] + one["text"] + one["reason"]
        for one in found
    ):
        raise lines.error(
            "corrections is a list of objects with at, kind, text and reason, each text in one line"
        )
    return tuple(Correction(0, *(one[key] for key in keys)) for one in found)


# The keys of a line are written in this order, and without spaces, by `urpi.core.codec`.
_TYPE_SECOND: Final = re.compile(r'\{"t":[0-9]+,"type":"([a-z-]+)"[,}]')

FACTS: Final = frozenset(kind.name for kind in FACT_TYPES)
"""The types of facts. Every other line of a game is a decision."""


def _entry(lines: _Lines) -> Entry:
    text = lines.next()
    if len(text) > LONGEST_LINE:
        raise lines.error(f"it is longer than {LONGEST_LINE} characters")
    # Lines that a journal wrote begin like this. Parsing each of them would take long: an import
    # reads the archive three times.
    start = _TYPE_SECOND.match(text)
    kind = start[1] if start else _type_of(text, lines)
    return Entry(lines.number, "fact" if kind in FACTS else "decision", text)


def _type_of(text: str, lines: _Lines) -> str:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise lines.error("it is not a JSON object") from error
    kind = found.get("type") if isinstance(found, dict) else None
    if not isinstance(kind, str):
        raise lines.error("it is not a JSON object with a text as its type")
    return kind


def _text(lines: _Lines, about: dict[str, Any], key: str) -> str:
    found = about.get(key)
    if not isinstance(found, str):
        raise lines.error(f"{key} is a text; found {found!r}")
    return found
