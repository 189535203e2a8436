"""Results of tournaments that an arbiter enters or removes, and their log."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from urpi.club.server.tournaments import StoredTournament, existing, locked, store_match_game
from urpi.club.tournaments.matches import by_games, game_of, is_by_hand, with_game
from urpi.club.tournaments.tournament import Pairing, PairingResult, Tournament
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
        game: The index of a game of a match, which has its own sides; None for the whole match, or
            a pairing of one game.
    """

    round: int
    board: int
    result: PairingResult | None
    user: str = ""
    reason: str = ""
    played: bool = True
    game: int | None = None


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

    A result by which both lose is never that of a game. No result for a whole match removes the one
    that was entered for it, or else those of all its games.

    Raises:
        UrpiError: If there is no such pairing, or it cannot have this result any more.
    """
    with connection.transaction():
        found = _locked(connection, number, entry)
        pairing = _pairing(found, entry)
        before = _entered(pairing, entry)
        _check(found, pairing, entry)
        place = (number, entry.round, entry.board)
        # No game ends with two losers.
        played = entry.played and entry.result != "none"
        after = _changed(found.state, pairing, replace(entry, played=played))
        # Another pairing may have the table of one that had a result.
        is_open_again = after.result is None and pairing.result is not None
        connection.execute(
            "UPDATE pairings SET result = %s, played = %s, game = NULL,"
            " table_id = CASE WHEN NOT %s THEN table_id END"
            " WHERE (tournament, round, board) = (%s, %s, %s)",
            (after.result, after.played, is_open_again, *place),
        )
        if entry.game is not None:
            store_match_game(connection, (*place, entry.game), game_of(after, entry.game))
        elif not after.games:
            connection.execute(
                "DELETE FROM match_games WHERE (tournament, round, board) = (%s, %s, %s)", place
            )
        connection.execute(
            "INSERT INTO entered_results (tournament, round, board, before, before_played, result,"
            " played, user_name, reason, match_game)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            (
                *(*place, before.result, before.played, entry.result, played),
                *(entry.user, entry.reason, entry.game),
            ),
        )


def correct_result(
    connection: "Connection", number: int, entry: Entry, known: PairingResult | None
) -> None:
    """Store a result as `enter_result` does, if the pairing has the result that the arbiter knows.

    Args:
        connection: The database.
        number: The tournament.
        entry: The result.
        known: The result that the arbiter saw, of the game or the whole match.

    Raises:
        OutdatedError: If the pairing has another one, for example from a game just verified.
        ReasonError: If there is a result and the entry has no reason.
        UrpiError: As `enter_result`.
    """
    with connection.transaction():
        found = _locked(connection, number, entry)
        pairing = _pairing(found, entry)
        before = _entered(pairing, entry).result
        # Two arbiters may enter results at once, or a game of these players was verified meanwhile.
        if before != known:
            message = f"Board {entry.board + 1} has another result now: {before or 'none yet'}."
            raise OutdatedError(message)
        is_replaced = before is not None or (entry.game is None and pairing.games)
        if is_replaced and not entry.reason.strip():
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
        "SELECT round, board, result, user_name, reason, played, match_game, before, before_played,"
        " removed, entered, pairings FROM entered_results WHERE tournament = %s"
        " ORDER BY id DESC LIMIT %s",
        (number, MAX_LISTED),
    )
    return [LoggedEntry(Entry(*row[:7]), *row[7:]) for row in rows]


def _pairing(found: StoredTournament, entry: Entry) -> Pairing:
    if not 0 <= entry.round < len(found.rounds):
        message = f"Round {entry.round + 1} has not begun; {len(found.rounds)} rounds have."
        raise UrpiError(message)
    pairings = found.rounds[entry.round].pairings
    if not 0 <= entry.board < len(pairings) or pairings[entry.board].dark is None:
        message = f"Round {entry.round + 1} has no game at board {entry.board + 1}."
        raise UrpiError(message)
    return pairings[entry.board]


def _locked(connection: "Connection", number: int, entry: Entry) -> StoredTournament:
    """A tournament to which no verified game brings a result of the pairing meanwhile."""
    connection.execute(
        "SELECT 1 FROM pairings WHERE (tournament, round, board) = (%s, %s, %s) FOR UPDATE",
        (number, entry.round, entry.board),
    )
    return locked(connection, number)


def _entered(pairing: Pairing, entry: Entry) -> Pairing:
    """The pairing, or that of its games for which the result is."""
    return pairing if entry.game is None else game_of(pairing, entry.game)


def _changed(tournament: Tournament, pairing: Pairing, entry: Entry) -> Pairing:
    """The pairing with what was entered."""
    if entry.game is not None:
        game = replace(_entered(pairing, entry), result=entry.result, played=entry.played)
        return with_game(tournament, pairing, entry.game, game)
    if entry.result is None and tournament.games > 1:
        kept = pairing.games if is_by_hand(tournament, pairing) else ()
        return by_games(tournament, replace(pairing, games=kept))
    # A match that was ended after some of its games has been played.
    played = entry.played or any(one.played for one in pairing.games if not one.is_open)
    return replace(pairing, result=entry.result, played=played)


def _check_game(found: StoredTournament, pairing: Pairing, number: int) -> None:
    """Raise an error if a match has no such game, or only a result as a whole."""
    if found.games == 1:
        message = "The pairings of this tournament have one game each; give no number of a game."
        raise UrpiError(message)
    if is_by_hand(found.state, pairing):
        message = "The result was entered for the whole match; remove it before those of games."
        raise UrpiError(message)
    played = len(pairing.games)
    is_extra = found.form == "knockout" and number == played
    if number >= max(found.games, played) and not is_extra:
        message = f"A match has {max(found.games, played)} games; found game {number + 1}."
        raise UrpiError(message)
    if number >= played and not pairing.is_open:
        message = f"The match was decided after {played} games."
        raise UrpiError(message)


def _check(found: StoredTournament, pairing: Pairing, entry: Entry) -> None:
    if entry.game is not None:
        _check_game(found, pairing, entry.game)
    if not entry.played and entry.result in {None, "draw"}:
        message = "Without a game, a pairing has a winner or both lose: light, dark or none."
        raise UrpiError(message)
    if found.form != "knockout":
        return
    if entry.result == "draw" and entry.game is None:
        message = "A knockout needs a winner: let them play again, or enter one."
        raise UrpiError(message)
    if entry.round + 1 < len(found.rounds):
        message = f"Round {entry.round + 2} was paired from this result; it cannot be changed."
        raise UrpiError(message)
