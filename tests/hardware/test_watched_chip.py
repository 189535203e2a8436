"""The edges and faults reported by each poll of a chip."""

import pytest

from tests.hardware.expander_bus import ChipModel, ExpanderBus
from urpi.hardware.mcp23017 import GPIO, GPPU, INTCAP, INTF, IOCON, IODIR, Mcp23017, Reading
from urpi.hardware.watched_chip import MAX_FAILURES, RETRY_MS, WatchedChip

ADDRESS = 0x21
CONTACTS = {0: "A1", 9: "B4", 14: "light button"}


class Bench:
    """A simulated chip, its `WatchedChip`, and the edges and faults reported."""

    def __init__(self):
        self.edges, self.faults, self.wire = [], [], []
        self.chip = ChipModel(self.wire.append)
        self.bus = ExpanderBus({ADDRESS: self.chip})
        self.watched = WatchedChip(
            lambda: self.bus,
            ADDRESS,
            CONTACTS,
            lambda *edge: self.edges.append(edge),
            self.faults.append,
        )

    def poll(self, now, changed_at=None):
        self.edges.clear()
        self.watched.poll(now, changed_at)
        return list(self.edges)


@pytest.fixture
def bench():
    bench = Bench()
    bench.poll(0)
    return bench


def test_first_poll_reports_no_edges():
    bench = Bench()
    bench.chip.contact(0, closed=True)
    assert bench.poll(0) == []
    assert bench.watched.levels == {"A1": True, "B4": False, "light button": False}


def test_poll_without_a_change_is_one_transfer(bench):
    before = bench.bus.transfers
    assert bench.poll(10) == []
    assert bench.bus.transfers == before + 1


def test_edge_is_reported_once_with_the_time_of_its_interrupt(bench):
    bench.chip.contact(9, closed=True)
    assert bench.wire[-1] is True
    assert bench.poll(10, changed_at=8) == [("B4", True, 8)]
    assert bench.wire[-1] is False
    assert bench.poll(12) == []


def test_contact_that_closed_and_opened_between_polls_has_both_edges(bench):
    bench.chip.contact(0, closed=True)
    bench.chip.contact(0, closed=False)
    assert bench.poll(10, changed_at=7) == [("A1", True, 7), ("A1", False, 10)]


def test_edges_of_both_ports_are_reported(bench):
    for bit in CONTACTS:
        bench.chip.contact(bit, closed=True)
    edges = bench.poll(10)
    assert edges == [(name, True, 10) for name in CONTACTS.values()]


def test_capture_of_a_port_without_a_change_is_ignored(bench):
    bench.chip.contact(0, closed=True)
    bench.poll(10)
    bench.chip.contact(0, closed=False)
    bench.poll(20)
    bench.chip.contact(9, closed=True)
    assert bench.poll(30) == [("B4", True, 30)]


@pytest.mark.parametrize("register", [INTF, INTCAP, GPIO, GPIO + 1])
def test_change_during_a_transfer_is_reported_now_or_interrupts_again(bench, register):
    bench.chip.after_read(register, lambda: bench.chip.contact(0, closed=True))
    edges = bench.poll(10)
    still_low = bench.wire[-1]
    assert bool(edges) != still_low
    assert edges + bench.poll(12) in ([("A1", True, 10)], [("A1", True, 12)])


def test_times_of_edges_do_not_decrease(bench):
    bench.chip.contact(0, closed=True)
    assert bench.poll(10) == [("A1", True, 10)]
    bench.chip.contact(0, closed=False)
    assert bench.poll(12, changed_at=9) == [("A1", False, 10)]


def test_single_failed_transfer_is_ignored(bench):
    bench.chip.unplug()
    bench.poll(10)
    bench.chip.plug()
    bench.poll(12)
    assert bench.faults == []
    assert not bench.watched.lost


def test_lost_chip_is_reported_once_with_its_address(bench):
    bench.chip.unplug()
    for now in range(10, 10 + 10 * MAX_FAILURES, 2):
        bench.poll(now)
    (fault,) = bench.faults
    assert str(fault).startswith("The MCP23017 at 0x21 does not respond: [Errno 121]")
    assert bench.watched.lost


def test_lost_chip_is_retried_every_second_and_set_up_again(bench):
    bench.chip.contact(0, closed=True)
    bench.poll(9)
    bench.chip.unplug()
    for now in range(10, 10 + 2 * MAX_FAILURES, 2):
        bench.poll(now)
    lost_at, before = 8 + 2 * MAX_FAILURES, bench.bus.transfers
    bench.chip.plug()
    bench.chip.contact(9, closed=True)
    assert bench.poll(lost_at + RETRY_MS - 1) == []
    assert bench.bus.transfers == before
    assert bench.watched.levels["A1"]
    assert bench.poll(lost_at + RETRY_MS) == []
    assert bench.faults[-1] is None
    assert bench.watched.levels == {"A1": True, "B4": True, "light button": False}
    bench.chip.contact(0, closed=False)
    assert bench.poll(lost_at + RETRY_MS + 5) == [("A1", False, lost_at + RETRY_MS + 5)]


def test_power_loss_is_detected_by_the_pull_ups(bench):
    bench.chip.unplug()
    bench.chip.plug()
    assert bench.poll(10) == []
    assert bench.watched.levels == dict.fromkeys(CONTACTS.values(), False)
    assert bench.bus.read_i2c_block_data(ADDRESS, GPPU, 2) == [0x7F, 0x7F]
    assert bench.faults == []


def test_missing_bus_counts_as_a_lost_chip():
    def missing():
        raise FileNotFoundError(2, "No such file or directory", "/dev/i2c-1")

    faults = []
    watched = WatchedChip(missing, ADDRESS, CONTACTS, print, faults.append)
    for now in range(MAX_FAILURES):
        watched.poll(now)
    assert "/dev/i2c-1" in str(faults[0])


def test_set_up_resets_bank_mode():
    bench = Bench()
    bench.chip.write(IOCON, 0x80)
    bench.poll(0)
    bench.chip.contact(0, closed=True)
    assert bench.poll(5) == [("A1", True, 5)]


def test_pins_that_can_disturb_the_bus_are_outputs(bench):
    assert bench.bus.read_i2c_block_data(ADDRESS, IODIR, 2) == [0x7F, 0x7F]
    assert Mcp23017(bench.bus, ADDRESS).read() == Reading(0, 0)
