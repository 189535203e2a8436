"""What open pages are told: every decision once, the newest state, whatever comes between."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.desk import STARTED
from tests.journal.disks import no_room
from tests.web.table import PageDesk, Table, has_taken_all, until
from urpi.journal import Journal
from urpi.referee.facts import Answer, Die, Resign
from urpi.referee.lines import fact_line
from urpi.rules import Side
from urpi.web.feed import HELD, Feed
from urpi.web.library import Library
from urpi.web.versions import LATE_RECORD, WHOLE_RECORD, Cursor
from urpi.words import words_for

FEW = 4
"""So few decisions are held that a page that is a little late reads the journal."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    opened = Table.at(tmp_path / "games.sqlite")
    yield opened
    opened.service.close()


@dataclass
class Browser:
    """A page: what it was told, and what it holds of the record."""

    cursor: Cursor
    decisions: list[dict[str, Any]] = field(default_factory=list)
    states: list[dict[str, Any]] = field(default_factory=list)
    tables: list[dict[str, Any]] = field(default_factory=list)
    record: dict[int, dict[str, Any]] = field(default_factory=dict)

    def take(self, events: bytes) -> None:
        for event in filter(None, events.decode().split("\n\n")):
            lines = dict(line.split(": ", 1) for line in event.splitlines())
            self._take(lines["event"], json.loads(lines["data"]), lines.get("id"))

    def _take(self, name: str, data: dict[str, Any], number: str | None) -> None:
        if name == "decision":
            assert int(number or 0) == data["seq"]
            self.decisions.append(data)
        elif name == "table":
            self.tables.append(data)
        else:
            assert int(number or 0) == data["seq"]
            self.states.append(data)
            first = data["record_from"]
            self.record = {n: line for n, line in self.record.items() if n < first}
            self.record |= {line["n"]: line for line in data["record"]}

    @property
    def state(self) -> dict[str, Any]:
        return self.states[-1]

    def told(self) -> list[int]:
        return [one["seq"] for one in self.decisions]


@asynccontextmanager
async def feeding(
    table: Table, held: int = FEW, past: Library | None = None
) -> AsyncIterator[Feed]:
    desk = PageDesk(table)
    feed = Feed(desk, past or Library(table.path), held)
    table.watching.append(feed.tell)
    running = asyncio.create_task(feed.run())
    await until(has_taken_all(feed, table), "the feed's first look")
    yield feed
    feed.close()
    await running


async def read(feed: Feed, browser: Browser) -> None:
    """Read what there is for a page now, if anything."""
    cursor = browser.cursor
    seen = cursor.seq, cursor.version, cursor.table
    newest = feed.seq, feed.version.number, feed._table[0]
    if any(one < other for one, other in zip(seen, newest, strict=True)):
        browser.take(await feed.news(cursor, may_act=False))


async def read_all(feed: Feed, table: Table, browser: Browser) -> None:
    await until(has_taken_all(feed, table), "the feed has all")
    newest = Browser(Cursor(0))
    newest.take(await feed.news(newest.cursor, may_act=False))
    while browser.cursor.version < feed.version.number:
        browser.take(await feed.news(browser.cursor, may_act=False))


def stored(table: Table, game: int | None = None) -> list[int]:
    """The places of all decisions in the journal, or of one game's."""
    where = "" if game is None else f" AND game = {game}"
    with Journal.open(table.path) as journal:
        rows = journal.rows(f"SELECT seq FROM entries WHERE kind = 'decision'{where} ORDER BY seq")
    return [seq for (seq,) in rows]


@pytest.mark.parametrize("seed", range(4))
def test_each_page_gets_every_decision_once_however_late_it_reads_and_comes_back(
    table: Table, seed: int
) -> None:
    rng = Random(seed)
    table.begin()

    async def run() -> list[Browser]:
        async with feeding(table) as feed:
            pages = [Browser(Cursor(0)) for _ in range(3)]
            while not table.over and len(table.decided) < 100:
                match rng.randrange(5):
                    case 0 | 1 | 2:
                        table.play_on(rng)
                    case 3:
                        await read(feed, rng.choice(pages))
                    case 4:
                        page = rng.choice(pages)
                        # Its connection broke, and it says what it has had.
                        page.cursor = Cursor(max(page.told(), default=0))
                await asyncio.sleep(0)
            for page in pages:
                await read_all(feed, table, page)
            return pages

    for page in asyncio.run(run()):
        assert page.told() == stored(table)
        assert page.state["phase"] == table.service.snapshot.phase.value


