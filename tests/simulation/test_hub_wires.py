"""The cable, with pyserial at its other end: a real pseudo-terminal and a real socket."""

from contextlib import closing
from random import Random
from time import monotonic

import pytest
import serial

from urpi.core.errors import UrpiError
from urpi.hardware.protocol import AckLine, AskLine, DieLine, HubLine, LineReader, line_bytes
from urpi.hardware.serial_port import open_serial
from urpi.rules import rule_set
from urpi.simulation import (
    Bounce,
    Equipment,
    Outputs,
    SimulatedPlayers,
    VirtualTable,
)
from urpi.simulation.hub_wires import WIRES, open_wire

PATIENCE_S = 240.0


@pytest.fixture(params=WIRES)
def wire(request, tmp_path):
    wire = open_wire(request.param, tmp_path)
    yield wire
    wire.unplug()


@pytest.fixture
def port(wire):
    with opened(wire) as port:
        yield port


def opened(wire):
    return serial.serial_for_url(wire.address, baudrate=115200, timeout=0)


def until(condition, what="it never arrived"):
    """Return the result of `condition` when it is true, before a deadline."""
    deadline = monotonic() + PATIENCE_S
    while not (found := condition()):
        assert monotonic() < deadline, what
    return found


def test_bytes_are_transmitted_unchanged_in_both_directions(wire, port):
    everything = bytes(range(256))
    port.write(everything)
    received = bytearray()
    until(lambda: received.extend(wire.read()) or len(received) == 256)
    wire.write(everything)
    gone = bytearray()
    until(lambda: gone.extend(port.read(1)) or len(gone) == 256)

    assert received == gone == everything


def test_the_programs_port_reports_the_waiting_bytes(wire):
    port = open_serial(wire.address)
    with closing(port):
        wire.write(b"a whole line\r\n")
        until(lambda: port.in_waiting or wire.read())

        assert port.in_waiting == 14
        assert port.read(port.in_waiting) == b"a whole line\r\n"
        assert port.in_waiting == 0


def test_writing_without_a_reader_does_not_block(wire):
    for _ in range(300):
        wire.write(b"x" * 96)

    assert wire.read() == b""


def test_unplugging_is_an_error_at_the_other_end(wire, port):
    wire.unplug()

    with pytest.raises(serial.SerialException):
        until(lambda: port.read(1))


def test_a_cable_has_the_same_address_after_unplugging(wire):
    address = wire.address
    opened(wire).close()
    wire.read()
    wire.unplug()
    assert not wire.plugged
    wire.plug()

    assert wire.address == address
    with opened(wire) as port:
        port.write(b"again")
        received = bytearray()
        until(lambda: received.extend(wire.read()) or received == b"again")


def test_an_unknown_kind_of_wire_is_an_error(tmp_path):
    with pytest.raises(UrpiError, match="no wire 'rope'; the wires are pty, socket"):
        open_wire("rope", tmp_path)


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(UrpiError, match=r"nowhere.*use --wire socket"):
        open_wire("pty", tmp_path / "nowhere")


class Host:
    """A program at the other end: it acknowledges every report, a few bytes at a time."""

    def __init__(self, table, port):
        self.table = table
        self.port = port
        self.reader = LineReader()
        self.received = []

    def work(self):
        for line in self.reader.feed(self.port.read(7)):
            self.received.append(line)
            if isinstance(line, DieLine):
                self.port.write(line_bytes(AckLine(line.seq)))
        self.table.rig.poll()

    def reports(self):
        return [line for line in self.received if isinstance(line, DieLine)]


def test_each_report_of_a_game_is_repeated_until_it_is_acknowledged(wire, port):
    thrown = []
    table = VirtualTable(rule_set("finkel"), 4, Outputs(die=thrown.append, wire=wire))
    host = Host(table, port)
    table.play(max_turns=4)
    while table.busy:
        table.run_next()
        until(lambda: host.work() or table.rig.acknowledged, "a report was never acknowledged")

    until(
        lambda: host.work() or len(host.received) == table.rig.lines_sent,
        "a line was never received",
    )
    assert [(line.die, line.state, line.face) for line in host.reports()] == [
        (report.die, report.state, report.face) for report in thrown
    ]
    assert [line.seq for line in host.reports()] == list(range(len(thrown)))


class FaultyWire:
    """A wire with a loose contact: in both directions it loses, garbles and truncates lines."""

    def __init__(self, wire, rng, *, drop, garble, cut):
        self._wire = wire
        self._rng = rng
        self._faults = drop, garble, cut

    def __getattr__(self, name):
        return getattr(self._wire, name)

    def write(self, data):
        for line in data.splitlines(keepends=True):
            self._wire.write(self._spoil(line))

    def read(self):
        return b"".join(self._spoil(line) for line in self._wire.read().splitlines(keepends=True))

    def _spoil(self, line):
        chance, (drop, garble, cut) = self._rng.random(), self._faults
        place = self._rng.randrange(len(line))
        if chance < drop:
            return b""
        if chance < drop + garble:
            changed = line[place] ^ 1 << self._rng.randrange(8)
            return line[:place] + bytes([changed]) + line[place + 1 :]
        return line[:place] if chance < drop + garble + cut else line


def test_a_report_lost_on_a_faulty_wire_arrives_later(wire, port):
    thrown = []
    bad = FaultyWire(wire, Random(5), drop=0.2, garble=0.2, cut=0.1)
    table = VirtualTable(rule_set("finkel"), 4, Outputs(die=thrown.append, wire=bad))
    host = Host(table, port)
    table.throw()

    def quiet_at_last():
        table.advance(table.schedule.now + 10)
        host.work()
        return not table.busy and table.rig.acknowledged

    until(quiet_at_last)
    received = {line.seq: line for line in host.reports()}
    assert [(received[seq].die, received[seq].face) for seq in sorted(received)] == [
        (report.die, report.face) for report in thrown
    ]
    assert host.reader.counts.dropped > 0


def test_the_hub_sends_a_greeting_after_replugging(wire, port):
    table = VirtualTable(
        rule_set("finkel"),
        1,
        Outputs(wire=wire),
        players=SimulatedPlayers(),
        equipment=Equipment(Bounce()),
    )
    table.unplug()
    table.plug()
    with opened(wire) as again:
        reader = LineReader()
        again.write(line_bytes(AskLine()))
        greeting = until(lambda: table.rig.poll() or reader.feed(again.read(100)))

    assert isinstance(greeting[0], HubLine)


def test_dice_that_roll_while_unplugged_are_reported_after_replugging(wire, port):
    table = VirtualTable(rule_set("finkel"), 4, Outputs(wire=wire))
    table.throw()
    table.advance(200)
    table.unplug()
    table.advance(5000)
    table.plug()
    with opened(wire) as again:
        host = Host(table, again)

        def all_received():
            table.advance(table.schedule.now + 50)
            host.work()
            return table.rig.acknowledged and len(host.received) >= 5

        until(all_received, "the dice were never received")

    received = {line.die: (line.state, line.face) for line in host.reports()}
    assert received == {die: ("settled", table.dice._bodies[die].up + 1) for die in received}
    assert sorted(received) == [1, 2, 3, 4]
