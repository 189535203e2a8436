"""The radio with the real bleak and a real D-Bus, on which bluetoothd is simulated."""

import asyncio
import gc
import shutil
import time
import warnings
from queue import Queue

import pytest

pytest.importorskip("bleak", reason="needs bleak, the extra `bluetooth`")
if shutil.which("dbus-daemon") is None:
    pytest.skip("needs dbus-daemon", allow_module_level=True)

from tests.hardware.bluez import GODICE, INFORMATION, Bluez
from tests.hardware.test_advertised_dice import KEYS, report
from urpi.hardware import advertised_dice
from urpi.hardware.advertised_dice import AdvertisedDie
from urpi.hardware.advertisement import COMPANY
from urpi.hardware.bleak_radio import (
    BUSY,
    NO_ADAPTER,
    NO_BLUETOOTHD,
    NO_PERMISSION,
    POWERED_OFF,
    open_radio,
)
from urpi.hardware.bluetooth_dice import BluetoothDice, RadioError
from urpi.hardware.bluetooth_link import PairedDie
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.godice import REQUEST_BATTERY
from urpi.hardware.pixels import NEWER, OLDER, WHO_ARE_YOU

DEADLINE_S = 240.0
OLD = PairedDie(1, "pixels", "C0:00:00:00:00:01", 4)
NEW = PairedDie(2, "pixels", "C0:00:00:00:00:02", 4)
GO = PairedDie(3, "godice", "C0:00:00:00:00:03", 6)
FOREIGN = "C0:00:00:00:00:99"
ROLLING, ROLLED = b"\x03\x03\x00", b"\x03\x01\x01"
BUILT = (1_720_000_000).to_bytes(4, "little")


def identity(face):
    """IAmADie of older firmware: a d4 that lies on a face."""
    return bytes([2, 6, 0, 1]) + bytes(10) + BUILT + bytes([1, face, 77, 0])


@pytest.fixture(autouse=True)
def closed():
    """bleak keeps its connection with the D-Bus until its event loop is collected."""
    yield
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture
def bluez(tmp_path, monkeypatch):
    with Bluez(tmp_path) as daemon:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", daemon.address)
        daemon.add(OLD.address, "Anna", OLDER, services=[OLDER.service, INFORMATION], rssi=-70,
                   answers={WHO_ARE_YOU: identity(1)})  # fmt: skip
        daemon.add(NEW.address, "Bert", NEWER)
        daemon.add(GO.address, "GoDice_C_v4", GODICE, services=[], rssi=-40,
                   answers={REQUEST_BATTERY: b"Bat\x09"})  # fmt: skip
        daemon.add(FOREIGN, "UART", GODICE)
        yield daemon


class Watcher:
    def __init__(self, *dice, advertised=()):
        self.facts, self.healths = Queue(), Queue()
        self.source = BluetoothDice(
            dice, DieFaces(), lambda: time.monotonic_ns() // 1_000_000, open_radio,
            advertised=advertised, on_failure=print,
        )  # fmt: skip

    def __enter__(self):
        self.source.start(self.facts.put, self.healths.put)
        return self

    def __exit__(self, *_):
        self.source.close()
        # On a busy machine `close` does not wait for the end.
        self.source._thread.join(DEADLINE_S)
        assert not self.source._thread.is_alive(), "it has not ended"

    def expect(self, *states):
        found = [self.facts.get(timeout=DEADLINE_S) for _ in states]
        assert [(one.die, one.state, one.tumbled) for one in found] == list(states)

    def until(self, holds):
        deadline = time.monotonic() + DEADLINE_S
        # Each change in turn: the health may have changed again meanwhile.
        while not holds(self.healths.get(timeout=deadline - time.monotonic())):
            pass


def send(bluez, die, *messages):
    for message in messages:
        bluez.run(bluez.dice[die.address].notify.send, message)


def test_dice_of_both_brands_and_firmwares_are_connected_and_read(bluez):
    with Watcher(OLD, NEW, GO) as watcher:
        watcher.expect((1, "settled", False))
        watcher.until(lambda health: health.dice == (1, 2, 3) and health.low == (3,))
        send(bluez, OLD, b"\x7fnewer", ROLLING, ROLLED)
        watcher.expect((1, "rolling", False), (1, "settled", True))
        send(bluez, NEW, ROLLING, ROLLED)
        watcher.expect((2, "rolling", False), (2, "settled", True))
        send(bluez, GO, b"R", b"S" + bytes([0, 0, 64]))
        watcher.expect((3, "rolling", False), (3, "settled", True))
        charges = [one.battery_percent for one in watcher.source.statuses()]
        assert charges == [77, None, 9]
    assert bluez.dice[FOREIGN].device.connects == 0
    # A busy machine may end the connections after the program has stopped waiting for that.
    bluez.wait_for(lambda: not any(die.device.connected for die in bluez.dice.values()))


