"""The verifier: referees finished games again, in a process of low priority."""

import contextlib
import logging
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from urpi.club_server.database import connect, next_to_verify, store_verdict
from urpi.club_server.tournaments import apply_game
from urpi.club_server.verification import examine

if TYPE_CHECKING:
    from psycopg import Connection

INTERVAL_S: Final = 2.0
"""How often finished games are looked for."""
_NICENESS: Final = 10

_log: Final = logging.getLogger(__name__)


class Verifier:
    """Verifies finished games while it is open. Several processes may have one each.

    Args:
        database: The database's URL.
    """

    def __init__(self, database: str) -> None:
        self._database = database
        self._stop = Event()
        self._thread = Thread(target=self._run, name="urpi-verifier", daemon=True)

    def open(self) -> None:
        """Begin to verify."""
        self._thread.start()

    def close(self) -> None:
        """Stop; a game that is being verified is verified by the next start."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                # Spawned: threads and connections must not be used after a fork.
                with (
                    ProcessPoolExecutor(
                        1, get_context("spawn"), initializer=initialize_worker
                    ) as pool,
                    contextlib.closing(connect(self._database)) as connection,
                ):
                    self._verify_all(pool, connection)
            except Exception as error:
                _log.warning("Games cannot be verified now: %s", " ".join(str(error).split()))
                self._stop.wait(INTERVAL_S)

    def _verify_all(self, pool: ProcessPoolExecutor, connection: "Connection") -> None:
        while not self._stop.is_set():
            with connection.transaction():
                game = next_to_verify(connection)
                if game is not None:
                    # Within the transaction: its lock keeps other processes off this game until the
                    # verdict.
                    examined = pool.submit(examine, game.head, game.lines).result()
                    store_verdict(connection, game, examined)
                    if examined.rated:
                        apply_game(connection, game.table, game.history)
            if game is None:
                self._stop.wait(INTERVAL_S)
            elif (found := examined.verdict).code not in {"verified", "pruned"}:
                _log.warning(
                    "Game %d of table %s is not verified (%s): %s",
                    game.head.number,
                    game.table,
                    found.code,
                    found.text,
                )


def initialize_worker() -> None:
    """Lower the priority of the verifying process, and end it when the club's process ends."""
    os.nice(_NICENESS)
    Thread(target=_exit_after_parent, name="urpi-parent", daemon=True).start()


def _exit_after_parent() -> None:
    # A club that is killed cannot end its worker, which would wait for a game for ever.
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
