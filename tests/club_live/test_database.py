"""PostgreSQL keeps the promises of the store in memory, with which the protocol is tested."""

import contextlib

import pytest

from tests.club_live.running import Database
from tests.link.protocol.delivery import Misfortunes, RemovedLines
from tests.link.protocol.memory import MemoryJournal, StoredHistory
from urpi.club.server.database import TableStore, connect, name_of, read_lines
from urpi.club.server.migrations import MIGRATIONS, VERSION, migrate
from urpi.core.errors import UrpiError
from urpi.link.protocol import outbox
from urpi.link.protocol.archive import receive
from urpi.link.protocol.messages import Offer
from urpi.rules import Side

SEEDS = range(8)


class ComparableStore(TableStore):
    """A table's histories, as the simulation compares them."""

    def __deepcopy__(self, _memo: object) -> "ComparableStore":
        return self  # the simulated club is never restored from a backup

    @property
    def stored(self) -> dict[int, StoredHistory]:
        rows = self._connection.execute(
            "SELECT id, key, finished, lines, chain FROM histories WHERE table_id = %s",
            (self._table,),
        ).fetchall()
        found = {}
        for number, key, finished, count, _chain in rows:
            lines = read_lines(self._connection, self._table, number)
            assert len(lines) == count
            # A table never removes the first line of a game.
            removed = next((n for n, line in enumerate(lines) if line), count) if count else 0
            found[number] = StoredHistory(key, lines, finished, removed=removed)
        return found

    def remove_lines(self, number: int) -> None:
        self._connection.execute("DELETE FROM batches WHERE history = %s", (number,))

    @property
    def names(self) -> dict[str, dict[str, str]]:
        found = {}
        for key in dict.fromkeys(one.key for one in self.stored.values()):
            each = {side: name_of(self._connection, self._table, key, side) for side in Side}
            found[key] = {side.value: name for side, name in each.items() if name is not None}
        return found

    @property
    def current(self) -> dict[str, int]:
        rows = self._connection.execute(
            "SELECT key, id FROM histories WHERE table_id = %s AND current", (self._table,)
        ).fetchall()
        assert len(rows) == len({key for key, _ in rows})
        return dict(rows)


@pytest.mark.parametrize("kind", [Misfortunes, RemovedLines])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_line_is_stored_exactly_once_unless_it_was_removed(
    database: Database, seed: int, kind: type[Misfortunes], monkeypatch: pytest.MonkeyPatch
) -> None:
    if seed % 2:
        # Few are enough for a digest.
        monkeypatch.setattr(outbox, "MAX_OFFERED", 4)
    with contextlib.closing(connect(database.url)) as connection:
        migrate(connection)
        one = kind(seed)
        one.store = ComparableStore(connection, "lisbon")  # type: ignore[assignment]
        one.club_backup = one.store
        for _ in range(200):
            one.next_event()
        one.settle()
        one.check()
        assert one.store.stored


def test_what_is_finished_is_compared_by_digests(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "MAX_OFFERED", 4)
    with contextlib.closing(connect(database.url)) as connection:
        migrate(connection)
        one = Misfortunes(0)
        one.store = ComparableStore(connection, "lisbon")  # type: ignore[assignment]
        for names in ({}, {"light": "Ann"}, {"light": "Zoë", "dark": 'B"o'}) * 3:
            one.begin(**names)
            one.finish()
        one.settle()

        def differing() -> set[int]:
            one.outbox.connect()
            one.outbox.look()
            found: set[int] = set()
            while (message := one.outbox.next_message(one.now)) is not None:
                if isinstance(message, Offer):
                    found |= {game.number for game in message.games}
                one.outbox.receive(receive(one.store, message))
            return found

        assert differing() == set()
        connection.execute("UPDATE histories SET finished = NULL WHERE game = 6")
        assert differing() == {4, 5, 6, 7}
        one.check()


def test_a_withdrawn_name_is_erased(database: Database) -> None:
    with contextlib.closing(connect(database.url)) as connection:
        migrate(connection)
        one = Misfortunes(0)
        one.store = ComparableStore(connection, "names")  # type: ignore[assignment]
        one.begin(light="Ann", dark="Zoë")
        one.settle()
        assert list(one.store.names.values()) == [{"light": "Ann", "dark": "Zoë"}]
        one.journal.games_by_number[1].names["dark"] = "Ann"
        one.settle()
        assert list(one.store.names.values()) == [{"light": "Ann"}]
        one.journal = MemoryJournal(consents={"Zoë"})
        one.restart_table()
        one.settle()
        assert list(one.store.names.values()) == [{}]


def test_migrations_run_once_and_other_versions_are_refused(database: Database) -> None:
    with contextlib.closing(connect(database.url)) as connection:
        migrate(connection)
        migrate(connection)
        assert database.rows("SELECT version FROM schema_version") == [(VERSION,)]
        further = (*MIGRATIONS, "CREATE TABLE further (number integer)")
        migrate(connection, further)
        migrate(connection, further)
        assert database.rows("SELECT version FROM schema_version") == [(VERSION + 1,)]
        assert database.rows("SELECT * FROM further") == []
        for version, reason in ((99, "install a newer urpi"), (11, "no release of urpi had")):
            connection.execute("UPDATE schema_version SET version = %s", (version,))
            with pytest.raises(UrpiError, match=f"has version {version}, .*{reason}"):
                migrate(connection)


def test_a_database_that_does_not_respond_is_named(database: Database) -> None:
    with pytest.raises(UrpiError, match="No connection to the club's database"):
        connect("postgresql://urpi@127.0.0.1:1/postgres")
