"""The queue of the thread that processes facts."""

import os
import signal
import time
from threading import Timer
from typing import Final

import pytest

from urpi.core.errors import UrpiError
from urpi.referee.facts import Time
from urpi.service.inbox import MAX_HELD, Call, Inbox

WAIT_S: Final = 0.02
SIGNALS: Final = 20


def test_a_signal_just_before_the_timeout_does_not_prolong_the_wait() -> None:
    handled: list[int] = []

    def outlast_the_timeout(number: int, _frame: object) -> None:
        handled.append(number)
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            pass

    before = signal.signal(signal.SIGUSR1, outlast_the_timeout)
    inbox = Inbox()
    # Ends a wait that would have no end.
    rescue = Timer(240, inbox.put, [Time(0)])
    rescue.start()
    try:
        for _ in range(SIGNALS):
            interrupt = Timer(WAIT_S / 2, os.kill, [os.getpid(), signal.SIGUSR1])
            interrupt.start()
            assert list(inbox.items(WAIT_S)) == []
            interrupt.join()
    finally:
        rescue.cancel()
        signal.signal(signal.SIGUSR1, before)
    assert len(handled) == SIGNALS


def test_an_error_is_the_result_of_its_call_and_a_bug_ends_the_program_too() -> None:
    inbox = Inbox()

    def fail(error: Exception) -> None:
        raise error

    refused = inbox.call(lambda: fail(UrpiError("no")))
    failed = inbox.call(lambda: fail(ValueError("bug")))
    first, second = (item for item in inbox.items(0) if isinstance(item, Call))
    first.run()
    assert isinstance(refused.exception(0), UrpiError)
    with pytest.raises(ValueError, match="bug"):
        second.run()
    assert isinstance(failed.exception(0), ValueError)


def test_facts_wait_while_it_holds_in_their_order_and_calls_do_not() -> None:
    inbox = Inbox()
    inbox.holds = True
    for t in range(MAX_HELD + 5):
        inbox.put(Time(t))
    inbox.call(lambda: None)
    assert [type(one) for one in inbox.items(0)] == [Call]
    assert not inbox.waits
    inbox.holds = False
    inbox.put(Time(MAX_HELD + 5))
    assert inbox.waits
    # Of a flood, the oldest are dropped.
    assert list(inbox.items(0)) == [Time(t) for t in range(5, MAX_HELD + 6)]
    assert not inbox.waits


def test_facts_wait_from_the_one_on_that_lets_it_hold() -> None:
    inbox = Inbox()
    for t in range(3):
        inbox.put(Time(t))
    found = []
    for one in inbox.items(0):
        found.append(one)
        inbox.holds = True
    assert found == [Time(0)]
    inbox.holds = False
    assert list(inbox.items(0)) == [Time(1), Time(2)]
