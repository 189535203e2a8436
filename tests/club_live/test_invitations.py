"""Players of two virtual tables meet by the controls of their pages, through mosquitto."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.club_live.pages import PageTable, accept, free, invite, two_pages
from tests.club_live.running import Broker, shared_folder
from tests.club_live.two_boards import PLAY_S, TABLES
from tests.waiting import wait_until
from urpi.journal import Journal, last_game
from urpi.journal.build_record import stored_record
from urpi.rules.record import record_text


@pytest.fixture
def tables() -> Iterator[tuple[PageTable, PageTable]]:
    with shared_folder() as folder:
        broker = Broker(folder, TABLES)
        broker.start()
        try:
            with two_pages(folder, broker, TABLES) as (lisbon, porto):
                yield lisbon, porto
        finally:
            broker.kill()


def record(table: PageTable, folder: Path) -> str:
    with Journal.read_only(folder / f"{table.table}.db") as journal:
        found = last_game(journal, "virtual")
        assert found is not None
        return record_text(stored_record(journal, found.id))


@pytest.mark.timeout(900)
def test_two_tables_meet_by_an_invitation_and_play_a_whole_game(
    tables: tuple[PageTable, PageTable],
) -> None:
    lisbon, porto = tables
    # One is declined, one withdrawn, one accepted.
    assert invite(lisbon, "porto") == ""
    wait_until(lambda: porto.note("invitation"), "the invitation")
    found = porto.note("invitation")
    assert "Ann (Lisbon)" in found["text"]
    wait_until(lambda: free(porto) == [], "lisbon, which has invited, is not free")
    porto.post("/api/tables/answer-invitation", game=found["game"], accepted=False)
    wait_until(lambda: lisbon.note("result"), "the refusal")
    wait_until(lambda: free(lisbon) == ["porto"], "porto, which has declined, is free")
    assert invite(lisbon, "porto") == ""
    wait_until(lambda: porto.note("invitation"), "the second invitation")
    assert lisbon.post("/api/tables/withdraw") == ""
    wait_until(lambda: porto.note("invitation") is None, "its withdrawal")
    wait_until(lambda: free(lisbon) == ["porto"], "porto is free again")
    assert invite(lisbon, "porto") == ""
    accept(porto)
    for one, place in ((lisbon, "Porto"), (porto, "Lisbon")):
        wait_until(lambda one=one: one.state["opponent"], "the game")  # type: ignore[misc]
        assert one.state["opponent"]["place"] == place
        assert one.state["players"] == {"light": "Ann", "dark": "Zoë"}
    assert "Abandon the game" in lisbon.post("/api/new-game", rules="finkel")
    for one in tables:
        assert one.post("/api/table/players", light="simulated", dark="simulated") == ""
    for one in tables:
        wait_until(lambda one=one: one.state["phase"] == "over", "the end", PLAY_S)  # type: ignore[misc]
    for one in tables:
        one.end()
    first, second = (record(one, one.log.parent) for one in tables)
    assert first == second
    assert '[Result "light"]' in first or '[Result "dark"]' in first


def test_a_table_that_is_killed_is_not_offered_any_more(
    tables: tuple[PageTable, PageTable],
) -> None:
    lisbon, porto = tables
    porto.kill()
    wait_until(lambda: free(lisbon) == [], "the last will of porto")
    porto.start()
    wait_until(lambda: free(lisbon) == ["porto"], "porto, started again")
