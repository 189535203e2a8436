"""The hub's thread on real ports: a pseudo-terminal and a loopback socket."""

import os
import pty
import select
import socket
import time
from queue import Empty, Queue

import pytest

from urpi.core.errors import UrpiError
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.hub import DiceHub
from urpi.hardware.hub_link import HubSettings
from urpi.hardware.protocol import (
    AckLine,
    AskLine,
    DieLine,
    HubLine,
    LedLine,
    LineReader,
    line_bytes,
)
from urpi.hardware.serial_port import open_serial

DEADLINE_S = 240.0
BEAT = HubLine(1, "1.0.0", "5F3A", 4, 1000)
SETTLED = DieLine(18, 2, "settled", 41, 4, 1, 2, 6, 180, 3870, t_ms=900)
ROLLING = DieLine(17, 2, "rolling", 41, t_ms=500)


class Cable:
    """The hub's end of a cable, which writes bytes and waits for lines until a deadline."""

    def __init__(self):
        self.reader = LineReader()
        self.lines = []
        self.plugged_in = True

    def unplug(self):
        if self.plugged_in:
            self.plugged_in = False
            self.close()

    def send(self, *lines):
        self.write(b"".join(line_bytes(line) for line in lines))

    def expect(self, expected):
        deadline = time.monotonic() + DEADLINE_S
        while expected not in self.lines and time.monotonic() < deadline:
            self.lines += self.reader.feed(self.read(deadline - time.monotonic()))
        assert expected in self.lines
        self.lines.remove(expected)


class Terminal(Cable):
    def __init__(self):
        super().__init__()
        self.end, self._host_end = pty.openpty()
        self.url = os.ttyname(self._host_end)

    def write(self, data):
        os.write(self.end, data)

    def read(self, wait_s):
        ready, _, _ = select.select([self.end], [], [], wait_s)
        return os.read(self.end, 4096) if ready else b""

    def close(self):
        os.close(self.end)
        os.close(self._host_end)


class Socket(Cable):
    def __init__(self):
        super().__init__()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(DEADLINE_S)
        self._peer = None
        self.url = f"socket://127.0.0.1:{self._listener.getsockname()[1]}"

    @property
    def end(self):
        if self._peer is None:
            self._peer, _ = self._listener.accept()
        return self._peer

    def write(self, data):
        self.end.sendall(data)

    def read(self, wait_s):
        self.end.settimeout(wait_s)
        try:
            return self.end.recv(4096)
        except TimeoutError:
            return b""

    def close(self):
        if self._peer:
            self._peer.close()
        self._listener.close()


class Bench:
    """A `DiceHub` with an exchangeable cable, and what it reports."""

    def __init__(self, kind, **settings):
        self.kind = kind
        self.cable = kind()
        self.facts = Queue()
        self.health = Queue()
        self.lines = []
        self.hub = DiceHub(
            lambda: open_serial(self.cable.url),
            DieFaces(),
            lambda: time.monotonic_ns() // 1_000_000,
            on_line=self.lines.append,
            settings=HubSettings(**settings),
            retry_s=(0.01, 0.05),
        )
        self.hub.start(self.facts.put, self.health.put)

    def plug_in_new_cable(self):
        self.cable = self.kind()

    def next_states(self, count):
        facts = [self.facts.get(timeout=DEADLINE_S) for _ in range(count)]
        return [(fact.die, fact.state) for fact in facts]

    def until(self, expected):
        deadline = time.monotonic() + DEADLINE_S
        while time.monotonic() < deadline:
            health = self.health.get(timeout=DEADLINE_S)
            if expected(health):
                return health
        pytest.fail("the expected health was not reported")

    def close(self):
        self.hub.close()
        self.cable.unplug()


@pytest.fixture(params=[Terminal, Socket], ids=["pseudo-terminal", "socket"])
def bench(request):
    bench = Bench(request.param)
    bench.cable.expect(AskLine())
    yield bench
    bench.close()


