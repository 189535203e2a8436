"""`urpi doctor` on a machine that looks like a Raspberry Pi to a program."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

from tests.kernel.board import HubWire, Place, Table, display
from tests.kernel.findings import Findings, play
from tests.kernel.gpio_sim import PI_4, Chip
from tests.kernel.panel import ADDRESS, PORT

LONGEST_S: Final = 300.0
DOES_NOT_WORK: Final = 2
"""The exit status for missing devices."""


def act(findings: Findings) -> None:
    """Run it with everything in place."""
    place = Place(Path.cwd())
    with Chip(*PI_4) as chip, display(place.notes):
        wire = HubWire(place.folder)
        table = Table(chip, wire=wire)
        place.configure(f'[hub]\nport = "{wire.address}"')
        urpi = Path(sys.executable).parent / "urpi"
        doctor = subprocess.Popen(
            [str(urpi), "--config", str(place.config), "doctor", "--json"],
            stdout=subprocess.PIPE,
            text=True,
        )
        began = time.monotonic()
        table.run(lambda: doctor.poll() is not None, LONGEST_S, "the doctor is done")
        findings.figure("the doctor's look", f"{time.monotonic() - began:.1f} s")
        assert doctor.stdout is not None
        look = json.load(doctor.stdout)
    check(look["facts"], findings)
    works = doctor.returncode == look["status"] < DOES_NOT_WORK
    findings.check("nothing is found not to work", works, look["findings"])


def check(facts: dict[str, Any], findings: Findings) -> None:
    """Compare its report with the machine."""
    chips = facts["machine"]["chips"]
    seen = (
        facts["machine"]["model"],
        [(chip["number"], chip["label"]) for chip in chips],
    )
    there = "Raspberry Pi 4 Model B Rev 1.4", [(0, PI_4[0])]
    findings.check("the doctor knows the Pi and its header", seen == there, seen)
    answered = facts["buses"][str(PORT)]["answered"]
    findings.check("it finds the display on the bus", answered == [ADDRESS], answered)
    shim = facts["software"]["rpi"]
    findings.check("it knows who RPi.GPIO is", shim == "rpi-lgpio", shim)


if __name__ == "__main__":
    play("doctor", act)
