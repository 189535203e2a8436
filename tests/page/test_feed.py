"""What open pages receive: every decision exactly once, and the newest state."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.journal.disks import no_room
from tests.page.table import PageDesk, Table, has_processed_all, until
from tests.service_desk import STARTED
from tests.slow import mostly_slow
from urpi.journal import Journal
from urpi.page.feed import MAX_RECENT, Feed
from urpi.page.journal_reader import JournalReader
from urpi.page.versions import FIRST_LINES, LATER_LINES, Cursor
from urpi.referee.facts import Answer, Die, Resign
from urpi.referee.lines import fact_line
from urpi.rules import Side
from urpi.show.words import words_for

FEW = 4
"""So few decisions are kept in memory that a page that reads late needs the journal."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    opened = Table.at(tmp_path / "games.sqlite")
    yield opened
    opened.service.close()


@dataclass
class Browser:
    """A page: the events that it received, and its record."""

    cursor: Cursor
    decisions: list[dict[str, Any]] = field(default_factory=list)
    states: list[dict[str, Any]] = field(default_factory=list)
    tables: list[dict[str, Any]] = field(default_factory=list)
    record: dict[int, dict[str, Any]] = field(default_factory=dict)

    def receive(self, events: bytes) -> None:
        for event in filter(None, events.decode().split("\n\n")):
            lines = dict(line.split(": ", 1) for line in event.splitlines())
            self._receive(lines["event"], json.loads(lines["data"]), lines.get("id"))

    def _receive(self, name: str, data: dict[str, Any], number: str | None) -> None:
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

    def received(self) -> list[int]:
        return [one["seq"] for one in self.decisions]


@asynccontextmanager
async def feeding(
    table: Table, recent: int = FEW, history: JournalReader | None = None
) -> AsyncIterator[Feed]:
    desk = PageDesk(table)
    feed = Feed(desk, history or JournalReader(table.path), recent)
    table.watching.append(feed.publish)
    running = asyncio.create_task(feed.run())
    await until(has_processed_all(feed, table), "the feed to read the state")
    yield feed
    feed.close()
    await running


async def read(feed: Feed, browser: Browser) -> None:
    """Read the events that are available for a page now, if any."""
    cursor = browser.cursor
    seen = cursor.seq, cursor.version, cursor.table
    newest = feed.seq, feed.version.number, feed._table[0]
    if any(one < other for one, other in zip(seen, newest, strict=True)):
        browser.receive(await feed.next_events(cursor, may_act=False))


async def read_all(feed: Feed, table: Table, browser: Browser) -> None:
    await until(has_processed_all(feed, table), "the feed to process all")
    newest = Browser(Cursor(0))
    newest.receive(await feed.next_events(newest.cursor, may_act=False))
    while browser.cursor.version < feed.version.number:
        browser.receive(await feed.next_events(browser.cursor, may_act=False))


def stored(table: Table, game: int | None = None) -> list[int]:
    """Return the places of all decisions in the journal, or of those of one game."""
    where = "" if game is None else f" AND game = {game}"
    with Journal.open(table.path) as journal:
        rows = journal.rows(f"SELECT seq FROM entries WHERE kind = 'decision'{where} ORDER BY seq")
    return [seq for (seq,) in rows]