@pytest.fixture
def terminal():
    bench = Bench(Terminal, silence_ms=200)
    bench.cable.expect(AskLine())
    yield bench
    bench.close()


def test_connected_hub_is_queried_and_its_reports_emitted(bench):
    bench.cable.send(BEAT, SETTLED)
    bench.cable.expect(AckLine(18))
    fact = bench.facts.get_nowait()
    assert (fact.die, fact.state, fact.face, fact.tumbled) == (2, "settled", "g", True)
    assert bench.until(lambda health: health.dice).firmware == "1.0.0"


def test_lines_in_pieces_between_noise_are_read(bench):
    data = b"\x00boot\r\n" + line_bytes(BEAT) + b"\xff\xfe" + line_bytes(ROLLING)
    for byte in data:
        bench.cable.write(bytes([byte]))
    bench.cable.expect(AckLine(17))
    assert bench.hub.health.counts.noise_bytes == 7
    assert bench.hub.health.counts.dropped == 0


def test_repeated_report_is_acknowledged_each_time_and_emitted_once(bench):
    bench.cable.send(BEAT, SETTLED, SETTLED, SETTLED)
    for _ in range(3):
        bench.cable.expect(AckLine(18))
    assert bench.next_states(1) == [(2, "settled")]
    assert bench.facts.empty()


def test_on_line_is_called_for_every_line_including_repeats(bench):
    bench.cable.send(BEAT, ROLLING, SETTLED, SETTLED)
    for seq in (17, 18, 18):
        bench.cable.expect(AckLine(seq))
    assert bench.lines == [BEAT, ROLLING, SETTLED, SETTLED]


def test_no_report_is_lost_by_unplugging_within_a_line(bench):
    bench.cable.send(BEAT, ROLLING)
    assert bench.next_states(1) == [(2, "rolling")]
    bench.cable.write(line_bytes(SETTLED)[:40])
    bench.cable.unplug()
    assert bench.next_states(1) == [(2, "lost")]
    assert bench.until(lambda health: not health.connected).error
    bench.plug_in_new_cable()
    bench.cable.expect(AskLine())
    bench.cable.send(BEAT, SETTLED)
    bench.cable.expect(AckLine(18))
    assert bench.next_states(2) == [(2, "found"), (2, "settled")]
    assert bench.hub.health.counts.dropped <= 1


def test_missing_hub_is_retried():
    bench = Bench(Terminal)
    bench.cable.unplug()
    bench.until(lambda health: health.error)
    bench.plug_in_new_cable()
    bench.cable.expect(AskLine())
    assert bench.until(lambda health: health.connected).error == ""
    bench.close()


def test_silent_hub_loses_its_dice_after_the_timeout(terminal):
    terminal.cable.send(BEAT, SETTLED)
    assert terminal.next_states(2) == [(2, "settled"), (2, "lost")]
    assert not terminal.until(lambda health: health.connected and not health.alive).dice


def test_send_reaches_the_hub(bench):
    bench.hub.send(LedLine(2, 1))
    bench.cable.expect(LedLine(2, 1))


def test_send_without_a_hub_raises_an_error():
    bench = Bench(Terminal)
    bench.cable.unplug()
    bench.until(lambda health: health.error and not health.connected)
    with pytest.raises(UrpiError, match="not connected"):
        bench.hub.send(LedLine(2, 1))
    bench.close()


def test_report_is_acknowledged_after_its_fact_is_emitted(bench):
    ready_for_reading = []

    def slow_callback(fact):
        ready, _, _ = select.select([bench.cable.end], [], [], 0.2)
        ready_for_reading.append(ready)

    bench.hub._on_fact = slow_callback
    bench.cable.send(ROLLING)
    bench.cable.expect(AckLine(17))
    assert ready_for_reading == [[]]


def test_close_ends_the_thread(bench):
    bench.cable.send(BEAT)
    bench.until(lambda health: health.alive)
    bench.hub.close()
    bench.hub._thread.join(DEADLINE_S)
    assert not bench.hub._thread.is_alive()
    with pytest.raises(Empty):
        bench.facts.get_nowait()
