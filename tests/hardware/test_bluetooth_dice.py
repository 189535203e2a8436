"""The thread of Bluetooth dice, with a radio in memory; `test_bleak_radio` has the real bleak."""

import asyncio
import sys
import time
from queue import Empty, Queue
from threading import Event

import pytest

from urpi.hardware.bleak_radio import advertised_brand, open_radio
from urpi.hardware.bluetooth_dice import BluetoothDice, RadioError
from urpi.hardware.bluetooth_link import BluetoothHealth, PairedDie
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.godice import REQUEST_BATTERY
from urpi.hardware.pixels import NEWER, OLDER, WHO_ARE_YOU
from urpi.referee.facts import Die

DEADLINE_S = 240.0
FIRST = PairedDie(1, "pixels", "C0:00:00:00:00:01", 4)
SECOND = PairedDie(2, "godice", "C0:00:00:00:00:02", 6)
ROLLING, ROLLED = b"\x03\x03\x00", b"\x03\x01\x01"


class Air:
    """What is in range: the dice that advertise, and the connections."""

    def __init__(self):
        self.advertising = {FIRST.address, SECOND.address, "C0:00:00:00:00:99"}
        self.failures = []
        """Errors of the next scans."""
        self.refusals = []
        """Errors of the next connections."""
        self.connections = {}
        self.notifying = {}
        """By die: called while notifications are being switched on."""
        self.written = Queue()
        self.sought = set()
        self.found_nothing = Event()
        self.loop = None

    def open(self):
        self.loop = asyncio.get_running_loop()
        return self

    async def find(self, addresses, _within_s):
        if self.failures:
            raise RadioError(self.failures.pop(0))
        self.sought |= addresses
        await asyncio.sleep(0.001)
        found = {address: address for address in addresses & self.advertising}
        if not found:
            self.found_nothing.set()
        return found

    async def connect(self, device, die, on_disconnect):
        if self.refusals:
            raise RadioError(self.refusals.pop(0))
        self.advertising.discard(device)
        self.connections[die.number] = InMemory(self, die, on_disconnect)
        return self.connections[die.number]

    def send(self, number, *messages):
        for message in messages:
            self.loop.call_soon_threadsafe(self.connections[number].on_data, message)

    def lose(self, number, *, comes_back=True):
        connection = self.connections.pop(number)
        if comes_back:
            self.advertising.add(connection.die.address)
        self.loop.call_soon_threadsafe(connection.on_disconnect)


async def _at_once(_connection):
    pass


class InMemory:
    def __init__(self, air, die, on_disconnect):
        self.air, self.die, self.on_disconnect = air, die, on_disconnect
        self.closed = False

    async def notify(self, on_data):
        self.on_data = on_data
        await self.air.notifying.pop(self.die.number, _at_once)(self)

    async def write(self, data):
        self.air.written.put((self.die.number, data))

    async def close(self):
        self.closed = True


class Watcher:
    """The source with everything that it has emitted."""

    def __init__(self, air, dice):
        self.facts, self.healths = Queue(), Queue()
        self.failures = []
        self.source = BluetoothDice(
            dice, DieFaces(), self.clock, air.open,
            on_failure=self.failures.append, retry_s=(0.001, 0.01), pause_s=0.001,
        )  # fmt: skip
        self.source.start(self.facts.put, self.healths.put)

    def clock(self):
        return time.monotonic_ns() // 1_000_000

    def expect(self, *states):
        for state in states:
            fact = self.facts.get(timeout=DEADLINE_S)
            assert isinstance(fact, Die)
            assert (fact.die, fact.state) == state

    def until(self, holds):
        deadline = time.monotonic() + DEADLINE_S
        # Each change in turn: the health may have changed again meanwhile.
        while not holds(self.healths.get(timeout=deadline - time.monotonic())):
            pass


@pytest.fixture
def air():
    return Air()


@pytest.fixture
def watch(air):
    watchers = []

    def start(*dice):
        watchers.append(Watcher(air, dice))
        return watchers[-1]

    yield start
    for one in watchers:
        one.source.close()


def test_only_the_paired_dice_are_connected(air, watch):
    watcher = watch(FIRST, SECOND)
    watcher.until(lambda health: health.dice == (1, 2))
    assert air.sought == {FIRST.address, SECOND.address}
    assert "C0:00:00:00:00:99" in air.advertising
    assert sorted(air.written.get(timeout=DEADLINE_S) for _ in range(2)) == [
        (1, WHO_ARE_YOU), (2, REQUEST_BATTERY)
    ]  # fmt: skip
    assert watcher.source.health == BluetoothHealth("", (1, 2))


