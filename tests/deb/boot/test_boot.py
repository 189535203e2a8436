"""From power on to the first picture of a game, on a Raspberry Pi 3 emulated by QEMU.

The system is Debian 13 with its unmodified kernel: the drivers of the Pi's I2C controller, of its
pins and of its card reader, systemd, and the service as it was installed by the package.
"""

import json
import os
import shutil
from pathlib import Path
from typing import Final

import pytest
from PIL import Image

from tests.deb.boot.card import make_card
from tests.deb.boot.display_bus import TracedDisplay
from tests.deb.boot.measure import figures
from tests.deb.boot.pi import CONSOLE, EmulatedPi, switched_on
from tests.deb.conftest import Packages
from tests.deb.roots import ROOT
from tests.deb.test_life import FETCH, PAGE
from tests.output import print_line
from urpi.referee import Settings, begin, snapshot, step
from urpi.referee.facts import Game, Occupancy
from urpi.show.views import draw
from urpi.show.words import words_for

RESULTS: Final = ROOT / "build" / "boot"
BOOT_S: Final = 3600.0


def ready_picture() -> Image.Image:
    """Return the picture of a table that is ready: the board is empty, and Light must throw."""
    words = words_for("en")
    state = begin(Settings(words.sentence))
    for fact in (Game(0, "finkel"), Occupancy(0, 0)):
        state, _ = step(state, fact)
    return draw(snapshot(state), words)


@pytest.fixture(scope="module")
def card(packages: Packages, tmp_path_factory: pytest.TempPathFactory) -> Path:
    assert os.geteuid() == 0, "Programs run in another root directory, which requires root."
    folder = tmp_path_factory.mktemp("card")
    make_card(packages.newer, folder)
    return folder


def check_service(pi: EmulatedPi) -> None:
    """Check that systemd has started everything, the service has its pins and serves its page."""
    assert pi.run("systemctl is-system-running --wait") == "running"
    process = pi.run("systemctl show urpi --property=MainPID --value")
    assert pi.run(f"stat --format=%U /proc/{process}") == "urpi"
    opened = pi.run(f"ls -l /proc/{process}/fd")
    assert "/dev/gpiochip0" in opened
    assert "/dev/i2c-1" in opened
    assert "<title>" in pi.run(f"python3 -c '{FETCH}' {PAGE}")


def test_power_on_to_ready(card: Path) -> None:
    display = TracedDisplay(ready_picture())

    def is_ready(trace: str) -> bool:
        display.read(trace)
        return display.shown_after > 0

    RESULTS.mkdir(parents=True, exist_ok=True)
    with switched_on(card) as pi:
        try:
            pi.wait_for(is_ready, BOOT_S, "the display shows that Light must throw")
            check_service(pi)
            found = figures(pi, display)
        finally:
            display.picture.resize((512, 256)).save(RESULTS / "display.png")
            shutil.copy(card / CONSOLE, RESULTS / "console.log")
    (RESULTS / "figures.json").write_text(json.dumps(found, indent=2), "utf-8")
    print_line(json.dumps(found, indent=2))
