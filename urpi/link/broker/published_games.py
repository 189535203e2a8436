"""The journal as the outbox reads it: one table's games, and the names of players who agree."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from urpi.core.supervision import Quarantine
from urpi.journal import Journal
from urpi.journal.clock import BOOT, CLOCK, UPTIME
from urpi.journal.consents import read_consents
from urpi.journal.corrections import corrected_names, corrections_by_game, is_void
from urpi.journal.entries import PRUNED, SEAL_KEY
from urpi.journal.failures import DiskError
from urpi.link.protocol.line_checks import without_names
from urpi.link.protocol.messages import GameHead
from urpi.link.protocol.outbox import NumberedLine, OutboxGame, OutboxJournal
from urpi.referee.facts import Game
from urpi.referee.lines import parse_fact
from urpi.referee.seats import remote_side
from urpi.rules import Side

_KEPT: Final = frozenset({PRUNED, SEAL_KEY, CLOCK, BOOT, UPTIME})
"""Settings that stay at the table: the one that a game gets after its beginning, on which its key
must not depend, the key of a game of two tables, and those about the clock of the machine."""

SETTLED_MS: Final = 3000
"""Time for which a change of the journal's files may be followed by one that their sizes and times
do not show: a clock of files counts milliseconds, on some file systems two seconds."""
_GAMES: Final = """
SELECT id, started, program, rules,
    (SELECT max(seq) FROM batches WHERE game = id) AS seq,
    coalesce((SELECT at FROM finished WHERE game = id), '') AS at,
    EXISTS (SELECT 1 FROM settings WHERE game = id AND name = 'pruned'), light, dark
FROM games WHERE id IN (SELECT game FROM settings WHERE name = 'table' AND value = ?)
ORDER BY id
"""


class PublishedGames(OutboxJournal):
    """The games of one table in a journal. Imported games belong to none.

    Args:
        path: The journal.
        table: The name of the table in the journal.
    """

    def __init__(self, path: Path, table: str) -> None:
        self._path, self._table = path, table
        self._open: Journal | None = None
        self._opening = ExitStack()
        self._files: tuple[object, ...] = ()
        """What the system says of the journal's files, and since when it has said so."""
        self._files_since: int | None = None
        # By the start as well: a journal that was replaced may have another game under this number.
        self._heads: dict[tuple[int, str], GameHead] = {}
        # What was read last, because of many games only the newest one changes.
        self._read: tuple[object, dict[tuple[object, ...], OutboxGame]] = (), {}
        self._remotes: dict[tuple[int, str], Side | None] = {}
        self._broken = Quarantine("game", max_failures=1)
        """The games that cannot be read; they must not hold up the others."""

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Let the journal be read; all other methods but `may_have_changed` need it.

        It is opened for each use, because a damaged file is replaced while the program runs, and
        only if something is read.

        Raises:
            UrpiError: If the journal cannot be read.
        """
        try:
            with ExitStack() as self._opening:
                yield
        except BaseException:
            self._files_since = None
            raise
        finally:
            self._open = None

    @property
    def _journal(self) -> Journal:
        if self._open is None:
            self._open = self._opening.enter_context(Journal.read_only(self._path))
        return self._open

    def may_have_changed(self, now: int) -> bool:
        """Whether something may have been stored since the last call.

        Reading a thousand games takes 15 ms on a server's core, much more on a Pi, and during most
        seconds nothing changes.

        Args:
            now: Milliseconds of any clock that never goes back.
        """
        files = tuple(map(_file_state, (self._path, Path(f"{self._path}-wal"))))
        if self._files_since is None or files != self._files:
            self._files, self._files_since = files, now
        return now < self._files_since + SETTLED_MS

    def games(self) -> Sequence[OutboxGame]:
        consents = read_consents(self._journal, self._table)
        corrections = corrections_by_game(self._journal)
        before, known = self._read
        if before != (consents, corrections):
            known = {}
        found: dict[tuple[object, ...], OutboxGame] = {}
        for row in self._journal.rows(_GAMES, self._table):
            number, started, program, rules, seq, finished, pruned, light, dark = row
            corrected = corrections.get(number, ())
            players, void = corrected_names((light, dark), corrected), is_void(corrected)
            if number in self._broken:
                continue
            if row in known:
                found[row] = known[row]
                continue
            with self._broken.trying(number, (DiskError,)):
                head = self._head(number, started, program, rules)
                # The table of a player at another table asks for that consent.
                remote = self._remote_side(head)
            names = {
                side.value: name
                for side, name in zip(Side, players, strict=True)
                # A consent is valid for later games only, and without one the number itself fails
                # the comparison.
                if side is not remote and not void and consents.get(name, number) < number
            }
            found[row] = OutboxGame(head, seq, finished or None, bool(pruned), names, void)
        self._read = (consents, corrections), found
        return list(found.values())

    def agreed(self) -> Collection[str]:
        return read_consents(self._journal, self._table).keys()

    def _head(self, number: int, started: str, program: str, rules: str) -> GameHead:
        """What is known of a game since its beginning, which never changes."""
        found = self._heads.get((number, started))
        if found is None:
            rows = self._journal.rows("SELECT name, value FROM settings WHERE game = ?", number)
            settings = {name: value for name, value in rows if name not in _KEPT}
            found = self._heads[number, started] = GameHead(
                number, started, program, rules, settings
            )
        return found

    def _remote_side(self, head: GameHead) -> Side | None:
        """The side of the player at another table, None in a game of one table."""
        if "shared" not in head.settings:
            return None
        key = head.number, head.started
        if key not in self._remotes:
            first = next(iter(self._journal.batches(head.number))).lines[0]
            opening = parse_fact(first, 1)
            assert isinstance(opening, Game)
            self._remotes[key] = remote_side(opening.seats)
        return self._remotes[key]

    def lines(self, game: int, after_seq: int) -> Iterator[NumberedLine]:
        # A journal that cannot be opened is no fault of the game.
        journal = self._journal
        with self._broken.trying(game, (DiskError,)):
            for batch in journal.batches(game, after_seq):
                first = batch.seq - len(batch.lines) + 1
                for seq, line in enumerate(batch.lines, first):
                    if seq > after_seq:
                        yield NumberedLine(seq, line and without_names(line), seq == batch.seq)

    def checksum(self, game: int, seq: int) -> int | None:
        rows = self._journal.rows(
            "SELECT checksum FROM batches WHERE game = ? AND seq <= ? ORDER BY seq DESC LIMIT 1",
            game,
            seq,
        )
        return int(rows[0][0]) if rows else None


def _file_state(path: Path) -> object:
    """What changes with a file's content, None without a file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
