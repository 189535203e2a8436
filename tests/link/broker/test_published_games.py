"""The journal as the club's outbox, and the ledger beside it."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from tests.journal.games import STARTED, store_game
from tests.link.protocol.memory import MemoryStore
from urpi.core.errors import UrpiError
from urpi.journal import Journal, anonymise_player, correct_game, prune_game
from urpi.journal.consents import CONSENTS, NO_CONSENTS, read_consents
from urpi.link.broker.ledger import LedgerFile, ledger_path
from urpi.link.broker.published_games import SETTLED_MS, PublishedGames
from urpi.link.protocol.archive import receive
from urpi.link.protocol.line_checks import check_lines
from urpi.link.protocol.messages import Ack, Compared
from urpi.link.protocol.outbox import Outbox, Place

GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Zoë"}'
SETTINGS = {"still_ms": "150", "table": "board"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as journal:
        yield journal


@pytest.fixture
def games(path: Path) -> PublishedGames:
    return PublishedGames(path, "board")


def time_line(t: int) -> str:
    return json.dumps({"t": t, "type": "time"}, separators=(",", ":"))


def deliver(outbox: Outbox, store: MemoryStore) -> int:
    """Send everything; return the number of messages."""
    outbox.look()
    for sent in range(1000):
        message = outbox.next_message(0)
        if message is None:
            return sent
        answer = receive(store, message)
        assert isinstance(answer, Ack | Compared), answer
        outbox.receive(answer)
    raise AssertionError("it never ends")


def test_only_the_games_of_the_table_are_published(journal: Journal, games: PublishedGames) -> None:
    journal.new_game(GAME, STARTED, "1.0.0", SETTINGS)
    journal.new_game(GAME, STARTED, "1.0.0", {**SETTINGS, "table": "virtual"})
    journal.new_game(GAME, STARTED, "1.0.0", {"still_ms": "150", "table_there": "board"})
    with games.opened():
        (game,) = games.games()
    assert (game.head.number, game.head.settings) == (1, SETTINGS)
    assert (game.last_seq, game.finished, game.pruned) == (1, None, False)


def test_lines_have_no_names_and_are_numbered_as_stored(
    journal: Journal, games: PublishedGames
) -> None:
    number = journal.new_game(GAME, STARTED, "1.0.0", SETTINGS)
    other = journal.new_game(GAME, STARTED, "1.0.0", SETTINGS)
    journal.append(number, [time_line(1), time_line(2)])
    journal.append(other, [time_line(3)])
    journal.append(number, [time_line(4)])
    with games.opened():
        lines = list(games.lines(number, 0))
        rest = list(games.lines(number, 3))
    assert [(line.seq, line.ends_batch) for line in lines] == [
        *((1, True), (3, False), (4, True), (6, True))
    ]
    assert [line.seq for line in rest] == [4, 6]
    check_lines(1, [line.text for line in lines])


def test_a_whole_game_reaches_the_club_without_names(
    path: Path, journal: Journal, games: PublishedGames
) -> None:
    number = store_game(journal, seed=3)
    journal.rewrite(number, lambda entry: entry.line, settings={"table": "board"})
    store, ledger = MemoryStore(), LedgerFile(ledger_path(path))
    with games.opened():
        outbox = Outbox(games, ledger, "a")
        outbox.connect()
        deliver(outbox, store)
    (stored,) = store.stored.values()
    entries = list(journal.entries(number))
    assert len(stored.lines) == len(entries)
    assert "Ann" not in "".join(stored.lines)
    assert stored.lines[-1] == entries[-1].line
    # Another start of the program offers the game, and sends nothing of it again.
    with games.opened():
        outbox = Outbox(games, LedgerFile(ledger_path(path)), "b")
        outbox.connect()
        assert deliver(outbox, store) == 1


def test_an_anonymised_or_pruned_game_is_the_same_for_the_club(
    path: Path, journal: Journal, games: PublishedGames
) -> None:
    number = journal.new_game(GAME, STARTED, "1.0.0", SETTINGS)
    edge = '{"t":5,"type":"square","square":"A1","on":true}'
    journal.append(number, [edge], ended=STARTED)
    store = MemoryStore()
    for change in (
        lambda: None,
        lambda: anonymise_player(journal, "Ann", "Player 1"),
        lambda: prune_game(journal, number, "2026-11-21"),
        lambda: ledger_path(path).unlink(),
    ):
        change()
        with games.opened():
            outbox = Outbox(games, LedgerFile(ledger_path(path)), "a")
            outbox.connect()
            deliver(outbox, store)
            assert outbox.waiting_games == 0
    (stored,) = store.stored.values()
    assert stored.lines == [GAME.replace("Ann", "").replace("Zoë", ""), edge]


def agree(journal: Journal, *names: str, table: str = "board") -> None:
    """Let the players with these names agree, as the service does."""
    now = len(journal.rows("SELECT id FROM games"))
    before = read_consents(journal, table)
    text = json.dumps({name: before.get(name, now) for name in names})
    journal.store_preferences([(table, CONSENTS, text, NO_CONSENTS)])


def published_names(games: PublishedGames) -> list[dict[str, str]]:
    with games.opened():
        return [dict(game.names) for game in games.games()]


def test_a_name_is_published_in_the_games_that_begin_after_the_consent(
    journal: Journal, games: PublishedGames
) -> None:
    journal.new_game(GAME, STARTED, "1.0.0", SETTINGS)
    agree(journal, "Ann")
    journal.new_game(GAME, STARTED, "1.0.0", SETTINGS)
    agree(journal, "Ann", "Zoë")
    journal.new_game(GAME, STARTED, "1.0.0", SETTINGS)
    assert published_names(games) == [{}, {"light": "Ann"}, {"light": "Ann", "dark": "Zoë"}]
    with games.opened():
        assert set(games.agreed()) == {"Ann", "Zoë"}


def test_the_name_of_a_player_at_another_table_is_published_by_that_table(
    journal: Journal, games: PublishedGames
) -> None:
    agree(journal, "Ann", "Zoë")
    shared = {"id": "5f" * 16, "table": "porto", "date": "2026.11.20"}
    opening = json.loads(GAME) | {"seats": {"light": "person", "dark": "remote"}, "shared": shared}
    settings = {**SETTINGS, "shared": shared["id"]}
    journal.new_game(json.dumps(opening), STARTED, "1.0.0", settings)
    assert published_names(games) == [{"light": "Ann"}]


def test_a_consent_is_that_of_its_table_and_ends_for_all_games(
    journal: Journal, games: PublishedGames
) -> None:
    agree(journal, "Ann", table="virtual")
    journal.new_game(GAME, STARTED, "1.0.0", SETTINGS)
    assert published_names(games) == [{}]
    agree(journal, "Ann")
    journal.new_game(GAME, STARTED, "1.0.0", SETTINGS)
    agree(journal)
    agree(journal, "Ann")
    journal.new_game(GAME, STARTED, "1.0.0", SETTINGS)
    assert published_names(games) == [{}, {}, {"light": "Ann"}]


def test_anonymising_a_player_erases_the_name_at_the_club(
    path: Path, journal: Journal, games: PublishedGames
) -> None:
    agree(journal, "Ann", "Zoë")
    journal.new_game(GAME, STARTED, "1.0.0", SETTINGS)
    journal.append(1, [], ended=STARTED)
    journal.new_game(GAME, STARTED, "1.0.0", SETTINGS)
    journal.append(2, [], ended=STARTED)
    store = MemoryStore()
    outbox = Outbox(games, LedgerFile(ledger_path(path)), "a")
    outbox.connect()
    with games.opened():
        deliver(outbox, store)
        assert list(store.names.values()) == [{"light": "Ann", "dark": "Zoë"}] * 2
        assert outbox.names(1) == {"light": "Ann", "dark": "Zoë"}
    anonymise_player(journal, "Ann", "Zoë")
    with games.opened():
        deliver(outbox, store)
        assert outbox.names(1) == {"light": "Zoë", "dark": "Zoë"}
    assert list(store.names.values()) == [{"dark": "Zoë"}] * 2


def test_the_ledger_stores_places(tmp_path: Path) -> None:
    place = Place("ab" * 16, 3, "cd" * 16, 7, 99, True)
    ledger = LedgerFile(tmp_path / "j.db.club")
    ledger.store(1, place)
    ledger.store(2, place)
    ledger.remove(2)
    ledger.close()
    assert LedgerFile(tmp_path / "j.db.club").places() == {1: place}


def test_a_damaged_ledger_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "j.db.club"
    path.write_bytes(b"no database" * 100)
    ledger = LedgerFile(path)
    place = Place.start("ab" * 16)
    ledger.store(1, place)
    assert ledger.places() == {1: place}


def test_without_a_ledger_nothing_is_remembered(tmp_path: Path) -> None:
    ledger = LedgerFile(tmp_path / "no" / "such" / "folder")
    ledger.store(1, Place.start("ab" * 16))
    assert ledger.places() == {}


def test_a_void_game_is_not_sent_and_a_club_that_has_it_gets_no_names(
    journal: Journal, games: PublishedGames, path: Path
) -> None:
    store, now = MemoryStore(), datetime.now().astimezone()
    outbox = Outbox(games, LedgerFile(ledger_path(path)), "run")
    journal.store_preferences([("board", CONSENTS, '{"Ann":0,"Zoë":0}', NO_CONSENTS)])
    for _ in range(4):
        journal.new_game(GAME, STARTED, "1.0.0", SETTINGS)
    correct_game(journal, 4, {"void": ""}, "only a test", now)
    with games.opened():
        outbox.connect()
        deliver(outbox, store)
        keys = [game.head.key for game in games.games()]
        both = {"light": "Ann", "dark": "Zoë"}
        assert [store.names.get(key) for key in keys] == [both, both, both, None]
        correct_game(journal, 1, {"void": ""}, "only a test", now)
        correct_game(journal, 2, {"dark": "Bea"}, "a typo", now)
        journal.append(1, [time_line(5)])
        deliver(outbox, store)
        assert [store.names.get(key) for key in keys] == [{}, {"light": "Ann"}, both, None]
        assert [game.void for game in games.games()] == [True, False, False, True]
        assert outbox.waiting_games == 0


def wait_for_next_time(folder: Path) -> None:
    """Wait until the clock of files has moved on."""
    probe = folder / "probe"
    probe.touch()
    before = probe.stat().st_mtime_ns
    while probe.stat().st_mtime_ns == before:
        probe.touch()


@pytest.mark.parametrize("seed", range(5))
def test_a_journal_that_does_not_change_is_not_read_and_no_change_is_missed(seed: int) -> None:
    rng, now, quiet = Random(seed), 0, 0
    # A real file system, whose times count milliseconds.
    with TemporaryDirectory(dir=".") as folder, Journal.open(Path(folder) / "j.db") as journal:
        games = PublishedGames(Path(folder) / "j.db", "board")
        outbox = Outbox(games, LedgerFile(Path(folder) / "ledger"), "a")
        number = journal.new_game(GAME, STARTED, "1.0.0", SETTINGS)
        for _ in range(150):
            for _ in range(rng.choice((0, 0, 1, 2))):
                journal.append(number, [time_line(now)])
                quiet = 0
            if rng.random() < 0.1:
                # The log begins anew, and does not grow at the next write.
                journal.connection.checkpoint(max_writes=0)
                wait_for_next_time(Path(folder))
            step = rng.choice((1, 200, 1000, 5000))
            now, quiet = now + step, quiet + step
            if changed := games.may_have_changed(now):
                with games.opened():
                    outbox.look()
            assert changed or quiet > SETTLED_MS
            (known,) = outbox._games.values()
            with games.opened():
                assert [known] == games.games()
        assert games.may_have_changed(now + SETTLED_MS) == (quiet == 0)


def test_a_journal_that_cannot_be_read_is_tried_again(path: Path, games: PublishedGames) -> None:
    for now in (0, 10_000, 20_000):
        assert games.may_have_changed(now)
        with pytest.raises(UrpiError), games.opened():
            games.games()
    Journal.open(path).close()
    assert games.may_have_changed(30_000)
    with games.opened():
        assert games.games() == []
    assert not games.may_have_changed(40_000)
