"""A club forgets a player: nothing in its database has the name, and all else remains."""

import re
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.club_live.running import Database
from tests.club_live.test_backup import run
from tests.club_live.test_players import Games, client, database, games, players
from tests.page.client import Client
from urpi.club.server.corrected_games import move_game
from urpi.club.server.database import connect
from urpi.club.server.new_tournaments import create_tournament
from urpi.club.server.tournaments import find_tournament
from urpi.rules import Side

__all__ = ["client", "database", "games"]


def dump(database: Database) -> str:
    """Return everything that PostgreSQL stores, as text."""
    command = ("pg_dump", "--data-only", "--inserts", database.url)
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    # A random key of each dump.
    return re.sub(r"^\\(un)?restrict .*$", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("name", ["Zoë Al", "ZOË AL"])
def test_the_name_is_nowhere_and_all_others_remain(
    database: Database, games: Games, client: Client, tmp_path: Path, name: str
) -> None:
    games.add("Zoë Al", "Bea")
    games.add("Bea", "zoë al", "dark", table="porto")
    moved = games.add("Cleo", "Bea")
    games.add("Zoë Alba", "Bea")
    with closing(connect(database.url)) as connection:
        (number,) = connection.execute(
            "SELECT id FROM histories WHERE key = %s", (moved,)
        ).fetchone() or (0,)
        reason = "Cleo sat there for Zoë Al, not for Zoë Alba"
        move_game(connection, number, Side.LIGHT, "Zoë Al", user="Béla", reason=reason)
        names = ["Bea", "Zoë Al", "Zoë Alba", "Player 2"]
        tournament = create_tournament(connection, "Spring", "round-robin", names)
    assert {one.casefold() for one in players(client)} == {"bea", "zoë al", "zoë alba"}
    status, output = run(tmp_path, database.url, "forget", "--yes", name)
    assert status == 0, output
    assert "forgotten (sides of games: 3, tournaments: 1)." in output
    assert "at lisbon, porto, too" in output

    text = dump(database).casefold().replace("zoë alba", "")
    assert "zoë al" not in text
    assert "cleo sat there for …, not for" in text
    assert {"Bea", "Cleo", "Zoë Alba"} == {*players(client)}
    with closing(connect(database.url)) as connection:
        found = find_tournament(connection, tournament.id)
    assert found is not None
    assert list(found.names) == ["Bea", "Player 2*", "Zoë Alba", "Player 2"]

    before = dump(database)
    status, output = run(tmp_path, database.url, "forget", "--yes", name)
    assert (status, output) == (
        2,
        f"The club has stored no player {name!r}; give the name as the club shows it.",
    )
    assert dump(database) == before
