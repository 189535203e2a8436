"""Everything that the club's page shows, as files in a new folder: complete, or no folder."""

import os
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from psycopg import Error

from urpi.club.ratings import Rating
from urpi.club.server.database import one_line_reason
from urpi.club.server.players import PlayerList, by_rating, monday_of
from urpi.club.server.stored_games import ListedGame, find_game, with_lines
from urpi.club.server.tournaments import all_tournaments
from urpi.club.web.games import record_of
from urpi.club.web.tournaments import csv_bytes, report_of, tournament_document
from urpi.core.errors import UrpiError
from urpi.http.responses import json_bytes
from urpi.show.words import words_for

if TYPE_CHECKING:
    from psycopg import Connection

PART: Final = ".part"
"""The end of the folder's name until it is complete."""
WORDS: Final = words_for("en")
GAME_COLUMNS: Final = (
    *("id", "table", "number", "started", "finished", "rules", "light", "dark", "result"),
    *("verdict", "verdict_text", "current", "excluded", "lines", "record"),
)
PLAYER_COLUMNS: Final = (
    *("name", "games", "rated", "won", "drawn", "lost", "last", "rating", "deviation"),
)
RATING_COLUMNS: Final = ("name", "monday", "rating", "deviation")


class Exported(NamedTuple):
    """How much was exported: numbers of games, players and tournaments."""

    games: int
    players: int
    tournaments: int


def export_club(connection: "Connection", folder: Path, now: datetime) -> Exported:
    """Write games, players, ratings and tournaments as files, all of one moment.

    The club may run meanwhile.

    Args:
        connection: The database.
        folder: The folder, which must not exist. It has this name once it is complete; its owner
            alone can read it.
        now: The time for the ratings.

    Raises:
        UrpiError: If the folder exists or cannot be written, or the database cannot be read. Then
            nothing is left.
    """
    # Not replaced: it may be the only export from before a name was deleted.
    if os.path.lexists(folder):
        message = f"{folder} exists; give the name of a new folder."
        raise UrpiError(message)
    draft = folder.with_name(folder.name + PART)
    try:
        draft.mkdir(mode=0o700)
    except FileExistsError:
        message = f"{draft} exists: another export runs, or was killed; then delete it."
        raise UrpiError(message) from None
    except OSError as error:
        raise _unwritable(folder, error) from error
    try:
        with connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            found = Exported(
                _export_games(connection, draft),
                _export_players(connection, draft, now),
                _export_tournaments(connection, draft),
            )
        # Once for all files, which may be many.
        os.sync()
        draft.rename(folder)
    except OSError as error:
        raise _unwritable(folder, error) from error
    except Error as error:
        message = f"The club's database cannot be read: {one_line_reason(error)}."
        raise UrpiError(message) from error
    finally:
        with suppress(FileNotFoundError):
            shutil.rmtree(draft)
    return found


def _unwritable(folder: Path, error: OSError) -> UrpiError:
    return UrpiError(f"{folder} cannot be written: {error.strerror}.")


def _export_games(connection: "Connection", folder: Path) -> int:
    games = folder / "games"
    games.mkdir()
    # One after the other, because the lines of all games need not fit into memory.
    rows = connection.execute("SELECT id FROM histories ORDER BY id").fetchall()
    listed: list[Sequence[object]] = []
    for (number,) in rows:
        game = find_game(connection, number)
        assert game is not None, "it is in the same snapshot"
        listed.append(_export_game(connection, games, with_lines(connection, game)))
    _write_csv(folder / "games.csv", GAME_COLUMNS, listed)
    return len(rows)


def _export_game(connection: "Connection", folder: Path, game: ListedGame) -> Sequence[object]:
    """Write the lines of a game and its record, as far as there are any, and return its row."""
    lines = record = ""
    if game.has_lines:
        lines = f"games/{game.id}.jsonl"
        # An empty line is one that the table has removed.
        text = "".join(f"{line}\n" for line in game.lines)
        (folder / f"{game.id}.jsonl").write_text(text, "utf-8", newline="")
    if content := _record(connection, game):
        record = f"games/{game.id}.txt"
        (folder / f"{game.id}.txt").write_bytes(content)
    return (
        *(game.id, game.table, game.number, game.started.isoformat()),
        game.finished.isoformat() if game.finished else "",
        *(game.rules, game.light, game.dark, game.result or "", game.verdict or ""),
        *(game.verdict_text, _yes(game.current), _yes(game.excluded), lines, record),
    )


def _record(connection: "Connection", game: ListedGame) -> bytes:
    """Return the record of a game; empty unless it was verified, by lines that are still there."""
    if not game.has_lines or game.verdict not in {"verified", "contested"}:
        return b""
    try:
        return record_of(connection, game, WORDS).encode()
    except (UrpiError, AttributeError, LookupError, TypeError, ValueError):
        # The lines were altered since. One such game must not keep the others from being exported.
        return b""


def _yes(value: bool) -> str:
    return "yes" if value else ""


def _export_players(connection: "Connection", folder: Path, now: datetime) -> int:
    players = by_rating(PlayerList().read(connection, now).values())
    _write_csv(
        folder / "players.csv",
        PLAYER_COLUMNS,
        (
            (
                *(one.name, one.games, one.rated, one.tally.won, one.tally.drawn, one.tally.lost),
                one.last.isoformat(),
                *_rating(one.rating),
            )
            for one in players
        ),
    )
    _write_csv(
        folder / "ratings.csv",
        RATING_COLUMNS,
        (
            (one.name, monday_of(week).isoformat(), *_rating(rating))
            for one in players
            if one.history is not None
            for week, rating in one.history.points.items()
        ),
    )
    return len(players)


def _rating(rating: Rating | None) -> tuple[object, object]:
    if rating is None:
        return "", ""
    return round(rating.value, 1), round(rating.deviation, 1)


def _export_tournaments(connection: "Connection", folder: Path) -> int:
    tournaments = folder / "tournaments"
    tournaments.mkdir()
    found = all_tournaments(connection)
    for one in found:
        (tournaments / f"{one.id}.trf").write_text(report_of(one), "utf-8", newline="")
        (tournaments / f"{one.id}.json").write_bytes(json_bytes(tournament_document(one, WORDS)))
    return len(found)


def _write_csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    path.write_bytes(csv_bytes(columns, rows))
