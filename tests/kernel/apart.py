"""Something done in a process of its own: a GPIO library's threads and claims end with it."""

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeVar

_T = TypeVar("_T")


def apart(act: Callable[[], _T], within_s: float) -> _T:
    """What `act` gives back; forked, so that nothing has to be imported again.

    Raises:
        TimeoutError: when it is not done in that time.
        EOFError: when it breaks down.
    """
    context = get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_do, args=(act, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(within_s):
            message = f"not done within {within_s} s"
            raise TimeoutError(message)
        found: _T = ours.recv()
        return found
    finally:
        process.join(1)
        process.kill()
        process.join()


def _do(act: Callable[[], _T], end: "Connection[_T, object]") -> None:
    end.send(act())
