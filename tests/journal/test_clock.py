"""Games that began while the clock was not set: their order says when they began."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.journal.games import GAME, store_game
from urpi.journal import (
    Choice,
    Correction,
    Journal,
    find_game,
    import_archive,
    insert_corrections,
    list_games,
    stored_record,
    write_archive,
)
from urpi.journal.clock import CLOCK, UNSET

DAY = datetime(2026, 11, 20, 12, tzinfo=UTC)
OLD = "2022-04-04T10:00:00+00:00"


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.db") as journal:
        yield journal


def begin(journal: Journal, started: str, *, unset: bool = False) -> int:
    return journal.new_game(GAME, started, "1.0.0", {CLOCK: UNSET} if unset else {})


def test_a_game_of_an_old_clock_is_found_among_its_neighbours(journal: Journal) -> None:
    begin(journal, DAY.isoformat())
    game = begin(journal, OLD)
    begin(journal, (DAY + timedelta(days=2)).isoformat())
    found = find_game(journal, game)
    assert (found.started, found.estimated) == (DAY, True)
    assert found.stored_start == datetime.fromisoformat(OLD)
    chosen = list_games(journal, Choice(since=date(2026, 11, 19)))
    assert [one.id for one in chosen] == [3, 2, 1]
    assert [one.estimated for one in chosen] == [False, True, False]


def test_the_time_of_a_clock_that_was_not_synchronised_is_kept_where_it_fits(
    journal: Journal,
) -> None:
    begin(journal, DAY.isoformat())
    plausible = (DAY + timedelta(hours=3)).isoformat()
    game = begin(journal, plausible, unset=True)
    assert find_game(journal, game).started == datetime.fromisoformat(plausible)
    assert find_game(journal, game).estimated


@given(st.lists(st.tuples(st.integers(-2000, 2000), st.booleans()), min_size=1, max_size=8))
def test_estimated_times_are_never_outside_of_the_order(days: list[tuple[int, bool]]) -> None:
    with TemporaryDirectory() as folder, Journal.open(Path(folder) / "journal.db") as journal:
        journal.rows("PRAGMA synchronous = OFF")
        for number, (shift, unset) in enumerate(days):
            known = DAY + timedelta(days=number)
            begin(journal, (known + timedelta(days=shift * unset)).isoformat(), unset=unset)
        found = list_games(journal)[::-1]
        known_at = [n for n, (_, unset) in enumerate(days) if not unset]
        for number, one in enumerate(found):
            assert one.estimated is days[number][1]
            before = [found[n].started for n in known_at if n < number]
            after = [found[n].started for n in known_at if n > number]
            assert all(at <= one.started for at in before)
            assert all(at >= one.started for at in after)


def test_a_correction_of_the_start_counts_and_the_record_says_so(journal: Journal) -> None:
    game = store_game(journal, longest=20)
    lines: list[str] = []
    journal.finish(game, OLD)
    with journal.transaction():
        at = (DAY + timedelta(days=8)).isoformat()
        insert_corrections(journal, [Correction(game, at, "started", DAY.isoformat())])
    found = find_game(journal, game)
    assert (found.started, found.estimated) == (DAY, False)
    assert stored_record(journal, game).tag("Correction1") == f"{at} started: {DAY.isoformat()}"
    write_archive(journal, [game], lines.append, "1.0.0")
    assert f'"finished":"{OLD}"' in "".join(lines)
    archive = BytesIO("".join(lines).encode())
    # It is the same game, by the time that was stored with it.
    assert import_archive(journal, archive, DAY).known == 1


@pytest.mark.parametrize("is_corrected", [True, False])
@pytest.mark.parametrize("set_meanwhile", [False, True])
def test_the_end_of_a_game_is_moved_like_its_beginning(
    journal: Journal, is_corrected: bool, set_meanwhile: bool
) -> None:
    minutes = timedelta(minutes=20)
    begin(journal, DAY.isoformat())
    game = begin(journal, OLD, unset=True)
    stored = DAY + minutes if set_meanwhile else datetime.fromisoformat(OLD) + minutes
    journal.finish(game, stored.isoformat())
    if is_corrected:
        at = (DAY + timedelta(days=8)).isoformat()
        insert_corrections(journal, [Correction(game, at, "started", DAY.isoformat())])
    found = find_game(journal, game)
    assert (found.started, found.finished) == (DAY, DAY + minutes)
    assert found.stored_finish == stored


def test_an_end_for_which_there_is_no_year_stays(journal: Journal) -> None:
    game = begin(journal, "0002-01-02T00:00:00+00:00")
    ended = "9000-01-01T00:00:00+00:00"
    journal.finish(game, ended)
    with journal.transaction():
        began = "9998-01-01T00:00:00+00:00"
        insert_corrections(journal, [Correction(game, DAY.isoformat(), "started", began)])
    assert find_game(journal, game).finished == datetime.fromisoformat(ended)


def test_the_record_of_an_estimated_game_says_so(journal: Journal) -> None:
    begin(journal, DAY.isoformat())
    game = begin(journal, OLD)
    record = stored_record(journal, game)
    assert record.tag("Date") == f"{DAY.astimezone():%Y.%m.%d}"
    assert record.tag("Clock") == "not set; the date is estimated from the games around it"
    assert stored_record(journal, 1).tag("Clock") is None
