"""`urpi service` on a machine with systemd and a display: installed, killed, hung, rebooted."""

import json
import time
from pathlib import Path
from statistics import median
from typing import Final

from PIL import Image

from tests.booted import wait_until
from tests.browser_session import BrowserSession
from tests.kernel.board import display
from tests.kernel.findings import Findings, play
from tests.kernel.gpio_sim import PI_4, Chip
from tests.kernel.machine import PROGRAM, Machine
from tests.kernel.panel import shown, shown_again_ns
from urpi.cli.club_demo.programs import accepts
from urpi.journal import Journal, entries_of, settings_of, timing_of
from urpi.referee import Phase, Settings, Snapshot, begin, snapshot, step
from urpi.referee.lines import parse_fact
from urpi.show.views import draw
from urpi.show.views.notice import MAX_NOTICE_LINES, draw_notice
from urpi.show.words import words_for

CONFIG: Final = "/etc/urpi/config.toml"
JOURNAL: Final = "var/lib/urpi/journal.db"
PAGE: Final = 8011
UNIT: Final = "urpi.service"
READY_S: Final = 180.0
STOPPED_S: Final = 2.0
BACK_S: Final = {"killed": 5.0, "hung": 15.0}
TIMES: Final = {"killed": 5, "hung": 3}
"""How often it is killed and hung; the median is what is checked."""
LOOK_S: Final = 1.0
"""Seconds between two looks at a service that starts."""


def property_of(machine: Machine, name: str) -> str:
    """Return systemd's status of the service."""
    return machine.output_of("systemctl", "show", UNIT, f"--property={name}", "--value")


def is_up(machine: Machine, since: str = "0") -> bool:
    """Return whether the service is running and ready, as another process than `since`."""
    # At once: between two commands another process may begin, which is not ready.
    names = "--property=ActiveState,MainPID"
    lines = machine.output_of("systemctl", "show", UNIT, names).splitlines()
    found = dict(line.split("=", 1) for line in lines)
    return found["ActiveState"] == "active" and found["MainPID"] not in {"0", since}


def is_back(machine: Machine, since: str) -> bool:
    """Return the same after a pause."""
    time.sleep(LOOK_S)
    return is_up(machine, since)


def status_of(machine: Machine) -> dict[str, str]:
    """Return values of the main process from proc(5)."""
    text = machine.output_of("cat", f"/proc/{property_of(machine, 'MainPID')}/status")
    return dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)


def install(machine: Machine, findings: Findings) -> None:
    """Install it as a builder does; udev rules of a Pi assign its buses to groups."""
    allow = " && ".join(
        f"groupadd --system {group}; chgrp {group} {device} && chmod 660 {device}"
        for group, device in (("gpio", "/dev/gpiochip*"), ("i2c", "/dev/i2c-1"))
    )
    allowed = machine.run("sh", "-c", allow)
    findings.check("the machine is a Pi's", allowed.returncode == 0, allowed.stderr)
    done = machine.run(PROGRAM, "service", "install")
    logged = machine.run("journalctl", "--unit", UNIT, "--no-pager", "--lines", "40").stdout
    findings.check("it is installed", done.returncode == 0, done.stdout + done.stderr + logged)
    took = wait_until(lambda: is_up(machine), READY_S, "the service is up")
    findings.figure("from install to ready", f"{took:.1f} s")
    status = property_of(machine, "StatusText")
    findings.check("systemd knows what it does", status.startswith("Game 1"), status)
    done = machine.run(PROGRAM, "service", "status")
    findings.check("and `urpi service status` reports it", done.returncode == 0, done.stdout)


def check_walls(machine: Machine, findings: Findings) -> None:
    """Check that it runs as its own user with few permissions."""
    status = status_of(machine)
    user = machine.output_of("id", "-u", "urpi")
    findings.check("it runs as its own user", status["Uid"].split()[0] == user != "0", status)
    walls = {"NoNewPrivs": "1", "Seccomp": "2", "CapEff": "0000000000000000"}
    found = {name: status[name] for name in walls}
    findings.check("it has no rights, and cannot get any", found == walls, found)
    stored = machine.output_of("stat", "-c", "%U %s", "/var/lib/urpi/journal.db").split()
    there = stored[:1] == ["urpi"] and int(stored[1]) > 0
    findings.check("the journal is in its own folder", there, stored)
    loud = machine.run("systemctl", "is-active", UNIT)
    findings.check("it runs without a hub", loud.stdout.strip() == "active", loud)


def game_of(machine: Machine) -> Snapshot:
    """Return the state of the stored game."""
    with Journal.read_only(machine.root / JOURNAL) as journal:
        entries = entries_of(journal, 1)
        timing = timing_of(settings_of(journal, 1))
    state = begin(Settings(words_for("en").sentence, timing))
    for entry in entries:
        if entry.kind == "fact":
            state, _ = step(state, parse_fact(entry.line, entry.seq))
    return snapshot(state)


