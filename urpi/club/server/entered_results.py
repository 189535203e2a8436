"""Results of tournaments that an arbiter enters or removes, and their log."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from urpi.club.server.tournaments import StoredTournament, existing, locked
from urpi.club.tournaments.tournament import Pairing, PairingResult
from urpi.core.errors import UrpiError

if TYPE_CHECKING:
    from psycopg import Connection

MAX_REASON: Final = 200
"""Maximum length of a reason in characters."""
MAX_LISTED: Final = 500
"""Maximum number of entries that are listed."""


class OutdatedError(UrpiError):
    """The pairing has another result than its arbiter knew."""


class ReasonError(UrpiError):
    """A result is replaced without a reason."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A result as an arbiter enters it.

    Attributes:
        round: The round, from 0.
        board: The index of the pairing.
        result: The result, None if it is open again.
        user: The arbiter's name, empty for the command line.
        reason: The reason, which is needed to replace a result.
        played: Whether it is the result of a game; False if an opponent did not come.
    """

    round: int
    board: int
    result: PairingResult | None
    user: str = ""
    reason: str = ""
    played: bool = True


@dataclass(frozen=True, slots=True)
class LoggedEntry:
    """An entry of the log.

    Attributes:
        entry: What was entered.
        before: The result before, None if there was none.
        before_played: Whether that was the result of a game.
        removed: Whether the whole round was removed; the entry then has no board and no result.
        entered: When.
        pairings: The pairings before and after a change by hand, each as the numbers of its
            players; the entry then has no board and no result. None for results.
    """

    entry: Entry
    before: PairingResult | None
    before_played: bool
    removed: bool
    entered: datetime
    pairings: list[list[list[int | None]]] | None = None


def enter_result(connection: "Connection", number: int, entry: Entry) -> None:
    """Store a result, which replaces that of a game, and log it.

    A result by which both lose is never that of a game.

    Raises:
        UrpiError: If there is no such pairing, or it cannot have this result any more.
    """
    with connection.transaction():
        found = locked(connection, number)
        before = _pairing(found, entry)
        _check(found, entry)
        place = (number, entry.round, entry.board)
        # No game ends with two losers.
        played = entry.played and entry.result != "none"
        # Another pairing may have the table of one that had a result.
        is_open_again = entry.result is None and before.result is not None
        connection.execute(
            "UPDATE pairings SET result = %s, played = %s, game = NULL,"
            " table_id = CASE WHEN NOT %s THEN table_id END"
            " WHERE (tournament, round, board) = (%s, %s, %s)",
            (entry.result, played, is_open_again, *place),
        )
        connection.execute(
            "INSERT INTO entered_results (tournament, round, board, before, before_played, result,"
            " played, user_name, reason) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)",
            (*place, before.result, before.played, entry.result, played, entry.user, entry.reason),
        )


def correct_result(
    connection: "Connection", number: int, entry: Entry, known: PairingResult | None
) -> None:
    """Store a result as `enter_result` does, if the pairing has the result that the arbiter knows.

    Args:
        connection: The database.
        number: The tournament.
        entry: The result.
        known: The result that the arbiter saw.

    Raises:
        OutdatedError: If the pairing has another one, for example from a game just verified.
        ReasonError: If there is a result and the entry has no reason.
        UrpiError: As `enter_result`.
    """
    with connection.transaction():
        before = _pairing(locked(connection, number), entry).result
        # Two arbiters may enter results at once, or a game of these players was verified meanwhile.
        if before != known:
            message = f"Board {entry.board + 1} has another result now: {before or 'none yet'}."
            raise OutdatedError(message)
        if before is not None and not entry.reason.strip():
            message = "A result that exists is replaced with a reason only; enter one."
            raise ReasonError(message)
        enter_result(connection, number, entry)


def remove_round(
    connection: "Connection", number: int, round_: int | None = None, user: str = ""
) -> StoredTournament:
    """Remove the newest round with its results, log that, and return the tournament.

    Games of the round remain at the club, but bring no results to a round that begins after them.

    Args:
        connection: The database.
        number: The tournament.
        round_: The round, from 0, which must be the newest one; one that does not exist has been
            removed already. None is the newest one.
        user: The arbiter's name, empty for the command line.

    Raises:
        UrpiError: If there is no such tournament, no round has begun, or a newer one has.
    """
    with connection.transaction():
        found = locked(connection, number)
        newest = len(found.rounds) - 1
        # A second click on the same button: the round has been removed already.
        if round_ is not None and round_ > newest:
            return found
        if newest < 0:
            message = "No round has begun."
            raise UrpiError(message)
        if round_ is not None and round_ < newest:
            message = f"Round {newest + 1} has begun, too; only the newest round can be removed."
            raise UrpiError(message)
        connection.execute(
            "DELETE FROM tournament_rounds WHERE (tournament, round) = (%s, %s)", (number, newest)
        )
        connection.execute(
            "INSERT INTO entered_results (tournament, round, board, user_name, reason, removed)"
            " VALUES (%s, %s, 0, %s, '', true)",
            (number, newest, user),
        )
        return existing(connection, number)


def entered_results(connection: "Connection", number: int) -> list[LoggedEntry]:
    """What arbiters entered or changed in a tournament, the newest first."""
    rows = connection.execute(
        "SELECT round, board, result, user_name, reason, played, before, before_played, removed,"
        " entered, pairings FROM entered_results WHERE tournament = %s ORDER BY id DESC LIMIT %s",
        (number, MAX_LISTED),
    )
    return [LoggedEntry(Entry(*row[:6]), *row[6:]) for row in rows]


def _pairing(found: StoredTournament, entry: Entry) -> Pairing:
    if not 0 <= entry.round < len(found.rounds):
        message = f"Round {entry.round + 1} has not begun; {len(found.rounds)} rounds have."
        raise UrpiError(message)
    pairings = found.rounds[entry.round].pairings
    if not 0 <= entry.board < len(pairings) or pairings[entry.board].dark is None:
        message = f"Round {entry.round + 1} has no game at board {entry.board + 1}."
        raise UrpiError(message)
    return pairings[entry.board]


def _check(found: StoredTournament, entry: Entry) -> None:
    if not entry.played and entry.result in {None, "draw"}:
        message = "Without a game, a pairing has a winner or both lose: light, dark or none."
        raise UrpiError(message)
    if found.form != "knockout":
        return
    if entry.result == "draw":
        message = "A knockout needs a winner: let them play again, or enter one."
        raise UrpiError(message)
    if entry.round + 1 < len(found.rounds):
        message = f"Round {entry.round + 2} was paired from this result; it cannot be changed."
        raise UrpiError(message)
