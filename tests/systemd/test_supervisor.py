import os
import socket

import pytest

from urpi.systemd import Supervisor


class Clock:
    now = 0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=["path", "abstract"])
def systemd(request, tmp_path):
    """The end that listens, and the address that the service is given."""
    name = str(tmp_path / "notify") if request.param == "path" else f"@urpi-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind("\0" + name[1:] if name.startswith("@") else name)
        end.setblocking(False)
        yield end, name


def heard(end):
    words = []
    while True:
        try:
            words.append(end.recv(1000).decode())
        except BlockingIOError:
            return words


def test_systemd_hears_when_it_plays_and_when_it_stops(systemd, clock):
    end, name = systemd
    supervisor = Supervisor({"NOTIFY_SOCKET": name}, clock)
    supervisor.ready("Game 7,\nfinkel")
    supervisor.status("Game 8")
    supervisor.stopping()
    assert heard(end) == ["READY=1\nSTATUS=Game 7, finkel", "STATUS=Game 8", "STOPPING=1"]


def test_it_is_alive_three_times_in_the_time_that_systemd_waits(systemd, clock):
    end, name = systemd
    supervisor = Supervisor({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "3000000"}, clock)
    for clock.now in range(0, 6000, 10):
        supervisor.alive()
    assert heard(end) == ["WATCHDOG=1"] * 6


def test_a_service_that_does_nothing_is_not_alive(systemd, clock):
    end, name = systemd
    Supervisor({"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "3000000"}, clock)
    clock.now = 60_000
    assert heard(end) == []


def test_without_a_watchdog_nothing_is_fed(systemd, clock):
    end, name = systemd
    Supervisor({"NOTIFY_SOCKET": name}, clock).alive()
    assert heard(end) == []


@pytest.mark.parametrize("environment", [{}, {"NOTIFY_SOCKET": "/nowhere/at/all"}])
def test_without_systemd_nothing_is_said_and_nothing_fails(environment, clock):
    supervisor = Supervisor(environment, clock)
    supervisor.ready("Game 7")
    supervisor.alive()
    supervisor.stopping()
