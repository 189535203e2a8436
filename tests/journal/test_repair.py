"""A damaged journal is set aside under a name that says so, and what can be read is saved."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from urpi.errors import UrpiError
from urpi.journal import (
    DamagedError,
    Journal,
    Keeper,
    Verdict,
    check_game,
    entries_of,
    list_games,
    settings_of,
)
from urpi.journal.repair import check_pages, replace_damaged, set_aside

NOW = datetime(2026, 11, 21, 19, 2, 11, tzinfo=UTC)
ASIDE = "games.damaged-2026-11-21T190211.sqlite"
GAME = '{"t":0,"type":"game","rules":"finkel","options":{},"light":"Ann","dark":"Zoë"}'
PAGE = 4096
GAMES = 6


def answer(t: int) -> str:
    return f'{{"t":{t},"type":"answer","move":"{Random(t).getrandbits(800):x}"}}'


def roll(t: int) -> str:
    return f'{{"t":{t},"type":"roll","side":"light","faces":"gs--","value":2,"legal":[]}}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of six games of some pages each."""
    path = tmp_path / "games.sqlite"
    with Journal.open(path) as journal:
        journal.rows("PRAGMA synchronous = OFF")
        for game in range(1, GAMES + 1):
            journal.new_game(GAME, NOW.isoformat(), "1", {"table": "board"})
            for t in range(120):
                journal.append(game, [answer(1000 * game + t)], [roll(t)])
            if game < GAMES:
                journal.finish(game, NOW.isoformat())
    return path


@pytest.fixture
def whole(path: Path) -> dict[int, object]:
    """What is in the journal before it is damaged."""
    return games_of(path)


def games_of(path: Path) -> dict[int, object]:
    with Journal.open(path) as journal:
        return {
            game.id: (game, settings_of(journal, game.id), entries_of(journal, game.id))
            for game in list_games(journal)
        }


def damage(path: Path, page: int) -> None:
    with path.open("r+b") as file:
        file.seek(page * PAGE)
        file.write(b"\xa5" * PAGE)


def pages(path: Path) -> range:
    return range(path.stat().st_size // PAGE)


def test_a_whole_journal_passes_the_check(path: Path) -> None:
    with Journal.open(path) as journal:
        check_pages(journal)


def test_a_damaged_page_is_found_wherever_it_is(path: Path) -> None:
    fine = path.read_bytes()
    for page in pages(path):
        damage(path, page)
        with pytest.raises((DamagedError, UrpiError)), Journal.open(path) as journal:
            check_pages(journal)
        path.write_bytes(fine)


def test_the_file_is_set_aside_with_a_name_and_a_date(path: Path) -> None:
    damage(path, pages(path)[-1])
    was = path.read_bytes()
    keeper = Keeper.open(path, NOW)
    keeper.close(NOW)

    assert keeper.damage is not None
    assert keeper.damage.aside == path.with_name(ASIDE)
    assert keeper.damage.aside.read_bytes() == was
    assert keeper.failing is None


def test_a_second_one_in_the_same_second_gets_another_name(path: Path) -> None:
    path.with_name(ASIDE).write_text("already here")
    damage(path, pages(path)[-1])
    keeper = Keeper.open(path, NOW)
    keeper.close(NOW)
    assert keeper.damage is not None
    assert keeper.damage.aside.name == ASIDE.replace(".sqlite", "-2.sqlite")
    assert path.with_name(ASIDE).read_text() == "already here"


def test_every_game_that_can_be_read_is_saved_as_it_was(
    path: Path, whole: dict[int, object]
) -> None:
    fine = path.read_bytes()
    saved = []
    for page in pages(path)[1::4]:
        path.write_bytes(fine)
        damage(path, page)
        keeper = Keeper.open(path, NOW)
        keeper.close(NOW)
        assert keeper.damage is not None
        left = games_of(path)
        assert left.items() <= whole.items()
        assert keeper.damage.saved == len(left)
        saved.append(len(left))
        keeper.damage.aside.unlink()
    # Most pages hold a piece of one game, or of two neighbours.
    assert sorted(saved)[len(saved) // 2] >= GAMES - 2


def lose_batches(path: Path, game: int, behind: int) -> None:
    """Leave a game without its last batches, as a page does that SQLite passes over."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TRIGGER batches_not_DELETE")
        db.execute("DELETE FROM batches WHERE game = ? AND seq > ?", (game, behind))


def test_a_game_without_its_end_is_not_saved_as_if_it_were_whole(path: Path) -> None:
    lose_batches(path, game=2, behind=400)
    journal, damage = replace_damaged(path, NOW)
    with journal:
        assert [game.id for game in list_games(journal)] == [6, 5, 4, 3, 1]
    assert (damage.saved, damage.lost) == (5, 1)


def test_a_game_without_its_end_is_told_by_its_check(path: Path) -> None:
    with Journal.open(path) as journal:
        before = check_game(journal, 2)
    lose_batches(path, game=2, behind=400)
    with Journal.open(path) as journal:
        checked = check_game(journal, 2)
    assert (before.verdict, checked.verdict) == (Verdict.DIFFERS, Verdict.UNREADABLE)
    assert checked.why == "The game goes on to entry 482, but can be read to entry 400 alone."


def test_an_empty_journal_takes_the_place_of_one_whose_beginning_is_gone(path: Path) -> None:
    """As a card leaves it that lost its power: pages of zeros."""
    size = path.stat().st_size
    path.write_bytes(bytes(size))
    keeper = Keeper.open(path, NOW)
    assert keeper.damage is not None
    assert keeper.begin(GAME, NOW.isoformat(), "1", {}, NOW) == 1
    keeper.close(NOW)
    assert len(games_of(path)) == 1


def test_a_file_of_another_kind_is_left_alone(path: Path) -> None:
    path.write_text("Dear Ann, " * 1000)
    with pytest.raises(UrpiError, match="file is not a database"):
        Keeper.open(path, NOW)
    assert path.read_text().startswith("Dear Ann")
    assert not [*path.parent.glob("*.damaged-*")]


def test_the_running_game_goes_on_in_a_new_file_when_its_own_turns_out_to_be_damaged(
    path: Path, whole: dict[int, object]
) -> None:
    keeper = Keeper.open(path, NOW)
    keeper.go_on(GAMES, NOW)
    path.write_bytes(bytes(path.stat().st_size))

    for t in range(200):
        keeper.append([answer(t)], [], NOW)

    assert keeper.damage is not None
    assert keeper.failing is None
    assert keeper.game is not None
    with Journal.open(path) as journal:
        lines = [entry.line for entry in entries_of(journal, keeper.game)]
        assert settings_of(journal, keeper.game) == {"table": "board"}
    assert len(lines) == 241 + 200
    assert lines[-200:] == [answer(t) for t in range(200)]
    keeper.close(NOW)


def test_a_rollback_journal_goes_aside_with_its_file(path: Path) -> None:
    """Beside a new file it would be taken for that one's."""
    path.with_name("games.sqlite-journal").write_bytes(b"half a transaction")
    aside = set_aside(path, NOW)
    assert (aside.name, path.exists()) == (ASIDE, False)
    assert path.with_name(f"{ASIDE}-journal").read_bytes() == b"half a transaction"
