"""The host's side of the protocol with the virtual table's hub over an unreliable line."""

from random import Random

import pytest

from tests.slow import mostly_slow
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.hub_link import HubLink, HubSettings
from urpi.hardware.protocol import LineReader, line_bytes
from urpi.simulation.virtual_dice import DieReport
from urpi.simulation.virtual_hub import VirtualHub

STEP_MS = 25


class UnreliableLine:
    """Both ends of a line on which one byte in `one_in` is lost or replaced by up to two others."""

    def __init__(self, seed, one_in):
        self.random = Random(seed)
        self.one_in = one_in
        self.hub = VirtualHub(3, first_seq=65_530)
        self.link = HubLink(DieFaces(), HubSettings())
        self.reader = LineReader()
        self.now = 1000
        self.to_hub = b"".join(line_bytes(line) for line in self.link.on_open("line", 1000).replies)
        self.facts = []
        self.to_host(self.hub.start(self.now))

    def corrupted(self, data):
        out = bytearray()
        for byte in data:
            if self.random.randrange(self.one_in):
                out.append(byte)
            else:
                out += self.random.randbytes(self.random.randrange(3))
        return bytes(out)

    def to_host(self, data):
        for line in self.reader.feed(self.corrupted(data)):
            outcome = self.link.on_line(line, self.now)
            self.facts += outcome.facts
            self.to_hub += b"".join(line_bytes(reply) for reply in outcome.replies)

    def run(self, steps):
        for _ in range(steps):
            self.now += STEP_MS
            data, self.to_hub = self.to_hub, b""
            self.to_host(self.hub.receive(self.corrupted(data), self.now))
            self.to_host(self.hub.run_due(self.now))
            self.facts += self.link.tick(self.now).facts

    def throw(self, die, face):
        self.to_host(self.hub.report(DieReport(die, "rolling"), self.now))
        self.run(self.random.randrange(10))
        report = DieReport(die, "settled", kind=6, face=face, tumbles=5, fall_ms=100)
        self.to_host(self.hub.report(report, self.now))
        self.run(self.random.randrange(120, 140))


@pytest.mark.parametrize("one_in", [1_000_000, 300, 60])
@pytest.mark.parametrize("seed", mostly_slow(range(4), 1))
def test_every_throw_arrives_once_in_order_over_an_unreliable_line(seed, one_in):
    line = UnreliableLine(seed, one_in)
    thrown = [(line.random.randint(1, 3), line.random.randint(1, 6)) for _ in range(25)]
    for die, face in thrown:
        line.throw(die, face)
    settled = [(fact.die, int(fact.face)) for fact in line.facts if fact.state == "settled"]
    assert settled == thrown
    assert [fact.t for fact in line.facts] == sorted(fact.t for fact in line.facts)
    assert line.reader.counts.dropped > 0 or one_in == 1_000_000
