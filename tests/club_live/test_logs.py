"""The shipped club writes nothing but JSON if that is configured, whatever fails."""

import json
import os
import subprocess
from typing import Any

from tests.club_live.conftest import World
from tests.club_live.running import Club, accepts
from tests.club_live.test_permissions import GAME, HEAD, attacker, lines
from tests.waiting import wait_until


class JsonClub(Club):
    """A club that logs JSON into a file of its own."""

    def command(self) -> list[str]:
        return [*super().command(), "--log", "json"]

    def lines(self) -> list[dict[str, Any]]:
        text = self.log.read_bytes()
        # The last one may be incomplete as yet.
        return [json.loads(line) for line in text.split(b"\n")[:-1]]

    def found(self, beginning: str) -> list[dict[str, Any]]:
        return [one for one in self.lines() if one["message"].startswith(beginning)]

    def wait_for(self, beginning: str) -> dict[str, Any]:
        return wait_until(lambda: self.found(beginning), f"a line: {beginning}")[-1]


def test_every_line_is_json_while_broker_and_database_fail(world: World) -> None:
    world.club.end()
    club = JsonClub(world.folder, world.broker, world.database, "json")
    world.run(club)
    wait_until(lambda: accepts(club.page_port), "the club's page")
    assert club.wait_for("The wall is at")["level"] == "INFO"
    club.wait_for("Connected to the broker")
    with attacker(world.broker, "lisbon") as one:
        found = one.answer(b'{"type":"li\\ud800nes\\n\\u2028\\u0000"}')
        assert found["code"] == "malformed"
        line = club.wait_for("A message of table lisbon is rejected (malformed)")
        assert (line["table"], line["level"], line["process"]) == ("lisbon", "WARNING", club.pid)
        assert line["part"].startswith("receiver-")
        world.database.kill()
        # Receivers without anything to store do not notice.
        one.publish("urpi/tables/lisbon/lines", lines(GAME).encode())
        club.wait_for("The database cannot be used")
        assert "part" in club.wait_for("Games cannot be verified")
        world.database.start()
        club.wait_for("The database stores messages again")

        def verdicts() -> list[dict[str, Any]]:
            # Repeated, as by a table: each receiver loses a message with its old connection.
            one.publish("urpi/tables/lisbon/lines", lines(GAME, finished=HEAD.started).encode())
            return club.found("Game 1 of table lisbon is not verified")

        line = wait_until(verdicts, "the verdict")[0]
        assert (line["part"], line["table"], line["game"]) == ("verified", "lisbon", 1)
    world.broker.end()
    club.wait_for("The connection to the broker ended")
    assert club.end() == 0
    assert club.lines()[-1]["message"].endswith(" rejected.")
    assert club.log.read_bytes().endswith(b"\n")


def test_an_error_at_the_start_is_json_with_the_same_status(world: World) -> None:
    club = JsonClub(world.folder, world.broker, world.database, "unable")
    (world.broker.files / "club.password").unlink()
    done = subprocess.run(
        club.command(), capture_output=True, env=dict(os.environ), cwd="/", check=False
    )
    assert (done.returncode, done.stdout) == (2, b"")
    (line,) = done.stderr.splitlines()
    assert "club.password" in json.loads(line)["message"]
