"""Two virtual tables with pages that mosquitto connects, operated by the API of their pages."""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tests.club_live.running import ROOT, WAIT_S, Broker, Program
from tests.waiting import wait_until

SPEED = "4"
"""Low enough that a slow machine answers an invitation before it expires, in 60 s of a table."""
PLAYED = "simulated"


class PageTable(Program):
    """`urpi demo` with a club, and the API of its page."""

    def __init__(self, folder: Path, broker: Broker, table: str) -> None:
        section = broker.section(table)
        environment = {
            "URPI_CLUB_BROKER": str(section.broker),
            "URPI_CLUB_TABLE": table,
            "URPI_CLUB_PASSWORD_FILE": str(section.password_file),
            "URPI_PAGE_TRUST_LOOPBACK": "true",
        }
        super().__init__(table, folder, cwd=ROOT, environment=environment)
        self.table, self._folder = table, folder

    def command(self) -> Sequence[str]:
        return [
            *(
                sys.executable,
                "-c",
                "from urpi.cli.main import main; main()",
                "demo",
                "--no-browser",
            ),
            *("--listen", "127.0.0.1:0", "--simulated", "none", "--speed", SPEED),
            *("--rules", "finkel", "--journal", str(self._folder / f"{self.table}.db")),
        ]

    @property
    def url(self) -> str:
        """The page's address; empty before the program has printed it."""
        found = re.findall(r"is at (http://[^/\s]+)", self.log.read_text())
        return found[-1] if found else ""

    def get(self, path: str) -> Any:
        with urlopen(self.url + path, timeout=WAIT_S) as response:
            return json.load(response)

    def post(self, path: str, **body: object) -> str:
        """Send a request, and return the error, empty if there is none."""
        headers = {"Content-Type": "application/json", "Origin": self.url}
        request = Request(self.url + path, json.dumps(body).encode(), headers)
        try:
            with urlopen(request, timeout=WAIT_S):
                return ""
        except HTTPError as error:
            return str(json.load(error)["error"])

    @property
    def state(self) -> Any:
        return self.get("/api/state")

    def note(self, kind: str) -> Any:
        """Return what the page shows about other tables, None if there is none of this kind."""
        return next((one for one in self.state["tables"] if one["kind"] == kind), None)


@contextmanager
def two_pages(folder: Path, broker: Broker, ids: tuple[str, str]) -> Iterator[list[PageTable]]:
    """Run two tables until each can invite the other one."""
    with ExitStack() as stack:
        tables = [PageTable(folder, broker, one) for one in ids]
        for table in tables:
            stack.callback(table.kill)
            table.start()
        for table, other in zip(tables, reversed(ids), strict=True):
            wait_until(lambda table=table: table.url, "the page")  # type: ignore[misc]
            wait_until(
                lambda table=table, other=other: other in free(table),  # type: ignore[misc]
                f"{other} among the free tables",
            )
        yield tables


def free(table: PageTable) -> list[str]:
    """Return the ids of the tables that a table can invite."""
    return [one["table"] for one in table.get("/api/tables")["tables"]]


def invite(table: PageTable, other: str, **changed: object) -> str:
    """Invite another table, and return the error, empty if there is none."""
    body = {"table": other, "rules": "finkel", "options": {"pieces": "3"}, "side": "light"}
    return table.post("/api/tables/invite", **{**body, "name": "Ann", **changed})


def accept(table: PageTable) -> None:
    """Wait for an invitation, and accept it."""
    wait_until(lambda: table.note("invitation"), "the invitation")
    game = table.note("invitation")["game"]
    answer = {"game": game, "accepted": True, "name": "Zoë"}
    assert table.post("/api/tables/answer-invitation", **answer) == ""
