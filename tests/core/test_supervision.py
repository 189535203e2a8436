"""Parts that fail are started again after a growing pause, and reported; others are set aside."""

import asyncio
import random
from threading import Event

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from urpi.core.supervision import (
    CONFIRM_S,
    LATE_S,
    MAX_FAILURES,
    MAX_ITEMS,
    PAUSE_S,
    SPREAD,
    STABLE_S,
    Part,
    PartState,
    Quarantine,
    SupervisedThread,
    after_failure,
    faults,
    set_aside,
    supervise,
)

DEADLINE_S = 60.0


@pytest.mark.parametrize(
    ("state", "now", "failures", "pause"),
    [
        pytest.param(PartState(), 5.0, 1, 0.5, id="the first failure"),
        pytest.param(PartState(1, "x", 5.0), 6.0, 2, 1.0, id="soon after the first"),
        pytest.param(PartState(2, "x", 5.0), 64.9, 3, 2.0, id="just before it is stable"),
        pytest.param(PartState(2, "x", 5.0), 65.0, 1, 0.5, id="after it was stable"),
        pytest.param(PartState(7, "x", 5.0), 6.0, 8, 60.0, id="the longest pause"),
        pytest.param(PartState(5000, "x", 5.0), 6.0, 5001, 60.0, id="after an hour of failures"),
        pytest.param(PartState(3, "x"), 6.0, 4, 4.0, id="it was not started in between"),
    ],
)
def test_the_pause_doubles_until_the_part_is_stable(
    state: PartState, now: float, failures: int, pause: float
) -> None:
    assert after_failure(state, "y", now, 0.0) == (PartState(failures, "y"), pause)


@given(st.lists(st.tuples(st.floats(0, 200), st.floats(0, 1, exclude_max=True)), max_size=40))
def test_no_pause_is_shorter_or_longer_than_the_limits(runs: list[tuple[float, float]]) -> None:
    state, now = PartState(), 0.0
    for ran_s, chance in runs:
        state = PartState(state.failures, state.problem, now)
        now += ran_s
        state, pause = after_failure(state, "x", now, chance)
        assert PAUSE_S[0] * (1 - SPREAD) <= pause <= PAUSE_S[1]
        assert state.failures == 1 or ran_s < STABLE_S + 1e-6
        now += pause


def test_a_fault_is_reported_until_the_part_has_run_long_enough() -> None:
    now = [0.0]
    part = Part("a test", affects_players=True, clock=lambda: now[0], chance=lambda: 0.0)

    part.start()
    part.fail(ValueError("no"))
    now[0] += 100
    (fault,) = [fault for fault in faults() if fault.part == "a test"]
    assert fault == ("a test", "ValueError: no", 1, True, False, False)
    part.start()
    now[0] += STABLE_S - 1
    assert part.fault is not None
    now[0] += 1
    assert part.fault is None


def test_a_part_that_has_ended_is_looked_at_again_only_once_it_is_started() -> None:
    looks = []

    def clock() -> float:
        looks.append(None)
        return 0.0

    part = Part("an ended part", clock=clock)
    part.start()
    part.fail(ValueError("before"))
    part.end()
    looks.clear()
    assert not [fault for fault in faults() if fault.part == "an ended part"]
    assert not looks
    part.start()
    assert not [fault for fault in faults() if fault.part == "an ended part"]
    part.fail(ValueError("no"))
    assert [fault.problem for fault in faults() if fault.part == "an ended part"] == [
        "ValueError: no"
    ]


@given(
    st.lists(
        st.tuples(st.sampled_from(["alive", "wait", "look"]), st.floats(0, 3 * LATE_S)),
        max_size=40,
    )
)
@example(  # Late twice, each time with other work.
    [("alive", 0.0), ("look", LATE_S + 1), ("alive", 0.0), ("look", LATE_S + CONFIRM_S)]
)
def test_a_part_hangs_once_it_was_seen_late_for_long_enough(steps: list[tuple[str, float]]) -> None:
    """Compares `Part` with the whole list of what happened."""
    now, noted, seen_late = 0.0, None, None
    part = Part("a test", is_vital=True, clock=lambda: now)
    part.start()
    for what, after_s in steps:
        now += after_s
        if what != "look":
            part.alive(None if what == "wait" else LATE_S)
            noted, seen_late = (None if what == "wait" else now), None
            continue
        is_late = noted is not None and now > noted + LATE_S
        seen_late = (now if seen_late is None else seen_late) if is_late else None
        hangs = seen_late is not None and now - seen_late >= CONFIRM_S
        fault = part.fault
        assert (fault is not None and fault.hangs and fault.ends_program) is hangs


