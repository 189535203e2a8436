"""The verifier: referees finished games again, and verified ones every night.

It has a process of low priority.
"""

import logging
from typing import TYPE_CHECKING, Final

from psycopg import OperationalError

from urpi.club.server.brought_results import apply_game
from urpi.club.server.checks import check_next
from urpi.club.server.database import next_to_verify, store_verdict
from urpi.club.server.game_worker import Call, GameWorker
from urpi.club.server.log_lines import log_about
from urpi.club.server.verification import examine
from urpi.core.supervision import Quarantine

if TYPE_CHECKING:
    from psycopg import Connection

# Receiving comes first; a review, with 19, last.
_NICENESS: Final = 10

_log: Final = logging.getLogger(__name__)


def make_verifier(database: str, *, as_json: bool = False) -> GameWorker:
    """What verifies finished games.

    Args:
        database: The database's URL.
        as_json: Whether it logs as JSON.
    """
    return GameWorker("verified", database, _NICENESS, _verify_next, as_json=as_json)


def _verify_next(call: Call, connection: "Connection", broken: Quarantine) -> bool:
    with connection.transaction():
        game = next_to_verify(connection, broken.items())
        if game is None:
            return check_next(call, connection, broken) is not None
        # Within the transaction: its lock keeps other processes off this game until the verdict.
        with (
            log_about(table=game.table, game=game.head.number),
            broken.trying(game.history, (OperationalError,)),
        ):
            examined = call(examine, game.head, game.lines)
            store_verdict(connection, game.table, game.history, examined)
            # A copy that is not rated may have the name that another one lacks.
            if examined.rated or examined.shared is not None:
                apply_game(connection, game.table, game.history)
    if (found := examined.verdict).code not in {"verified", "pruned"}:
        with log_about(table=game.table, game=game.head.number):
            _log.warning(
                "Game %d of table %s is not verified (%s): %s",
                game.head.number,
                game.table,
                found.code,
                found.text,
            )
    return True
