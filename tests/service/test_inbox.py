"""The queue of the thread that processes facts."""

import os
import signal
import time
from threading import Timer
from typing import Final

import pytest

from urpi.core.errors import UrpiError
from urpi.referee.facts import Time
from urpi.service.inbox import Call, Inbox

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
