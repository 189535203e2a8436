"""The API against its own description: `python -m tests.web.api_run`, which `make test-api` runs.

A virtual table stands behind it, at which two simulated players play, and schemathesis asks
everything that the description allows and much that it does not: nothing may fail, and every
answer is one that the description names. The table's power may well be off at the end.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from urpi.config import Config
from urpi.rules import Side, parse_rules
from urpi.service.interactive import InteractiveService, InteractiveSetting
from urpi.web.app import make_app
from urpi.web.limits import Limits
from urpi.web.page import make_page
from urpi.web.proxies import Entrance
from urpi.web.server import Address, PageServer
from urpi.web.table_desk import TableDesk
from urpi.web.table_routes import table_operations

SEED = 20
EXAMPLES = 15
SPEED = 6.0
DEADLINE_S = 600
UNHURRIED = Limits(acts=10**6)
"""It asks faster than people do, and is not to be told so."""
PROGRAM = Path(sys.executable).with_name("schemathesis")


@contextmanager
def asking(url: str, folder: str) -> Iterator[subprocess.Popen[bytes]]:
    """schemathesis at work."""
    command = [
        *(str(PROGRAM), "run", f"{url}api/openapi.json"),
        *("--seed", str(SEED), "--max-examples", str(EXAMPLES)),
        # A stream has no end; tests/web/test_feed.py and test_attacks.py have it.
        *("--exclude-path", "/api/events"),
        *("--header", "Sec-Fetch-Site: same-origin"),
        *("--phases", "examples,coverage,fuzzing"),
        "--no-color",
    ]
    with subprocess.Popen(command, cwd=folder) as process:
        try:
            yield process
        finally:
            process.kill()


def main() -> int:
    setting = InteractiveSetting(parse_rules("finkel"), 3, SPEED, plays=frozenset(Side))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.db"
        with InteractiveService(setting, Config(), path) as service:
            desk = TableDesk(service, path)
            page = make_page(desk, limits=UNHURRIED, entrance=Entrance(trust_loopback=True))
            service.subscribe(
                lambda *news: page.feed.tell(desk.change(*news)), page.feed.tell_table
            )
            app = make_app(page, table_operations(service))
            with (
                PageServer(app, page.feed, Address("127.0.0.1", 0), UNHURRIED) as server,
                asking(server.url, folder) as process,
            ):
                until = time.monotonic() + DEADLINE_S
                while process.poll() is None and time.monotonic() < until:
                    service.run()
                return 1 if process.returncode is None else process.returncode


if __name__ == "__main__":
    sys.exit(main())