def test_after_a_pause_of_the_whole_program_no_part_hangs() -> None:
    now = 0.0
    part = Part("a test", clock=lambda: now)
    part.start()
    part.alive()
    now = 1000.0
    assert part.fault is None
    part.alive()
    now += CONFIRM_S
    assert part.fault is None


def test_a_part_that_hangs_is_reported_with_its_place() -> None:
    began, released = Event(), Event()

    def run() -> None:
        thread.part.alive()
        with Quarantine("place").trying(1):
            began.set()
            released.wait(DEADLINE_S)

    thread = SupervisedThread(run, "hanging", affects_players=True)
    thread.start()
    assert began.wait(DEADLINE_S)
    now = thread.part._clock() + LATE_S
    thread.part._clock = lambda: now
    assert "hanging" not in faulty()
    now += CONFIRM_S
    (fault,) = [fault for fault in faults() if fault.part == "hanging"]
    assert fault.hangs
    assert fault.text.startswith("hanging hangs (urpi.core.supervision.")
    released.set()
    thread.end(DEADLINE_S)
    assert "hanging" not in faulty()


def test_what_is_set_aside_is_counted_by_kind() -> None:
    kind = "thing that a test sets aside"
    broken, other = Quarantine(kind, max_failures=1), Quarantine(kind, max_failures=1)
    for number in range(3):
        broken.fail(number)
    other.fail(0)
    assert dict(set_aside())[kind] == 4


def faulty() -> set[str]:
    return {fault.part for fault in faults()}


def test_a_thread_is_started_again_until_it_returns() -> None:
    calls, done, failures = [], Event(), random.Random(5).randrange(1, 3)

    def run() -> None:
        calls.append(1)
        if len(calls) <= failures:
            message = "no"
            raise RuntimeError(message)
        done.set()

    thread = SupervisedThread(run, "tried")
    thread.start()
    assert done.wait(DEADLINE_S)
    thread.end(DEADLINE_S)
    assert len(calls) == failures + 1
    assert "tried" not in faulty(), "what has ended has no fault"


def test_a_thread_that_is_ended_does_not_wait_for_its_pause() -> None:
    failed = Event()

    def run() -> None:
        failed.set()
        message = "no"
        raise RuntimeError(message)

    thread = SupervisedThread(run, "failing")
    thread.part._chance = lambda: -1000.0
    thread.start()
    assert failed.wait(DEADLINE_S)
    thread.end(DEADLINE_S)
    assert not thread.is_alive()


def test_a_task_is_started_again_and_can_be_cancelled() -> None:
    calls = []
    part = Part("a task", chance=lambda: 1 / SPREAD)

    async def run() -> None:
        calls.append(1)
        if len(calls) < 4:
            message = "no"
            raise RuntimeError(message)
        await asyncio.Event().wait()

    async def main() -> None:
        task = asyncio.create_task(supervise(part, run))
        while len(calls) < 4:
            await asyncio.sleep(0)
        assert part.fault is not None
        assert part.fault.failures == 3
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())


def test_a_cancelled_task_ends_although_its_clean_up_fails() -> None:
    begun: list[int] = []

    async def run() -> None:
        begun.append(1)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if len(begun) > 1:
                raise
            message = "the connection has gone"
            raise OSError(message) from None

    async def main() -> None:
        task = asyncio.create_task(supervise(Part("a task", chance=lambda: 1 / SPREAD), run))
        while not begun:
            await asyncio.sleep(0)
        task.cancel()
        while not task.done() and len(begun) == 1:
            await asyncio.sleep(0)
        assert task.cancelled()

    asyncio.run(main())


def test_an_item_is_set_aside_after_some_failures_and_others_are_not() -> None:
    broken = Quarantine("game")
    for count in range(MAX_FAILURES):
        assert (5 in broken) is (count >= MAX_FAILURES)
        with pytest.raises(ValueError, match="no"), broken.trying(5, (OSError,)):
            raise ValueError("no")
    with pytest.raises(OSError, match="disk"), broken.trying(6, (OSError,)):
        raise OSError("disk")
    assert broken.items() == (5,)


def test_a_success_forgets_the_failures() -> None:
    broken = Quarantine("game")
    for _ in range(MAX_FAILURES - 1):
        broken.fail("a")
    with broken.trying("a"):
        pass
    assert not broken.fail("a")


def test_a_flood_of_items_does_not_fill_the_memory() -> None:
    broken = Quarantine("message", max_failures=1)
    for number in range(2 * MAX_ITEMS):
        broken.fail(number)
    assert len(broken.items()) == MAX_ITEMS