def test_messages_become_facts(air, watch):
    watcher = watch(FIRST)
    watcher.until(lambda health: health.dice == (1,))
    air.send(1, b"\x7fnewer firmware", ROLLING, ROLLED, b"\x22\x05\x01")
    watcher.expect((1, "rolling"), (1, "settled"))
    watcher.until(lambda health: health.low == (1,))
    (status,) = watcher.source.statuses()
    assert (status.face, status.battery_percent, status.low) == ("s", 5, True)


def test_a_lost_die_is_reconnected_and_no_throw_repeated(air, watch):
    watcher = watch(FIRST)
    watcher.until(lambda health: health.dice == (1,))
    air.send(1, ROLLING, ROLLED)
    watcher.expect((1, "rolling"), (1, "settled"))
    lost = air.connections[1]
    air.lose(1)
    watcher.expect((1, "lost"))
    watcher.until(lambda health: health.dice == ())
    watcher.until(lambda health: health.dice == (1,))
    assert lost.closed
    air.send(1, ROLLED)
    watcher.expect((1, "found"))
    with pytest.raises(Empty):
        watcher.facts.get_nowait()


@pytest.mark.parametrize("die", [FIRST, SECOND])
def test_a_die_counts_as_connected_when_its_messages_arrive(air, watch, die):
    """A throw that is made as soon as the die is shown as connected must not be missed."""
    reached, proceed = Queue(), Queue()

    async def wait(connection):
        connection.on_data(ROLLING if die is FIRST else b"R")
        reached.put(True)
        await asyncio.to_thread(proceed.get, timeout=DEADLINE_S)

    air.notifying[die.number] = wait
    watcher = watch(die)
    assert reached.get(timeout=DEADLINE_S)
    assert watcher.source.health.dice == ()
    assert watcher.facts.empty()
    proceed.put("go on")
    watcher.until(lambda health: health.dice == (die.number,))
    watcher.expect((die.number, "rolling"))


def test_a_die_that_is_not_found_is_searched_again(air, watch):
    air.advertising.discard(FIRST.address)
    watcher = watch(FIRST)
    assert air.found_nothing.wait(DEADLINE_S)
    air.advertising.add(FIRST.address)
    watcher.until(lambda health: health.dice == (1,))


def test_a_connection_that_ends_while_it_is_made_is_made_again(air, watch):
    async def lose(connection):
        connection.on_disconnect()
        air.advertising.add(FIRST.address)

    air.notifying[1] = lose
    watcher = watch(FIRST)
    watcher.until(lambda health: health.dice == (1,))
    assert watcher.facts.empty()
    air.send(1, ROLLING)
    watcher.expect((1, "rolling"))


def test_a_failed_connection_is_tried_again(air, watch):
    air.refusals = ["refused"] * 3
    watcher = watch(FIRST)
    watcher.until(lambda health: health.dice == (1,))
    assert not air.refusals
    assert watcher.source.health.available
    assert watcher.failures == ["Die 1: refused."] * 3


def test_without_bluetooth_the_reason_is_reported_until_it_is_available(air, watch, caplog):
    air.failures = ["Bluetooth is switched off"] * 3
    watcher = watch(FIRST)
    watcher.until(lambda health: health.error == "Bluetooth is switched off")
    watcher.until(lambda health: health.available and health.dice == (1,))
    assert watcher.failures == ["Bluetooth is not available: Bluetooth is switched off."]
    # A command that prints the reason would print it twice.
    assert not caplog.records


def test_without_dice_it_waits(air, watch):
    watcher = watch()
    watcher.until(lambda health: health.available)
    assert watcher.source.statuses() == ()


def test_after_closing_no_fact_is_emitted(air, watch):
    watcher = watch(FIRST)
    watcher.until(lambda health: health.dice == (1,))
    connection = air.connections[1]
    watcher.source.close()
    assert connection.closed
    connection.on_data(ROLLING)
    assert watcher.facts.empty()


def test_it_can_be_closed_before_it_is_started():
    BluetoothDice((), DieFaces(), lambda: 0, lambda: None).close()


def test_without_the_library_the_command_that_installs_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "bleak", None)
    with pytest.raises(RadioError, match="pip install 'urpi\\[bluetooth\\]'"):
        open_radio()


@pytest.mark.parametrize(
    ("name", "services", "brand"),
    [
        ("GoDice_A1B2C3_K_v04", [], "godice"),
        ("Anna", [NEWER.service], "pixels"),
        ("Anna", [OLDER.service, "0000180a-0000-1000-8000-00805f9b34fb"], "pixels"),
        ("UART", [OLDER.service], None),
        ("Headphones", [], None),
    ],
)
def test_only_advertisements_of_dice_are_candidates(name, services, brand):
    assert advertised_brand(name, services) == brand
