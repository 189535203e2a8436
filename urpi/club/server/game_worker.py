"""Work on stored games, one after the other, in a process of low priority."""

import contextlib
import logging
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context, parent_process
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from psycopg import OperationalError

from urpi.club.server.database import WORK_S, DatabaseError, connect, one_line_reason
from urpi.club.server.log_lines import begin_json_log, call_about, log_fields
from urpi.core.errors import UrpiError
from urpi.core.supervision import Quarantine, SupervisedThread

if TYPE_CHECKING:
    from psycopg import Connection

INTERVAL_S: Final = 2.0
"""How often games are looked for."""
MAX_CALL_S: Final = 600.0
"""Longest time in seconds for a game. After it, its process is killed and the game has failed."""
START_S: Final = 120.0
"""Longest time in seconds until a process has started, on a busy machine."""

_log: Final = logging.getLogger(__name__)

Call: TypeAlias = Callable[..., Any]
"""Calls a function with arguments in the process, and returns its result."""
Work: TypeAlias = Callable[[Call, "Connection", Quarantine], bool]


class GameTimeoutError(UrpiError):
    """The process has taken too long for a game."""


class GameWorker:
    """Works on games while it is open. Several programs may have one each.

    Args:
        name: What it does, as ``verified``.
        database: The database's URL.
        niceness: The niceness of its process.
        work: Works on the next game in the process, in a transaction, and returns whether there was
            one. It leaves out the histories that are set aside because they
            failed several times.
        as_json: Whether its process logs as JSON.
    """

    def __init__(
        self, name: str, database: str, niceness: int, work: Work, *, as_json: bool = False
    ) -> None:
        self._name, self._database, self._work = name, database, work
        self._niceness, self._json_part = niceness, name if as_json else ""
        self._stop = Event()
        self._process = 0
        """The id of its process, 0 if there is none."""
        self._broken = Quarantine("game")
        self._thread = SupervisedThread(self._run, name, is_vital=True)

    def open(self) -> None:
        """Begin to work."""
        self._thread.start()

    def close(self) -> None:
        """Stop; a game that is being worked on is begun again after the next start."""
        self._stop.set()
        self._kill()
        self._thread.end()

    def _kill(self) -> None:
        # Also if it is idle: on a busy machine, its low priority lets even its end take minutes.
        process, self._process = self._process, 0
        if process:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def _run(self) -> None:
        failure, part = "", self._thread.part
        while not self._stop.is_set():
            try:
                part.alive(START_S)
                # Spawned: threads and connections must not be used after a fork.
                with (
                    ProcessPoolExecutor(
                        1,
                        get_context("spawn"),
                        initializer=initialize_process,
                        initargs=(self._json_part,),
                    ) as pool,
                    contextlib.closing(connect(self._database)) as connection,
                    contextlib.ExitStack() as stack,
                ):
                    process = pool.submit(os.getpid).result()
                    stack.callback(self._kill)
                    self._process = process
                    os.setpriority(os.PRIO_PROCESS, process, self._niceness)
                    call = partial(self._call, pool)
                    while not self._stop.is_set():
                        part.alive(WORK_S)
                        if not self._work(call, connection, self._broken):
                            part.alive(None)
                            self._stop.wait(INTERVAL_S)
                        failure = ""
            except BrokenProcessPool:
                if not self._stop.is_set():
                    raise
            except (DatabaseError, OperationalError) as error:
                reason = one_line_reason(error)
                # Once for each outage, with an attempt every two seconds.
                if reason != failure:
                    _log.warning("Games cannot be %s: %s", self._name, reason)
                failure = reason
                part.alive(None)
                self._stop.wait(INTERVAL_S)

    def _call(
        self, pool: ProcessPoolExecutor, function: Callable[..., Any], *arguments: Any
    ) -> Any:
        self._thread.part.alive(2 * MAX_CALL_S)
        future = pool.submit(call_about, log_fields(), function, *arguments)
        try:
            return future.result(MAX_CALL_S)
        except TimeoutError as error:
            # It is waited for when the pool is left.
            self._kill()
            message = f"{function.__name__} has taken more than {MAX_CALL_S:.0f} s"
            raise GameTimeoutError(message) from error
        finally:
            self._thread.part.alive(WORK_S)


def initialize_process(json_part: str = "") -> None:
    """Let the working process end when the club's process ends.

    Args:
        json_part: The name with which it logs as JSON, empty to log as text.
    """
    if json_part:
        begin_json_log(json_part)
    Thread(target=_exit_after_parent, name="urpi-parent", daemon=True).start()


def _exit_after_parent() -> None:
    # A club that is killed cannot end its worker, which would wait for a game for ever.
    parent = parent_process()
    if parent is not None:
        parent.join()
        # Not `sys.exit`, which ends only this thread.
        os._exit(1)
