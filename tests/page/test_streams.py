"""Which open page gives way when there are too many, and which new one is rejected."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.types import Message

from tests.page.table import Table, until
from tests.page.test_feed import feeding
from urpi.http.connections import DROP
from urpi.http.guard import CLIENT
from urpi.http.limits import Limits
from urpi.http.proxies import Client
from urpi.page.events import Streams

LIMITS = Limits(streams=4, streams_per_client=3, idle_s=0.0)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    opened = Table.at(tmp_path / "games.sqlite")
    opened.begin()
    yield opened
    opened.service.close()


@dataclass
class OpenPage:
    """An open page, or a rejected one."""

    status: int = 0
    reads: bool = True
    left: asyncio.Event = field(default_factory=asyncio.Event)
    parts: int = 0

    @property
    def is_open(self) -> bool:
        return self.status == 200 and not self.left.is_set()

    async def send(self, message: Message) -> None:
        self.status = message.get("status", self.status)
        if message["type"] == "http.response.body":
            self.parts += 1
            if not self.reads and self.parts > 1:
                await asyncio.Event().wait()

    async def receive(self) -> Message:
        await self.left.wait()
        return {"type": "http.disconnect"}


Open = Callable[..., Awaitable[OpenPage]]


@asynccontextmanager
async def opening(table: Table) -> Open:
    async with AsyncExitStack() as stack:
        streams = Streams(await stack.enter_async_context(feeding(table)), LIMITS)
        tasks = stack.push_async_callback
        opened: list[OpenPage] = []

        async def one(
            address: str, *, may_act: bool = False, local: bool = False, reads: bool = True
        ) -> OpenPage:
            page = OpenPage(reads=reads)
            state = {CLIENT: Client(address, local), DROP: page.left.set}
            scope = {"type": "http", "method": "GET", "headers": [], "state": state}
            app = streams.open(Request(scope), None, may_act=may_act)
            task = asyncio.create_task(app(scope, page.receive, page.send))
            tasks(asyncio.wait, [task])
            opened.append(page)
            wanted = 2 if reads else 1
            await until(lambda: page.status == 503 or page.parts > wanted - 1, "the first bytes")
            return page

        yield one
        for page in opened:
            page.left.set()


def outcomes(pages: list[OpenPage]) -> list[bool]:
    return [page.is_open for page in pages]


def test_a_page_that_only_watches_is_rejected_when_there_are_too_many(table: Table) -> None:
    async def run() -> list[OpenPage]:
        async with opening(table) as one:
            pages = [await one(f"10.0.0.{number}") for number in range(5)]
            assert outcomes(pages) == [True] * 4 + [False]
            return pages

    assert asyncio.run(run())[-1].status == 503


@pytest.mark.parametrize("right", [{"may_act": True}, {"local": True}])
def test_pages_that_watch_give_way_to_those_that_act(table: Table, right: dict[str, bool]) -> None:
    async def run() -> None:
        async with opening(table) as one:
            watching = [await one(f"10.0.0.{number}") for number in range(4)]
            acting = [await one("10.0.1.1", **right) for _ in range(4)]
            assert outcomes(watching) == [False] * 4
            assert outcomes(acting) == [True] * 4
            # No page is left that would give way.
            assert (await one("10.0.1.1", **right)).status == 503

    asyncio.run(run())


def test_the_oldest_page_of_the_address_with_most_pages_gives_way(table: Table) -> None:
    async def run() -> None:
        async with opening(table) as one:
            watching = [await one(address) for address in ("10.0.0.1", "10.0.0.2", "10.0.0.2")]
            watching.append(await one("10.0.0.3"))
            await one("10.0.1.1", may_act=True)
            assert outcomes(watching) == [True, False, True, True]

    asyncio.run(run())


def test_a_page_that_does_not_read_gives_way_to_any_other(table: Table) -> None:
    async def run() -> None:
        async with opening(table) as one:
            pages = [await one(f"10.0.0.{number}", reads=number != 2) for number in range(4)]
            await until(lambda: pages[2].parts > 1, "more data than the page reads")
            pages.append(await one("10.0.0.5"))
            assert outcomes(pages) == [True, True, False, True, True]

    asyncio.run(run())


def test_one_address_has_a_limited_number_of_pages_unless_it_acts(table: Table) -> None:
    async def run() -> None:
        async with opening(table) as one:
            pages = [await one("10.0.0.1") for _ in range(4)]
            assert outcomes(pages) == [True, True, True, False]
            assert (await one("10.0.0.1", may_act=True)).is_open

    asyncio.run(run())