def test_a_page_that_names_no_decision_begins_with_the_state(table: Table) -> None:
    table.begin()
    table.play_on(Random(1))

    async def run() -> Browser:
        async with feeding(table) as feed:
            page = Browser(Cursor(feed.seq))
            await read(feed, page)
            return page

    page = asyncio.run(run())
    assert page.told() == []
    assert [state["seq"] for state in page.states] == [table.service.seq]


def test_a_page_that_reads_late_gets_the_newest_state_alone(table: Table) -> None:
    table.begin()
    rng = Random(2)

    async def run() -> Browser:
        async with feeding(table) as feed:
            page = Browser(Cursor(0))
            await read(feed, page)
            for _ in range(40):
                table.play_on(rng)
                await until(has_taken_all(feed, table), "the feed has it")
            await read(feed, page)
            return page

    page = asyncio.run(run())
    assert len(page.states) == 2
    assert page.told() == stored(table)


def test_the_record_grows_to_the_whole_game_at_a_page_that_reads_late(table: Table) -> None:
    table.begin()
    rng = Random(3)

    async def run() -> tuple[Browser, Browser, Feed]:
        async with feeding(table) as feed:
            early, late = Browser(Cursor(0)), Browser(Cursor(0))
            await read(feed, early)
            await read(feed, late)
            for _ in range(70):
                table.play_on(rng)
                await until(has_taken_all(feed, table), "the feed has it")
                await read(feed, early)
            await read_all(feed, table, early)
            await read_all(feed, table, late)
            return early, late, feed

    early, late, feed = asyncio.run(run())
    whole = json.loads(feed.version.document(may_act=False))["record"]
    assert len(whole) > 2 * LATE_RECORD
    assert len(whole) < WHOLE_RECORD
    assert list(early.record.values()) == whole
    assert list(late.record.values()) == whole
    assert len(early.states[-1]["record"]) == LATE_RECORD


def test_a_page_that_slept_through_the_next_game_gets_both_games(table: Table) -> None:
    table.begin()

    async def run() -> Browser:
        async with feeding(table) as feed:
            page = Browser(Cursor(0))
            await read(feed, page)
            table.take(Resign(table.t, Side.LIGHT))
            table.begin()
            await read_all(feed, table, page)
            return page

    page = asyncio.run(run())
    assert page.told() == stored(table)
    assert {one["game"] for one in page.decisions} == {1, 2}
    assert page.state["game"] == 2
    assert page.record == {}


def test_a_page_from_before_the_program_began_gets_the_running_game(table: Table) -> None:
    table.begin()
    table.take(Resign(table.t, Side.LIGHT))
    table.begin()

    async def run() -> Browser:
        async with feeding(table) as feed:
            page = Browser(Cursor(1))
            await read_all(feed, table, page)
            return page

    page = asyncio.run(run())
    assert page.told() == stored(table, game=2)


def test_a_page_that_names_a_decision_to_come_is_told_what_comes(table: Table) -> None:
    table.begin()

    async def run() -> Browser:
        async with feeding(table) as feed:
            page = Browser(Cursor(10**12))
            await read(feed, page)
            table.take(Answer(table.t, faces="gs--"))
            await read_all(feed, table, page)
            return page

    page = asyncio.run(run())
    assert [one["type"] for one in page.decisions] == ["roll"]


def test_while_the_disk_fails_pages_get_the_state_and_then_every_decision(table: Table) -> None:
    table.begin()
    rng = Random(4)

    async def run() -> tuple[Browser, list[str], list[int]]:
        async with feeding(table) as feed:
            page = Browser(Cursor(0))
            await read(feed, page)
            before = page.told()
            with no_room(table.path):
                while table.service.failing is None:
                    table.take(Answer(table.t, faces=f"{rng.random()}"[:8]))
                table.take(Answer(table.t, faces="gs--"))
                await until(lambda: feed.version.shown["phase"] == "move", "the state")
                await read(feed, page)
                phases = [state["phase"] for state in page.states]
            table.wait(20_000)
            await read_all(feed, table, page)
            return page, phases, before

    page, phases, before = asyncio.run(run())
    assert phases[-1] == "move"
    assert page.told()[: len(before)] == before
    assert page.told() == stored(table)


