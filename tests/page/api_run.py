"""Test the API against its own description: `python -m tests.page.api_run` (`make test-api`).

schemathesis sends valid and invalid requests to the page of a virtual table with two simulated
players. No request may fail, and every response must match the description. The table's power may
be off at the end.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from urpi.config import Config
from urpi.http.addresses import Address
from urpi.http.limits import Limits
from urpi.http.proxies import ProxySettings
from urpi.http.server import PageServer
from urpi.page.app import make_app
from urpi.page.site import make_site
from urpi.page.virtual_bodies import virtual_operations
from urpi.rules import Side, parse_rules
from urpi.service.interactive import InteractiveService, InteractiveSetting

SEED = 20
EXAMPLES = 15
SPEED = 6.0
DEADLINE_S = 600
NO_RATE_LIMIT = Limits(actions=10**6)
"""schemathesis sends requests faster than a person, and must not be limited."""
PROGRAM = Path(sys.executable).with_name("schemathesis")


@contextmanager
def schemathesis(url: str, folder: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run schemathesis."""
    command = [
        *(str(PROGRAM), "run", f"{url}api/openapi.json"),
        *("--seed", str(SEED), "--max-examples", str(EXAMPLES)),
        # A stream does not end; tests/page/test_feed.py and test_attacks.py test it.
        *("--exclude-path", "/api/events"),
        # Pictures are drawn by a process of low priority.
        *("--request-timeout", "60"),
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
            desk = service.board
            site = make_site(desk, limits=NO_RATE_LIMIT, proxy=ProxySettings(trust_loopback=True))
            service.subscribe(
                lambda *change: site.feed.publish(desk.change(*change)), site.feed.publish_table
            )
            app = make_app(site, virtual_operations(service))
            with (
                PageServer(app, site.feed, Address("127.0.0.1", 0), NO_RATE_LIMIT) as server,
                schemathesis(server.url, folder) as process,
            ):
                until = time.monotonic() + DEADLINE_S
                while process.poll() is None and time.monotonic() < until:
                    service.run()
                return 1 if process.returncode is None else process.returncode


if __name__ == "__main__":
    sys.exit(main())