@pytest.mark.parametrize("seed", mostly_slow(range(4), 2))
def test_each_page_receives_every_decision_once_although_it_reads_late_and_reconnects(
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
                        # Its connection broke, and it reconnects with its last event id.
                        page.cursor = Cursor(max(page.received(), default=0))
                await asyncio.sleep(0)
            for page in pages:
                await read_all(feed, table, page)
            return pages

    for page in asyncio.run(run()):
        assert page.received() == stored(table)
        assert page.state["phase"] == table.service.snapshot.phase.value


def test_a_page_without_a_last_event_id_begins_with_the_state(table: Table) -> None:
    table.begin()
    table.play_on(Random(1))

    async def run() -> Browser:
        async with feeding(table) as feed:
            page = Browser(Cursor(feed.seq))
            await read(feed, page)
            return page

    page = asyncio.run(run())
    assert page.received() == []
    assert [state["seq"] for state in page.states] == [table.service.seq]


def test_a_page_that_reads_late_receives_only_the_newest_state(table: Table) -> None:
    table.begin()
    rng = Random(2)

    async def run() -> Browser:
        async with feeding(table) as feed:
            page = Browser(Cursor(0))
            await read(feed, page)
            for _ in range(40):
                table.play_on(rng)
                await until(has_processed_all(feed, table), "the feed to process it")
            await read(feed, page)
            return page

    page = asyncio.run(run())
    assert len(page.states) == 2
    assert page.received() == stored(table)


def test_a_page_that_reads_late_has_the_complete_record(table: Table) -> None:
    table.begin()
    rng = Random(3)

    async def run() -> tuple[Browser, Browser, Feed]:
        async with feeding(table) as feed:
            early, late = Browser(Cursor(0)), Browser(Cursor(0))
            await read(feed, early)
            await read(feed, late)
            for _ in range(70):
                table.play_on(rng)
                await until(has_processed_all(feed, table), "the feed to process it")
                await read(feed, early)
            await read_all(feed, table, early)
            await read_all(feed, table, late)
            return early, late, feed

    early, late, feed = asyncio.run(run())
    whole = json.loads(feed.version.document(may_act=False))["record"]
    assert len(whole) > 2 * LATER_LINES
    assert len(whole) < FIRST_LINES
    assert list(early.record.values()) == whole
    assert list(late.record.values()) == whole
    assert len(early.states[-1]["record"]) == LATER_LINES


def test_a_page_that_missed_the_end_of_a_game_receives_both_games(table: Table) -> None:
    table.begin()

    async def run() -> Browser:
        async with feeding(table) as feed:
            page = Browser(Cursor(0))
            await read(feed, page)
            table.submit(Resign(table.t, Side.LIGHT))
            table.begin()
            await read_all(feed, table, page)
            return page

    page = asyncio.run(run())
    assert page.received() == stored(table)
    assert {one["game"] for one in page.decisions} == {1, 2}
    assert page.state["game"] == 2
    assert page.record == {}


def test_a_page_from_before_a_restart_receives_the_running_game(table: Table) -> None:
    table.begin()
    table.submit(Resign(table.t, Side.LIGHT))
    table.begin()

    async def run() -> Browser:
        async with feeding(table) as feed:
            page = Browser(Cursor(1))
            await read_all(feed, table, page)
            return page

    page = asyncio.run(run())
    assert page.received() == stored(table, game=2)


def test_a_last_event_id_in_the_future_is_treated_as_the_newest(table: Table) -> None:
    table.begin()

    async def run() -> Browser:
        async with feeding(table) as feed:
            page = Browser(Cursor(10**12))
            await read(feed, page)
            table.submit(Answer(table.t, faces="gs--"))
            await read_all(feed, table, page)
            return page

    page = asyncio.run(run())
    assert [one["type"] for one in page.decisions] == ["roll"]


def test_while_the_disk_fails_pages_receive_the_state_and_afterwards_every_decision(
    table: Table,
) -> None:
    table.begin()
    rng = Random(4)

    async def run() -> tuple[Browser, list[str], list[int]]:
        async with feeding(table) as feed:
            page = Browser(Cursor(0))
            await read(feed, page)
            before = page.received()
            with no_room(table.path):
                while table.service.failing is None:
                    table.submit(Answer(table.t, faces=f"{rng.random()}"[:8]))
                table.submit(Answer(table.t, faces="gs--"))
                await until(lambda: feed.version.state["phase"] == "move", "the state")
                await read(feed, page)
                phases = [state["phase"] for state in page.states]
            table.wait(20_000)
            await read_all(feed, table, page)
            return page, phases, before

    page, phases, before = asyncio.run(run())
    assert phases[-1] == "move"
    assert page.received()[: len(before)] == before
    assert page.received() == stored(table)


def test_decisions_of_an_outage_are_sent_even_if_the_next_game_has_begun(table: Table) -> None:
    table.begin()

    async def run() -> Browser:
        async with feeding(table) as feed:
            page = Browser(Cursor(0))
            await read(feed, page)
            with no_room(table.path):
                while table.service.failing is None:
                    table.submit(Answer(table.t, faces="????"))
                table.submit(Resign(table.t, Side.LIGHT))
                table.begin()
            table.wait(20_000)
            await read_all(feed, table, page)
            return page

    page = asyncio.run(run())
    assert page.received() == stored(table)
    assert page.record == {}


def test_decisions_that_are_made_during_a_resume_are_sent(table: Table, tmp_path: Path) -> None:
    table.begin()
    facts = [Die(table.t, die, "rolling") for die in range(1, 5)]
    facts += [Die(table.t, die, "settled", "g", tumbled=True) for die in range(1, 5)]

    async def run() -> tuple[Browser, Table]:
        async with feeding(table) as feed:
            page = Browser(Cursor(0))
            await read(feed, page)
            # The power fails between a throw and its decision.
            with Journal.open(table.path) as journal:
                journal.append(1, [fact_line(fact) for fact in facts])
            again = Table.at(table.path)
            again.watching.append(feed.publish)
            again.service.resume()
            await read_all(feed, again, page)
            again.service.close()
            return page, again

    page, _ = asyncio.run(run())
    assert page.decisions[-1]["type"] == "roll"
    assert page.received() == stored(table)


def test_a_new_journal_file_whose_numbers_start_again_is_followed(
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
            # The card was replaced: the keeper writes the running game to a new file.
            table.path.unlink()
            table.keeper.retry(STARTED)
            table.submit(Answer(table.t, faces="gs--"))
            await until(lambda: feed.seq == table.service.seq, "the new file")
            await read_all(feed, table, page)
            return page

    page = asyncio.run(run())
    assert page.state["seq"] == table.service.seq


def test_after_a_change_of_language_all_decisions_are_sent_in_it(table: Table) -> None:
    table.begin()

    async def run() -> tuple[list[str], list[str]]:
        async with feeding(table, recent=MAX_RECENT) as feed:
            texts = []
            for language in ("en", "hu"):
                feed._desk.words = words_for(language)
                feed._wake()
                await until(lambda: feed.version.state["language"] == language, "the language")  # noqa: B023
                page = Browser(Cursor(0))
                page.receive(await feed.next_events(page.cursor, may_act=False))
                assert page.received() == stored(table)
                texts.append([one["text"] for one in page.decisions])
            return texts[0], texts[1]

    english, hungarian = asyncio.run(run())
    assert not set(english) & set(hungarian)


def test_only_the_newest_state_of_the_virtual_table_is_sent(table: Table) -> None:
    async def run() -> Browser:
        async with feeding(table) as feed:
            page = Browser(Cursor(0))
            await read(feed, page)
            for number in range(3):
                feed.publish_table({"number": number})
            await read(feed, page)
            return page

    assert asyncio.run(run()).tables == [{"number": 2}]


def test_closing_the_feed_ends_every_stream(table: Table) -> None:
    async def run() -> list[bytes]:
        async with feeding(table) as feed:
            pages = [Cursor(0) for _ in range(5)]
            for page in pages:
                await feed.next_events(page, may_act=False)
            waiting = [asyncio.create_task(feed.next_events(page, may_act=False)) for page in pages]
            await asyncio.sleep(0)
            feed.close()
            return list(await asyncio.gather(*waiting))

    assert asyncio.run(run()) == [b""] * 5


def test_the_state_contains_whether_the_page_may_act(table: Table) -> None:
    async def run() -> list[bool]:
        async with feeding(table) as feed:
            flags = []
            for may_act in (True, False):
                page = Browser(Cursor(0))
                page.receive(await feed.next_events(page.cursor, may_act=may_act))
                flags.append(page.state["may_act"])
            return flags

    assert asyncio.run(run()) == [True, False]


def test_a_page_receives_the_time_that_is_left_until_a_move_counts(table: Table) -> None:
    table.begin()

    async def left() -> list[int | None]:
        async with feeding(table) as feed:
            shot = replace(table.service.snapshot, seems="A1-A3", seems_due=table.t + 9_000)
            feed.publish(table.change(snapshot=shot))
            await until(lambda: feed.version.state["seems"], "the new state")
            pages = [Browser(Cursor(0)) for _ in range(3)]
            for page, waited_ms in zip(pages, (0, 2_500, 100_000), strict=True):
                table.now += waited_ms
                await read(feed, page)
            return [page.state["seems_ms"] for page in pages]

    assert asyncio.run(left()) == [9_000, 6_500, 0]
