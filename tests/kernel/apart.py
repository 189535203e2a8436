"""Calling a function in a process of its own, which ends a GPIO library's threads and claims."""

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeVar

_T = TypeVar("_T")


def apart(act: Callable[[], _T], within_s: float) -> _T:
    """Call a function in a forked process, and return its result.

    Raises:
        TimeoutError: If it does not return in time.
        EOFError: If the process fails.
    """
    context = get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_do, args=(act, theirs), daemon=True)
    process.start()
    # With the last copy of its other end closed, `recv` raises EOFError instead of waiting for
    # ever.
    theirs.close()
    try:
        if not ours.poll(within_s):
            message = f"not done within {within_s} s"
            raise TimeoutError(message)
        found: _T = ours.recv()
        return found
    finally:
        process.join(1)
        # A library's thread may keep the process alive after it has returned its result.
        process.kill()
        process.join()


def _do(act: Callable[[], _T], end: "Connection[_T, object]") -> None:
    end.send(act())
