"""The wall clock of `urpi serve` jumps by decades while a game is played on its page."""

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest

from tests.bench.clocks import TIMES, build, jumping
from tests.browser_session import BrowserSession
from tests.cli.test_serve import DEADLINE_S, URPI, configuration
from tests.waiting import wait_until
from urpi.cli.club_demo.programs import accepts, free_port
from urpi.http.access import access_file, read_access
from urpi.journal import (
    CheckVerdict,
    Journal,
    build_record,
    check_game,
    entries_of,
    find_game,
)
from urpi.journal.integrity import check_contents, check_pages

STARTS: Final = 3
"""How often the program is started and killed during the game."""
ENTERED: Final = 12
"""Throws and moves after each start."""
YEARS: Final = {year + more for year in {each.year for each in TIMES} for more in (-1, 0, 1)}
"""Those of the jumps, in any time zone."""


@contextmanager
def serving(folder: Path, port: int, shim: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    path = configuration(folder, listen=f"127.0.0.1:{port}")
    path.write_text(path.read_text() + '[dice]\nsource = "hand"\n')
    command = [*URPI, "--config", str(path), "serve"]
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **shim})
        try:
            wait_until(lambda: accepts(port), "the page")
            yield process
        finally:
            process.kill()
            process.wait()


def play(browser: BrowserSession, chance: random.Random) -> None:
    """Enter the next throw or move, as players without a hub do."""

    def is_accepted() -> bool:
        legal = browser.get("/api/state")["legal"]
        faces = "".join(chance.choice("gs--") for _ in range(4))
        answer = {"move": chance.choice(legal)["move"]} if legal else {"faces": faces}
        status, error = browser.send("POST", "/api/answer", answer)
        # The page's state may still be that before the last answer.
        assert status in {200, 409}, error
        return status == 200

    wait_until(is_accepted, "an answer that is accepted")


def durations(document: Any, name: str = "") -> Iterator[float]:
    """Yield every duration in the statistics."""
    match document:
        case dict():
            for key, value in document.items():
                yield from durations(value, key if key.endswith("_ms") else name)
        case list():
            for value in document:
                yield from durations(value, name)
        case int() | float() if name:
            yield document


def test_a_game_at_a_board_whose_wall_clock_jumps_goes_on(
    tmp_path: Path, chance: random.Random
) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc, for a library that moves the clock of a process")
    offset, path, browser = tmp_path / "offset", tmp_path / "games.db", BrowserSession(free_port())
    shim = {"LD_PRELOAD": str(build(tmp_path)), "URPI_CLOCK_OFFSET": str(offset)}
    began = time.monotonic()
    with jumping(offset, chance) as jumps:
        for start in range(STARTS):
            with serving(tmp_path, browser.port, shim):
                if not start:
                    browser.post("/api/session", {"pin": read_access(access_file(path))[0]})
                # Later starts accept the session of the first one, and continue the game.
                assert browser.get("/api/state")["game"] == 1
                before = browser.get("/api/state")["seq"]
                for _ in range(ENTERED):
                    play(browser, chance)
                assert browser.get("/api/state")["seq"] > before
        with serving(tmp_path, browser.port, shim) as process:
            browser.post("/api/resign", {"side": "light"})
            assert browser.get("/api/games")["games"][0]["result"] == "dark"
            found = list(durations(browser.get("/api/stats")["values"]))
            process.send_signal(signal.SIGTERM)
            assert process.wait(DEADLINE_S) == 0
    assert len(jumps) > STARTS
    assert max(found) > 0
    assert all(0 <= each <= (time.monotonic() - began) * 1000 for each in found)
    with Journal.read_only(path) as journal:
        check_pages(journal)
        check_contents(journal)
        assert check_game(journal, 1).verdict is CheckVerdict.SAME
        game = find_game(journal, 1)
        assert game.finished is not None
        assert {game.started.year, game.finished.year} <= {*YEARS, datetime.now(UTC).year}
        assert build_record(entries_of(journal, 1), game.started).tag("Date") == (
            f"{game.started:%Y.%m.%d}"
        )
    assert "Traceback" not in (tmp_path / "log").read_text()