def test_decisions_of_an_outage_are_sent_even_if_the_next_game_has_begun(table: Table) -> None:
    table.begin()

    async def run() -> Browser:
        async with feeding(table) as feed:
            page = Browser(Cursor(0))
            await read(feed, page)
            with no_room(table.path):
                while table.service.failing is None:
                    table.take(Answer(table.t, faces="????"))
                table.take(Resign(table.t, Side.LIGHT))
                table.begin()
            table.wait(20_000)
            await read_all(feed, table, page)
            return page

    page = asyncio.run(run())
    assert page.told() == stored(table)
    assert page.record == {}


def test_what_a_program_that_was_away_decides_as_it_comes_back_is_told(
    table: Table, tmp_path: Path
) -> None:
    table.begin()
    facts = [Die(table.t, die, "rolling") for die in range(1, 5)]
    facts += [Die(table.t, die, "settled", "g", tumbled=True) for die in range(1, 5)]

    async def run() -> tuple[Browser, Table]:
        async with feeding(table) as feed:
            page = Browser(Cursor(0))
            await read(feed, page)
            # The power goes between a throw and what it decides.
            with Journal.open(table.path) as journal:
                journal.append(1, [fact_line(fact) for fact in facts])
            again = Table.at(table.path)
            again.watching.append(feed.tell)
            again.service.resume()
            await read_all(feed, again, page)
            again.service.close()
            return page, again

    page, _ = asyncio.run(run())
    assert page.decisions[-1]["type"] == "roll"
    assert page.told() == stored(table)


def test_another_file_that_counts_anew_is_told_of_from_then_on(
    table: Table, tmp_path: Path
) -> None:
    table.begin()
    for seed in range(5):
        table.play_on(Random(seed))

    async def run() -> Browser:
        async with feeding(table) as feed:
            page = Browser(Cursor(0))
            await read(feed, page)
            page.decisions.clear()
            # Another card was put in: the keeper writes the running game to a file of its own.
            table.path.unlink()
            table.keeper.retry(STARTED)
            table.take(Answer(table.t, faces="gs--"))
            await until(lambda: feed.seq == table.service.seq, "the other file")
            await read_all(feed, table, page)
            return page

    page = asyncio.run(run())
    assert page.state["seq"] == table.service.seq


def test_in_another_language_all_that_was_decided_is_said_anew(table: Table) -> None:
    table.begin()

    async def run() -> tuple[list[str], list[str]]:
        async with feeding(table, held=HELD) as feed:
            said = []
            for language in ("en", "hu"):
                feed._desk.words = words_for(language)
                feed._wake()
                await until(lambda: feed.version.shown["language"] == language, "the language")  # noqa: B023
                page = Browser(Cursor(0))
                page.take(await feed.news(page.cursor, may_act=False))
                assert page.told() == stored(table)
                said.append([one["said"] for one in page.decisions])
            return said[0], said[1]

    english, hungarian = asyncio.run(run())
    assert not set(english) & set(hungarian)


def test_the_virtual_table_is_told_without_a_place_and_the_newest_wins(table: Table) -> None:
    async def run() -> Browser:
        async with feeding(table) as feed:
            page = Browser(Cursor(0))
            await read(feed, page)
            for number in range(3):
                feed.tell_table({"number": number})
            await read(feed, page)
            return page

    assert asyncio.run(run()).tables == [{"number": 2}]


def test_closing_lets_every_page_go(table: Table) -> None:
    async def run() -> list[bytes]:
        async with feeding(table) as feed:
            pages = [Cursor(0) for _ in range(5)]
            for page in pages:
                await feed.news(page, may_act=False)
            waiting = [asyncio.create_task(feed.news(page, may_act=False)) for page in pages]
            await asyncio.sleep(0)
            feed.close()
            return list(await asyncio.gather(*waiting))

    assert asyncio.run(run()) == [b""] * 5


def test_whoever_may_act_is_told_so(table: Table) -> None:
    async def run() -> list[bool]:
        async with feeding(table) as feed:
            told = []
            for may_act in (True, False):
                page = Browser(Cursor(0))
                page.take(await feed.news(page.cursor, may_act=may_act))
                told.append(page.state["may_act"])
            return told

    assert asyncio.run(run()) == [True, False]