def begin_game(machine: Machine, notes: Path, findings: Findings) -> Image.Image:
    """Let the players enter throws until one has to move; return the picture of a new start."""
    machine.run("sed", "-i", 's/^source = "hub"/source = "hand"/', CONFIG)
    main = property_of(machine, "MainPID")
    machine.run("systemctl", "restart", UNIT)
    wait_until(lambda: is_up(machine, main), READY_S, "with ordinary dice, it is up")
    wait_until(lambda: accepts(PAGE), READY_S, "the page")
    pin = json.loads((machine.root / f"{JOURNAL}.page").read_text())["pin"]
    browser = BrowserSession(PAGE)
    browser.post("/api/session", {"pin": pin})
    for faces in ("ggg-", "g---", "gg--"):
        browser.post("/api/answer", {"faces": faces})
    shot = game_of(machine)
    findings.check("a player has to move", shot.phase is Phase.MOVE, shot)
    picture = draw(shot, words_for("en"))

    def is_shown() -> bool:
        time.sleep(LOOK_S)
        return shown(notes, time.monotonic_ns()).picture.tobytes() == picture.tobytes()

    wait_until(is_shown, READY_S, "the display shows the throw")
    # For some seconds a strip below the turn and the throw reports that the game continues.
    draw_notice(picture, words_for("en").sentence("resumed", {}), MAX_NOTICE_LINES)
    return picture


def back_after(
    machine: Machine, signal: int, what: str, notes: Path, picture: Image.Image, findings: Findings
) -> float:
    """Send it a signal, and return the seconds until its game is on the display again."""
    main = property_of(machine, "MainPID")
    sent_ns = time.monotonic_ns()
    machine.run("kill", f"-{signal}", main)
    wait_until(lambda: is_back(machine, main), READY_S, f"{what}, it is back")
    # Afterwards, as looking at the glass takes processor time from the start.
    again: list[int] = []

    def is_displayed() -> bool:
        time.sleep(LOOK_S)
        again.extend(filter(None, [shown_again_ns(notes, sent_ns, picture)]))
        return bool(again)

    wait_until(is_displayed, READY_S, f"{what}, its game is displayed")
    status = property_of(machine, "StatusText")
    findings.check(f"{what}, it continues the game", status == "Game 1 continues", status)
    return (again[0] - sent_ns) / 1e9


def kill(machine: Machine, notes: Path, picture: Image.Image, findings: Findings) -> None:
    """Check that it is restarted after it was killed, and after it hung."""
    for signal, what in ((9, "killed"), (19, "hung")):
        taken = [
            back_after(machine, signal, what, notes, picture, findings) for _ in range(TIMES[what])
        ]
        took = median(taken)
        each = ", ".join(f"{one:.1f}" for one in taken)
        findings.figure(f"{what}, its game is displayed within", f"{took:.1f} s (median of {each})")
        findings.check_time(f"{what}, it is back in time", took < BACK_S[what], took)


def has_the_chip(machine: Machine) -> bool:
    """Return whether the main process has the header's chip open."""
    files = machine.run("sh", "-c", f"ls -l /proc/{property_of(machine, 'MainPID')}/fd")
    return "/dev/gpiochip" in files.stdout


def come_late(machine: Machine, findings: Findings) -> None:
    """Check that it starts without access to the header's chip, and opens it when it has access."""
    findings.check("it has the header's chip", has_the_chip(machine), "")
    machine.run("sh", "-c", "chmod 600 /dev/gpiochip*")
    main = property_of(machine, "MainPID")
    machine.run("systemctl", "restart", UNIT)
    wait_until(lambda: is_up(machine, main), READY_S, "without its pins, it is up")
    findings.check("it is up without its pins", not has_the_chip(machine), "")
    machine.run("sh", "-c", "chmod 660 /dev/gpiochip*")
    took = wait_until(lambda: has_the_chip(machine), READY_S, "it takes its pins")
    findings.figure("it takes the pins that come late within", f"{took:.1f} s")


def stop_and_remove(machine: Machine, findings: Findings) -> None:
    """Check that it stops quickly, and keeps the players' files."""
    # On a busy machine it may need longer than the unit allows; its time is a figure of its own.
    longer = f"/run/systemd/system/{UNIT}.d"
    machine.run(
        "sh",
        "-c",
        f"mkdir -p {longer}; printf '[Service]\\nTimeoutStopSec=60\\n' > {longer}/a.conf",
    )
    machine.run("systemctl", "daemon-reload")
    took = wait_until(
        lambda: machine.run("systemctl", "stop", UNIT).returncode == 0, READY_S, "it stops"
    )
    result = property_of(machine, "Result")
    findings.check("stopped, it ends by itself", result == "success", result)
    findings.check_time(f"it stops within {STOPPED_S:.0f} s", took < STOPPED_S, took)
    findings.figure("it stops within", f"{took:.2f} s")
    done = machine.run(PROGRAM, "service", "remove")
    left = machine.output_of(
        "sh", "-c", f"ls /etc/systemd/system/{UNIT} /etc/udev/rules.d | grep urpi"
    )
    gone = done.returncode == 0 and "urpi-hub" not in left
    findings.check("it is removed", gone, done.stdout + done.stderr + left)
    kept = machine.run("ls", "/etc/urpi/config.toml", "/var/lib/urpi/journal.db")
    findings.check("configuration and journal stay", kept.returncode == 0, kept.stderr)


def act(findings: Findings) -> None:
    """Run all tests of the service."""
    notes = Path.cwd() / "panel"
    with Chip(*PI_4), display(notes):
        machine = Machine(Path.cwd() / "machine")
        with machine.running():
            install(machine, findings)
            check_walls(machine, findings)
            picture = begin_game(machine, notes, findings)
            kill(machine, notes, picture, findings)
            come_late(machine, findings)
        with machine.running():
            took = wait_until(lambda: is_up(machine), READY_S, "after power off and on it is up")
            findings.figure("from the booted system to ready", f"{took:.1f} s")
            status = property_of(machine, "StatusText")
            findings.check(
                "it starts with the machine, and continues", status == "Game 1 continues", status
            )
            stop_and_remove(machine, findings)


if __name__ == "__main__":
    play("service", act)
