"""The review of a stored game over HTTP, and the queue of those to compute."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.journal.games import store_game
from tests.page.client import Client
from tests.page.table import PageDesk, Table
from urpi.core.errors import UrpiError
from urpi.http.operations import NotFoundError, QueueFullError
from urpi.journal import Journal
from urpi.page import reviews
from urpi.page.app import make_app
from urpi.page.reviews import MAX_WAITING, Job, ReviewQueue, ReviewRequest, review_in_process
from urpi.page.site import make_site

ONE = ReviewRequest(1, "en")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a journal with one game."""
    path = tmp_path_factory.mktemp("reviews") / "games.sqlite"
    with Journal.open(path) as journal:
        store_game(journal, "finkel", seed=1, longest=40)
    return path


@pytest.fixture(scope="module")
def visitor(path: Path) -> Iterator[Client]:
    table = Table.at(path)
    yield Client(make_app(make_site(PageDesk(table))))
    table.service.close()


def test_a_game_is_reviewed_by_a_process_that_reports_its_progress(path: Path) -> None:
    job = Job()
    content = asyncio.run(review_in_process(path, ReviewRequest(1, "fr"), job.on_line, path.parent))
    found = json.loads(content)
    assert (found["game"], found["by"]) == (1, "estimated")
    assert found["source"] == "Toutes les valeurs sont estimées par un réseau."
    assert job.done == job.throws == len(found["throws"]) > 10


@pytest.mark.slow
def test_the_process_reports_an_unknown_game(path: Path) -> None:
    with pytest.raises(NotFoundError, match="no game 9"):
        asyncio.run(review_in_process(path, ReviewRequest(9, "en"), lambda _: None, path.parent))


def test_the_first_response_is_the_progress(
    visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(*_: object) -> bytes:
        await asyncio.Event().wait()
        return b""

    monkeypatch.setattr(reviews, "review_in_process", never)
    answer = visitor.get("/api/games/1/review")
    assert (answer.status, answer.json) == (200, {"done": 0, "throws": 0, "review": None})


@pytest.mark.parametrize(
    ("address", "status"), [("9/review", 404), ("1/review?language=xx", 400), ("1/review?x=1", 400)]
)
def test_an_impossible_review_is_an_error(visitor: Client, address: str, status: int) -> None:
    assert visitor.get(f"/api/games/{address}").status == status


async def settle() -> None:
    """Let all tasks run that can."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_a_review_is_computed_once_and_one_at_a_time() -> None:
    begun: list[int] = []
    gates = {number: asyncio.Event() for number in (1, 2)}

    async def compute(request: ReviewRequest, on_line: Callable[[str], None]) -> bytes:
        begun.append(request.game)
        on_line("Something else")
        on_line("3/7")
        await gates[request.game].wait()
        return b"{}"

    async def run() -> None:
        queue, two = ReviewQueue(compute), ReviewRequest(2, "en")
        queue.job(ONE)
        queue.job(two)
        await settle()
        first = queue.job(ONE)
        assert (begun, first.done, first.throws, first.content) == ([1], 3, 7, None)
        gates[1].set()
        await settle()
        assert (begun, queue.job(ONE).content, queue.job(two).content) == ([1, 2], b"{}", None)
        gates[2].set()
        await settle()
        assert (queue.job(two).content, begun) == (b"{}", [1, 2])

    asyncio.run(run())


def test_few_reviews_may_wait() -> None:
    async def compute(_: ReviewRequest, __: Callable[[str], None]) -> bytes:
        await asyncio.Event().wait()
        return b""

    async def run() -> None:
        queue = ReviewQueue(compute)
        for number in range(MAX_WAITING):
            queue.job(ReviewRequest(number, "en"))
        with pytest.raises(QueueFullError):
            queue.job(ReviewRequest(99, "en"))
        assert queue.job(ReviewRequest(0, "en")).content is None

    asyncio.run(run())


def test_a_failed_review_is_reported_once_and_then_computed_again() -> None:
    results: list[bytes | UrpiError] = [UrpiError("It failed."), b"{}"]

    async def compute(_: ReviewRequest, __: Callable[[str], None]) -> bytes:
        found = results.pop(0)
        if isinstance(found, UrpiError):
            raise found
        return found

    async def run() -> None:
        queue = ReviewQueue(compute)
        queue.job(ONE)
        await settle()
        with pytest.raises(UrpiError, match=r"It failed\."):
            queue.job(ONE)
        queue.job(ONE)
        await settle()
        assert queue.job(ONE).content == b"{}"

    asyncio.run(run())


def test_the_oldest_reviews_are_dropped() -> None:
    computed: list[int] = []

    async def compute(request: ReviewRequest, _: Callable[[str], None]) -> bytes:
        computed.append(request.game)
        return b"{}"

    async def run() -> None:
        queue = ReviewQueue(compute, max_kept=2)
        for number in (1, 2, 3, 4, 4, 1):
            queue.job(ReviewRequest(number, "en"))
            await settle()

    asyncio.run(run())
    assert computed == [1, 2, 3, 4, 1]
