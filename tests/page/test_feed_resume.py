"""The record of a resumed game is complete, wherever the journal was cut off."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from tests.journal.disks import no_room
from tests.page.table import Table, until
from tests.page.test_feed import Browser, feeding, read_all, stored
from tests.service_desk import STARTED
from tests.slow import slow_except
from urpi.core.errors import UrpiError
from urpi.journal import Journal, entries_of
from urpi.page.documents.record import Record, lines_document
from urpi.page.journal_reader import JournalReader, StoredDecision
from urpi.page.versions import FIRST_LINES, Cursor
from urpi.referee.decisions import Decision
from urpi.referee.facts import Resign
from urpi.referee.lines import parse_decision
from urpi.rules import Side
from urpi.show.words import words_for

MOVES = 5
"""Number of throws and moves before light resigns."""
OUTAGE_MS = 15_000
"""Longer than the notice of the resume is shown."""
RETRIED_MS = 20_000
"""Longer than the interval at which the disk is retried."""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """Return the entries of a game as pairs of kind and line."""
    table = Table.at(tmp_path_factory.mktemp("game") / "games.sqlite")
    rng = Random(11)
    table.begin()
    for _ in range(MOVES):
        table.play_on(rng)
        table.wait(300)
    table.submit(Resign(table.t, Side.LIGHT))
    table.service.close()
    with Journal.open(table.path) as journal:
        return [(entry.kind, entry.line) for entry in entries_of(journal, 1)]


def cut_journals(game: list[tuple[str, str]], folder: Path) -> Iterator[Path]:
    """Yield a journal for each entry of the game, which ends with that entry."""
    growing = folder / "growing.sqlite"
    with Journal.open(growing) as journal:
        journal.new_game(game[0][1], STARTED.isoformat(), "0", {"table": "board"})
        for number, (kind, line) in enumerate(game[1:]):
            lines = {"facts": [line]} if kind == "fact" else {"decisions": [line]}
            journal.append(1, **lines)
            cut = folder / f"cut-{number}.sqlite"
            shutil.copy(growing, cut)
            yield cut


class Unreadable(JournalReader):
    """A reader whose first reads fail, as while another program locks the file."""

    def __init__(self, path: Path, failures: int) -> None:
        super().__init__(path)
        self._failures = failures

    async def decisions(self, game: int, after: int, until: int) -> list[StoredDecision]:
        if self._failures:
            self._failures -= 1
            message = "The journal cannot be read."
            raise UrpiError(message)
        return await super().decisions(game, after, until)


def record_of(path: Path) -> list[dict[str, object]]:
    """Return the record made from the decisions in the file."""
    record = Record()
    with Journal.open(path) as journal:
        for decision in decisions_in(journal):
            record.add(decision)
    return lines_document(record.lines, words_for("en"), FIRST_LINES)["record"]


def decisions_in(journal: Journal) -> list[Decision]:
    entries = entries_of(journal, 1)
    return [parse_decision(one.line, one.seq) for one in entries if one.kind == "decision"]


async def resume_and_watch(table: Table, *, full: bool) -> tuple[bool, Browser]:
    """Resume a table's game, open its page, and continue playing.

    Args:
        table: the table, whose program has just started.
        full: whether the disk is full during the resume and until the feed has read the state.

    Returns:
        Whether decisions were not stored when the page was opened, and the page.
    """
    page, disk = Browser(Cursor(0)), ExitStack()
    with disk:
        if full:
            empty = table.path.with_suffix(".empty")
            empty.touch()
            disk.enter_context(no_room(empty))
        table.service.resume()
        unstored = table.service.seq is None
        async with feeding(table) as feed:
            await until(lambda: bool(feed._games), "the feed to read the state")
            if full:
                table.wait(OUTAGE_MS)
            disk.close()
            table.wait(RETRIED_MS)
            await read_all(feed, table, page)
            assert record_of(table.path) == list(page.record.values())
            if not table.over:
                table.play_on(Random(1))
            await read_all(feed, table, page)
    return unstored, page


@pytest.mark.parametrize("full", slow_except([False, True]))
def test_the_record_is_complete_after_a_resume_from_any_entry(
    game: list[tuple[str, str]], tmp_path: Path, full: bool
) -> None:
    unstored = 0
    for path in cut_journals(game, tmp_path):
        table = Table.at(path)
        failed, page = asyncio.run(resume_and_watch(table, full=full))
        assert list(page.record.values()) == record_of(path), path.name
        assert page.received() == stored(table), path.name
        table.service.close()
        unstored += failed
    # Otherwise this would not test a full disk.
    assert (unstored > 0) is full


def test_the_record_is_completed_when_the_journal_cannot_be_read_at_first(
    game: list[tuple[str, str]], tmp_path: Path
) -> None:
    *_, path = cut_journals(game[:-4], tmp_path)
    table = Table.at(path)
    table.service.resume()

    async def run() -> Browser:
        page = Browser(Cursor(0))
        async with feeding(table, history=Unreadable(path, failures=2)) as feed:
            await read_all(feed, table, page)
            assert page.record == {}
            table.play_on(Random(1))
            await until(lambda: bool(feed._record.lines), "the journal to be read")
            await read_all(feed, table, page)
        return page

    page = asyncio.run(run())
    assert list(page.record.values()) == record_of(path)
    table.service.close()
