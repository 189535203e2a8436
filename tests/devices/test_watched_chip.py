"""What a look at a chip tells, look by look."""

import pytest

from urpi.devices.mcp23017 import GPIO, GPPU, INTCAP, INTF, IOCON, IODIR, Mcp23017, Reading
from urpi.devices.watched_chip import MAX_FAILURES, RETRY_MS, WatchedChip
from urpi.table.expander_bus import ChipModel, ExpanderBus

ADDRESS = 0x21
CONTACTS = {0: "A1", 9: "B4", 14: "light button"}


class Bench:
    """A chip, the program that looks at it, and what it tells."""

    def __init__(self):
        self.told, self.faults, self.wire = [], [], []
        self.chip = ChipModel(self.wire.append)
        self.bus = ExpanderBus({ADDRESS: self.chip})
        self.watched = WatchedChip(
            lambda: self.bus,
            ADDRESS,
            CONTACTS,
            lambda *edge: self.told.append(edge),
            self.faults.append,
        )

    def looks(self, now, changed_at=None):
        self.told.clear()
        self.watched.poll(now, changed_at)
        return list(self.told)


@pytest.fixture
def bench():
    bench = Bench()
    bench.looks(0)
    return bench


def test_what_stands_there_at_the_start_is_no_edge():
    bench = Bench()
    bench.chip.contact(0, closed=True)
    assert bench.looks(0) == []
    assert bench.watched.levels == {"A1": True, "B4": False, "light button": False}


def test_nothing_changed_is_one_transfer_and_tells_nothing(bench):
    before = bench.bus.transfers
    assert bench.looks(10) == []
    assert bench.bus.transfers == before + 1


def test_a_change_is_told_once_with_the_time_of_its_interrupt(bench):
    bench.chip.contact(9, closed=True)
    assert bench.wire[-1] is True
    assert bench.looks(10, changed_at=8) == [("B4", True, 8)]
    assert bench.wire[-1] is False
    assert bench.looks(12) == []


def test_a_contact_that_closed_and_opened_between_two_looks_has_both_edges(bench):
    bench.chip.contact(0, closed=True)
    bench.chip.contact(0, closed=False)
    assert bench.looks(10, changed_at=7) == [("A1", True, 7), ("A1", False, 10)]


def test_both_ports_are_told(bench):
    for bit in CONTACTS:
        bench.chip.contact(bit, closed=True)
    told = bench.looks(10)
    assert told == [(name, True, 10) for name in CONTACTS.values()]


def test_an_old_capture_of_a_port_that_did_not_change_counts_for_nothing(bench):
    bench.chip.contact(0, closed=True)
    bench.looks(10)
    bench.chip.contact(0, closed=False)
    bench.looks(20)
    bench.chip.contact(9, closed=True)
    assert bench.looks(30) == [("B4", True, 30)]


@pytest.mark.parametrize("register", [INTF, INTCAP, GPIO, GPIO + 1])
def test_a_change_in_the_middle_of_a_transfer_is_told_now_or_tells_again(bench, register):
    bench.chip.behind(register, lambda: bench.chip.contact(0, closed=True))
    told = bench.looks(10)
    still_pulled = bench.wire[-1]
    assert bool(told) != still_pulled
    assert told + bench.looks(12) in ([("A1", True, 10)], [("A1", True, 12)])


def test_time_does_not_go_back_from_an_edge_to_the_next(bench):
    bench.chip.contact(0, closed=True)
    assert bench.looks(10) == [("A1", True, 10)]
    bench.chip.contact(0, closed=False)
    assert bench.looks(12, changed_at=9) == [("A1", False, 10)]


def test_one_failed_transfer_is_nothing(bench):
    bench.chip.unplug()
    bench.looks(10)
    bench.chip.plug()
    bench.looks(12)
    assert bench.faults == []
    assert not bench.watched.lost


def test_a_chip_that_is_unplugged_is_told_once_by_its_address(bench):
    bench.chip.unplug()
    for now in range(10, 10 + 10 * MAX_FAILURES, 2):
        bench.looks(now)
    (fault,) = bench.faults
    assert str(fault).startswith("The MCP23017 at 0x21 does not answer: [Errno 121]")
    assert bench.watched.lost


def test_a_lost_chip_is_looked_for_once_a_second_and_is_set_up_when_it_is_back(bench):
    bench.chip.contact(0, closed=True)
    bench.looks(9)
    bench.chip.unplug()
    for now in range(10, 10 + 2 * MAX_FAILURES, 2):
        bench.looks(now)
    lost_at, before = 8 + 2 * MAX_FAILURES, bench.bus.transfers
    bench.chip.plug()
    bench.chip.contact(9, closed=True)
    assert bench.looks(lost_at + RETRY_MS - 1) == []
    assert bench.bus.transfers == before
    assert bench.watched.levels["A1"]
    assert bench.looks(lost_at + RETRY_MS) == []
    assert bench.faults[-1] is None
    assert bench.watched.levels == {"A1": True, "B4": True, "light button": False}
    bench.chip.contact(0, closed=False)
    assert bench.looks(lost_at + RETRY_MS + 5) == [("A1", False, lost_at + RETRY_MS + 5)]


def test_a_chip_that_lost_its_power_for_a_moment_is_noticed_by_its_pull_ups(bench):
    bench.chip.unplug()
    bench.chip.plug()
    assert bench.looks(10) == []
    assert bench.watched.levels == dict.fromkeys(CONTACTS.values(), False)
    assert bench.bus.read_i2c_block_data(ADDRESS, GPPU, 2) == [0x7F, 0x7F]
    assert bench.faults == []


def test_a_bus_that_is_not_there_yet_is_a_lost_chip_too():
    def missing():
        raise FileNotFoundError(2, "No such file or directory", "/dev/i2c-1")

    faults = []
    watched = WatchedChip(missing, ADDRESS, CONTACTS, print, faults.append)
    for now in range(MAX_FAILURES):
        watched.poll(now)
    assert "/dev/i2c-1" in str(faults[0])


def test_a_chip_that_another_program_left_in_banks_is_set_up():
    bench = Bench()
    bench.chip.write(IOCON, 0x80)
    bench.looks(0)
    bench.chip.contact(0, closed=True)
    assert bench.looks(5) == [("A1", True, 5)]


def test_the_pins_that_can_disturb_the_bus_are_outputs(bench):
    assert bench.bus.read_i2c_block_data(ADDRESS, IODIR, 2) == [0x7F, 0x7F]
    assert Mcp23017(bench.bus, ADDRESS).read() == Reading(0, 0)
