"""The notifications to systemd, received on a real socket."""

import os
import socket

import pytest

from urpi.install.supervisor import Supervisor


class Clock:
    now = 0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=["path", "abstract"])
def systemd(request, tmp_path):
    """The receiving socket, and its address as in NOTIFY_SOCKET."""
    name = str(tmp_path / "notify") if request.param == "path" else f"@urpi-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind("\0" + name[1:] if name.startswith("@") else name)
        end.setblocking(False)
        yield end, name


def received(end):
    messages = []
    while True:
        try:
            messages.append(end.recv(1000).decode())
        except BlockingIOError:
            return messages


def test_ready_status_and_stopping_are_sent(systemd, clock):
    end, name = systemd
    supervisor = Supervisor({"NOTIFY_SOCKET": name}, clock)
    supervisor.ready("Game 7,\nfinkel")
    supervisor.stopping()
    assert received(end) == ["READY=1\nSTATUS=Game 7, finkel", "STOPPING=1"]


def test_a_problem_is_sent_with_the_status_when_it_changes(systemd, clock):
    end, name = systemd
    supervisor = Supervisor({"NOTIFY_SOCKET": name}, clock)
    supervisor.ready("Game 7")
    for problem in ("", "hub has failed", "hub has failed", ""):
        supervisor.report_problem(problem)
    found = ["STATUS=Game 7; hub has failed", "STATUS=Game 7"]
    assert received(end) == ["READY=1\nSTATUS=Game 7", *found]


def test_three_keep_alives_are_sent_per_watchdog_timeout(systemd, clock):
    end, name = systemd
    supervisor = Supervisor({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "3000000"}, clock)
    for clock.now in range(0, 6000, 10):
        supervisor.alive()
    assert received(end) == ["WATCHDOG=1"] * 6


def test_a_stalled_service_sends_no_keep_alive(systemd, clock):
    end, name = systemd
    Supervisor({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "3000000"}, clock)
    clock.now = 60_000
    assert received(end) == []


def test_without_a_watchdog_no_keep_alive_is_sent(systemd, clock):
    end, name = systemd
    Supervisor({"NOTIFY_SOCKET": name}, clock).alive()
    assert received(end) == []


@pytest.mark.parametrize("environment", [{}, {"NOTIFY_SOCKET": "/nowhere/at/all"}])
def test_without_systemd_nothing_is_sent_and_nothing_fails(environment, clock):
    supervisor = Supervisor(environment, clock)
    supervisor.ready("Game 7")
    supervisor.alive()
    supervisor.stopping()
