"""Reads for the page, one after the other."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from threading import Event

import pytest

from urpi.http.reader import MAX_OF_CLIENT, MAX_WAITING, BusyError, Reader, asking_client


def test_a_read_that_waits_for_too_long_is_refused_and_left_out() -> None:
    release, done = Event(), []

    def slow(_source: None) -> None:
        release.wait(60)
        done.append("slow")

    async def run() -> None:
        reader = Reader[None]("test", nullcontext, max_wait_s=0.05)
        with pytest.raises(BusyError, match="try again"):
            await asyncio.gather(reader.read(slow), reader.read(lambda _: done.append("second")))
        release.set()
        # Refused reads leave room for others, also on a busy machine.
        reader._max_wait_s = 60.0
        for number in range(2 * MAX_WAITING):
            await reader.read(lambda _, number=number: done.append(str(number)))

    asyncio.run(run())
    assert done == ["slow", *map(str, range(2 * MAX_WAITING))]


def test_more_reads_than_may_wait_are_refused_at_once() -> None:
    release = Event()

    async def run() -> list[object]:
        reader = Reader[None]("test", nullcontext)
        reads = [
            asyncio.create_task(reader.read(lambda _: release.wait(60)))
            for _ in range(MAX_WAITING + 3)
        ]
        await asyncio.sleep(0)
        release.set()
        return list(await asyncio.gather(*reads, return_exceptions=True))

    results = asyncio.run(run())
    assert results[:MAX_WAITING] == [True] * MAX_WAITING
    assert [type(each) for each in results[MAX_WAITING:]] == [BusyError] * 3


def test_one_client_leaves_places_to_the_others() -> None:
    release = Event()

    async def run() -> dict[str, list[object]]:
        reader = Reader[None]("test", nullcontext)

        async def read(client: str) -> bool:
            asking_client.set(client)
            return await reader.read(lambda _: release.wait(60))

        # The machine itself may be a proxy of many.
        asked = {"greedy": MAX_WAITING, "other": 2, "": MAX_OF_CLIENT + 2}
        tasks = {
            client: [asyncio.create_task(read(client)) for _ in range(number)]
            for client, number in asked.items()
        }
        await asyncio.sleep(0)
        release.set()
        found = {
            client: list(await asyncio.gather(*some, return_exceptions=True))
            for client, some in tasks.items()
        }
        assert not reader._waiting
        return found

    found = asyncio.run(run())
    assert found["greedy"][:MAX_OF_CLIENT] == [True] * MAX_OF_CLIENT
    assert {type(each) for each in found["greedy"][MAX_OF_CLIENT:]} == {BusyError}
    assert found["other"] == [True] * 2
    assert found[""] == [True] * (MAX_OF_CLIENT + 2)


def test_a_result_is_returned_once_the_source_is_closed_which_may_fail() -> None:
    done: list[str] = []

    @contextmanager
    def opened(*, fails: bool = False) -> Iterator[None]:
        yield
        if fails:
            message = "The disk is full."
            raise OSError(message)
        done.append("committed")

    def seen(future: "asyncio.Future[None]") -> None:
        future.result()
        done.append("answered")

    async def run() -> None:
        for _ in range(200):
            task = asyncio.ensure_future(Reader[None]("test", opened).read(lambda _: None))
            task.add_done_callback(seen)
            await task
        with pytest.raises(OSError, match="full"):
            await Reader[None]("test", lambda: opened(fails=True)).read(lambda _: None)

    asyncio.run(run())
    assert done == ["committed", "answered"] * 200
