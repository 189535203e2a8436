"""Work on stored games, one after the other, in a process of low priority."""

import contextlib
import logging
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from threading import Event, Thread
from typing import TYPE_CHECKING, Final, TypeAlias

from psycopg import OperationalError

from urpi.club.server.database import DatabaseError, connect, one_line_reason
from urpi.core.supervision import Quarantine, SupervisedThread

if TYPE_CHECKING:
    from psycopg import Connection

INTERVAL_S: Final = 2.0
"""How often games are looked for."""

_log: Final = logging.getLogger(__name__)

Work: TypeAlias = Callable[[ProcessPoolExecutor, "Connection", Quarantine], bool]


class GameWorker:
    """Works on games while it is open. Several programs may have one each.

    Args:
        name: What it does, as ``verified``.
        database: The database's URL.
        niceness: The niceness of its process.
        work: Works on the next game in the process, in a transaction, and returns whether there was
            one. It leaves out the histories that are set aside because they
            failed several times.
    """

    def __init__(self, name: str, database: str, niceness: int, work: Work) -> None:
        self._name, self._database, self._niceness, self._work = name, database, niceness, work
        self._stop = Event()
        self._broken = Quarantine("game")
        self._thread = SupervisedThread(self._run, name)

    def open(self) -> None:
        """Begin to work."""
        self._thread.start()

    def close(self) -> None:
        """Stop; a game that is being worked on is begun again after the next start."""
        self._stop.set()
        self._thread.end()

    def _run(self) -> None:
        failure = ""
        while not self._stop.is_set():
            try:
                # Spawned: threads and connections must not be used after a fork.
                with (
                    ProcessPoolExecutor(
                        1,
                        get_context("spawn"),
                        initializer=initialize_process,
                        initargs=(self._niceness,),
                    ) as pool,
                    contextlib.closing(connect(self._database)) as connection,
                ):
                    while not self._stop.is_set():
                        if not self._work(pool, connection, self._broken):
                            self._stop.wait(INTERVAL_S)
                        failure = ""
            except (DatabaseError, OperationalError) as error:
                reason = one_line_reason(error)
                # Once for each outage, with an attempt every two seconds.
                if reason != failure:
                    _log.warning("Games cannot be %s: %s", self._name, reason)
                failure = reason
                self._stop.wait(INTERVAL_S)


def initialize_process(niceness: int) -> None:
    """Lower the priority of the working process, and end it when the club's process ends."""
    os.nice(niceness)
    Thread(target=_exit_after_parent, name="urpi-parent", daemon=True).start()


def _exit_after_parent() -> None:
    # A club that is killed cannot end its worker, which would wait for a game for ever.
    parent = parent_process()
    if parent is not None:
        parent.join()
        # Not `sys.exit`, which ends only this thread.
        os._exit(1)
