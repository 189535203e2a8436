"""`urpi service` on a machine with systemd: installed, killed, hung, rebooted, removed."""

import time
from pathlib import Path
from statistics import median
from typing import Final

from tests.booted import wait_until
from tests.kernel.findings import Findings, play
from tests.kernel.gpio_sim import PI_4, Chip
from tests.kernel.machine import PROGRAM, Machine

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
    active = property_of(machine, "ActiveState") == "active"
    return active and property_of(machine, "MainPID") not in {"0", since}


def is_back(machine: Machine, since: str) -> bool:
    """Return the same after a pause."""
    time.sleep(LOOK_S)
    return is_up(machine, since)


def status_of(machine: Machine) -> dict[str, str]:
    """Return values of the main process from proc(5)."""
    text = machine.output_of("cat", f"/proc/{property_of(machine, 'MainPID')}/status")
    return dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)


def install(machine: Machine, findings: Findings) -> None:
    """Install it as a builder does, with a udev rule that assigns the header's chip to a group."""
    allow = "groupadd --system gpio && chgrp gpio /dev/gpiochip* && chmod 660 /dev/gpiochip*"
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
    findings.check("it runs without hub and display", loud.stdout.strip() == "active", loud)


def back_after(machine: Machine, signal: int, what: str, findings: Findings) -> float:
    """Send it a signal, and return the seconds until its game is continued."""
    main = property_of(machine, "MainPID")
    sent_at = time.monotonic()
    machine.run("kill", f"-{signal}", main)
    wait_until(lambda: is_back(machine, main), READY_S, f"{what}, it is back")
    status = property_of(machine, "StatusText")
    findings.check(f"{what}, it continues the game", status == "Game 1 continues", status)
    # systemd's time, as each look at the machine takes processor time from the start.
    return int(property_of(machine, "ActiveEnterTimestampMonotonic")) / 1e6 - sent_at


def kill(machine: Machine, findings: Findings) -> None:
    """Check that it is restarted after it was killed, and after it hung."""
    for signal, what in ((9, "killed"), (19, "hung")):
        taken = [back_after(machine, signal, what, findings) for _ in range(TIMES[what])]
        took = median(taken)
        each = ", ".join(f"{one:.1f}" for one in taken)
        findings.figure(f"{what}, it is back within", f"{took:.1f} s (median of {each})")
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
    with Chip(*PI_4):
        machine = Machine(Path.cwd() / "machine")
        with machine.running():
            install(machine, findings)
            check_walls(machine, findings)
            kill(machine, findings)
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
