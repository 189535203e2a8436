"""The API against its own description: `python -m tests.web.api_run`, which `make test-api` runs.

A real game goes on behind it, and schemathesis asks everything that the description allows and
much that it does not: nothing may fail, and every answer is one that the description names.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.web.played import played
from urpi.web.limits import Limits

SEED = 20
EXAMPLES = 15
SPEED = 6.0
DEADLINE_S = 400
UNHURRIED = Limits(acts=10**6)
"""It asks faster than people do, and is not to be told so."""
PROGRAM = Path(sys.executable).with_name("schemathesis")


def main() -> int:
    with TemporaryDirectory() as folder, played(Path(folder), UNHURRIED, SPEED) as game:
        done = subprocess.run(
            [
                *(str(PROGRAM), "run", f"{game.server.url}api/openapi.json"),
                *("--seed", str(SEED), "--max-examples", str(EXAMPLES)),
                # A stream has no end; tests/web/test_feed.py and test_attacks.py have it.
                *("--exclude-path", "/api/events"),
                *("--header", "Sec-Fetch-Site: same-origin"),
                *("--phases", "examples,coverage,fuzzing"),
                "--no-color",
            ],
            timeout=DEADLINE_S,
            check=False,
            cwd=folder,
        )
        game.goes_on()
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
