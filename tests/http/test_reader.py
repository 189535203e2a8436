"""Reads for the page, one after the other."""

import asyncio
from contextlib import nullcontext
from threading import Event

import pytest

from urpi.http.reader import MAX_WAITING, BusyError, Reader


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