def test_a_die_that_advertises_is_heard_while_another_one_is_sought(bluez, monkeypatch):
    """bluetoothd allows a program a single scan; its end is noticed with the next one."""
    monkeypatch.setattr(advertised_dice, "SCAN_S", 0.2)
    built = AdvertisedDie(4, "C4:00:00:00:00:04", 4, KEYS[4])
    device = bluez.add(built.address, "", OLDER, services=[]).device
    bluez.dice[NEW.address].device.in_range = False
    bluez.adapter.allows_one_scan = True
    with Watcher(OLD, NEW, advertised=[built]) as watcher:
        watcher.expect((1, "settled", False))
        bluez.wait_for(lambda: bluez.adapter.discovering)

        def advertise(*values):
            def is_heard():
                device.advertise(COMPANY, report(4, *values))
                return not watcher.facts.empty()

            bluez.wait_for(is_heard)

        advertise(65536, 1, 3, 0)
        watcher.expect((4, "settled", True))
        advertise(65537, 0, 0, 1)
        watcher.expect((4, "rolling", False))
        advertise(65538, 1, 2, 1)
        watcher.expect((4, "settled", True))
        assert watcher.source.health.dice == (1, 4)
        bluez.dice[NEW.address].device.in_range = True
        watcher.until(lambda health: health.dice == (1, 2, 4))
        bluez.kill()
        watcher.until(lambda health: health.error == NO_BLUETOOTHD and not health.dice)


def test_a_die_out_of_range_is_reconnected_and_repeats_no_throw(bluez):
    with Watcher(OLD) as watcher:
        watcher.expect((1, "settled", False))
        send(bluez, OLD, ROLLING, ROLLED)
        watcher.expect((1, "rolling", False), (1, "settled", True))
        device = bluez.dice[OLD.address].device
        device.in_range = False
        bluez.run(device.set, False)
        watcher.expect((1, "lost", False))
        device.in_range = True
        watcher.expect((1, "found", False))
        assert watcher.facts.empty()


def test_a_die_that_a_killed_program_left_connected_is_used_again(bluez):
    device = bluez.dice[OLD.address].device
    bluez.run(device.set, True)
    with Watcher(OLD) as watcher:
        watcher.expect((1, "settled", False))
    assert device.connects == 0


def test_a_connection_that_bluetoothd_does_not_signal_is_kept(bluez):
    device = bluez.dice[OLD.address].device
    device.signals_connection = False
    with Watcher(OLD) as watcher:
        watcher.expect((1, "settled", False))
        assert device.connects == 1
        bluez.run(device.set, False)
        watcher.expect((1, "lost", False), (1, "found", False))


def test_a_switched_off_adapter_is_reported_and_used_when_it_is_on(bluez):
    bluez.set_powered(False)
    with Watcher(OLD) as watcher:
        watcher.until(lambda health: health.error == POWERED_OFF)
        bluez.set_powered(True)
        watcher.until(lambda health: health.dice == (1,))


def test_a_bluetoothd_that_was_killed_is_reported_and_used_when_it_runs_again(bluez):
    with Watcher(OLD, GO) as watcher:
        watcher.until(lambda health: health.dice == (1, 3))
        bluez.kill()
        watcher.until(lambda health: not health.dice and health.error == NO_BLUETOOTHD)
        bluez.start()
        watcher.until(lambda health: health.dice == (1, 3))
        send(bluez, GO, b"R")
        states = [watcher.facts.get(timeout=DEADLINE_S).state for _ in range(6)]
        assert sorted(states) == ["found", "found", "lost", "lost", "rolling", "settled"]


def test_an_adapter_that_is_busy_is_reported_and_used_when_it_is_free(bluez):
    bluez.adapter.allows_one_scan = bluez.adapter.discovering = True
    with Watcher(OLD) as watcher:
        watcher.until(lambda health: health.error == BUSY)
        bluez.adapter.discovering = False
        watcher.until(lambda health: health.dice == (1,))


def test_a_device_without_the_characteristics_of_a_die_is_left_alone(bluez):
    other = PairedDie(4, "pixels", "C0:00:00:00:00:04", 4)
    bluez.add(other.address, "Other", OLDER, usable=False)
    with Watcher(other, OLD) as watcher:
        watcher.until(lambda health: health.dice == (1,))
        bluez.wait_for(lambda: bluez.dice[other.address].device.connects > 0)
        assert watcher.source.health.dice == (1,)


def test_without_bluetoothd_the_remedy_is_reported(tmp_path, monkeypatch):
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path}/nothing")
    with Watcher(OLD) as watcher:
        watcher.until(lambda health: health.error == NO_BLUETOOTHD)


@pytest.mark.parametrize(
    ("state", "remedy"),
    [({"permitted": False}, NO_PERMISSION), ({"has_adapter": False}, NO_ADAPTER)],
)
def test_without_permission_or_adapter_the_remedy_is_reported(tmp_path, monkeypatch, state, remedy):
    with Bluez(tmp_path, **state) as daemon:
        monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", daemon.address)
        with Watcher(OLD) as watcher:
            watcher.until(lambda health: health.error == remedy)
        with asyncio.Runner() as runner, pytest.raises(RadioError) as error:
            runner.run(open_radio().candidates(0.1))
    assert str(error.value) == remedy


def test_the_candidates_are_the_dice_and_the_nearest_is_first(bluez):
    found, until = (), time.monotonic() + DEADLINE_S
    with asyncio.Runner() as runner:
        # A busy machine may not scan in this time.
        while len(found) < 3:
            assert time.monotonic() < until, found
            found = runner.run(open_radio().candidates(0.5))
    assert [(one.name, one.brand, one.address) for one in found] == [
        ("GoDice_C_v4", "godice", GO.address),
        ("Bert", "pixels", NEW.address),
        ("Anna", "pixels", OLD.address),
    ]
