"""Bluetooth and the paired dice: probe and findings."""

import pytest

from tests.install.doctor.trees import PIS, found_by, of_area
from urpi.config import Config, DiceSection, TableSection
from urpi.hardware.bleak_radio import NO_PERMISSION
from urpi.hardware.bluetooth_link import BluetoothHealth
from urpi.show.menu import DieStatus

DIE = {"address": "C4:00:11:22:33:4{}", "brand": "pixels", "faces": 4, "owner": "both"}
RUNNING = {"/proc/71/comm": "bluetoothd\n"}
ADAPTER = {"/sys/class/bluetooth/hci0/address": "", "/sys/class/bluetooth/hci0:11/x": ""}


def config(*numbers, faces=4, source="bluetooth", rules="finkel", adapter=None, **changed):
    paired = {n: DIE | {"address": DIE["address"].format(n), "faces": faces} for n in numbers}
    dice = DiceSection(source=source, paired=paired, adapter=adapter)
    return Config(dice=dice, table=TableSection(rules=rules), **changed)


class Dice:
    """A source whose dice are connected after some polls."""

    def __init__(self, *statuses, error=""):
        self.known, self.error, self.closed, self.polls = statuses, error, False, 0

    def start(self, on_fact, on_health):
        pass

    @property
    def health(self):
        return BluetoothHealth(self.error)

    def statuses(self):
        self.polls += 1
        return self.known if self.polls > 3 else ()

    def close(self):
        self.closed = True


class Clock:
    def __init__(self):
        self.now = 0

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += round(1000 * seconds)


def examined(tmp_path, configured, dice=None, files=ADAPTER | RUNNING):
    clock = Clock()
    found = found_by(
        tmp_path, PIS["4"], configured, files,
        open_dice=lambda _settings: dice or Dice(), clock=clock, sleep=clock.sleep,
    )  # fmt: skip
    return of_area(found, "bluetooth"), of_area(found, "dice"), of_area(found, "hub"), clock


def connected(number, percent=80, **changed):
    return DieStatus(number, True, "g", battery_percent=percent, **changed)


def test_connected_dice_are_right_and_the_hub_is_not_examined(tmp_path):
    dice = Dice(*map(connected, range(1, 5)))
    bluetooth, found, hub, clock = examined(tmp_path, config(1, 2, 3, 4), dice)
    assert bluetooth == [("right", "hci0 is ready -> ")]
    assert found[0] == ("right", "die 1 is connected, battery 80 % -> ")
    assert [level for level, _ in found] == ["right"] * 4
    assert hub == []
    assert dice.closed
    assert clock.now < 1000


def test_a_die_that_is_missing_or_low_is_named(tmp_path):
    dice = Dice(connected(1), connected(2, 5, low=True), connected(3), DieStatus(4, False))
    _, found, _, clock = examined(tmp_path, config(1, 2, 3, 4), dice)
    assert [level for level, _ in found] == ["right", "poor", "right", "poor"]
    assert "die 2 is low, battery 5 % -> Charge it" in found[1][1]
    assert "die 4 was not found -> Shake it" in found[3][1]
    assert clock.now >= 12_000


@pytest.mark.parametrize(
    ("files", "changed", "text"),
    [
        ({}, {}, "there is no Bluetooth adapter -> Plug one in"),
        (ADAPTER, {}, "bluetoothd is not running -> Run `sudo apt install bluez`"),
        (ADAPTER | RUNNING, {"adapter": "hci7"}, "the adapter hci7 is missing -> Set `adapter`"),
        (
            ADAPTER | RUNNING | {"/sys/class/bluetooth/hci0/rfkill2/soft": "1\n"},
            {},
            "the adapter is blocked -> Run `sudo rfkill unblock bluetooth`",
        ),
    ],
)
def test_a_fault_is_found_without_connecting(tmp_path, files, changed, text):
    dice = Dice()
    ((level, found),), *_ = examined(tmp_path, config(1, 2, 3, 4, **changed), dice, files)
    assert (level, text in found) == ("broken", True)


def test_a_missing_permission_is_found_with_its_remedy(tmp_path):
    ((level, found),), *_ = examined(tmp_path, config(1), Dice(error=NO_PERMISSION))
    assert level == "broken"
    assert found.startswith("this user may not use Bluetooth -> Run `sudo usermod -aG bluetooth")


def test_the_dice_of_a_running_service_are_left_alone(tmp_path):
    files = ADAPTER | RUNNING | {"/proc/72/cmdline": "/usr/bin/urpi\0serve\0"}
    ((level, found),), *_ = examined(tmp_path, config(1, 2, 3, 4), None, files)
    assert (level, "in use by process 72" in found) == ("right", True)


@pytest.mark.parametrize(
    ("configured", "text"),
    [
        (config(), "no dice with Bluetooth are paired -> Run `urpi dice pair`"),
        (config(1, 2), "finkel is played with dice 1 to 4, but 3, 4 is not paired"),
        (
            config(1, faces=20, rules="ravensburger"),
            "not played with the body of die 1 -> Use 1 d6",
        ),
        (config(1, 2, faces=6, rules="freecompany"), "not played with the body of die 1, 2"),
    ],
)
def test_dice_that_do_not_suit_the_rules_are_named(tmp_path, configured, text):
    _, found, *_ = examined(tmp_path, configured)
    assert any(text in one and level == "poor" for level, one in found)


def test_dice_of_both_sides_are_enough(tmp_path):
    paired = {
        n: DIE | {"address": DIE["address"].format(n), "owner": "light" if n < 5 else "dark"}
        for n in range(1, 9)
    }
    dice = DiceSection(source="bluetooth", paired=dict(list(paired.items())))
    _, found, *_ = examined(tmp_path, Config(dice=dice), Dice(*map(connected, range(1, 9))))
    assert {level for level, _ in found} == {"right"}


def test_with_both_sources_the_hub_is_examined_too(tmp_path):
    _, _, hub, _ = examined(tmp_path, config(1, 2, 3, 4, source="both"))
    assert hub


BUILT = DIE | {"address": DIE["address"].format(1), "brand": "urpi", "key": "00" * 16}


@pytest.mark.parametrize(
    ("status", "text"),
    [
        (DieStatus(1, True, "g", 3900), "die 1 is connected, cell 3.90 V"),
        (
            DieStatus(1, True, "g", 3200, low=True, error="cal"),
            "die 1 is low, cell 3.20 V -> Charge",
        ),
        (
            DieStatus(1, False, error="nokey"),
            "die 1 has no settings, or others than this table -> ",
        ),
        (DieStatus(1, True, "g", 3900, error="twin"), "die 1 is there twice"),
        (DieStatus(1, True, "g", 3900, error="accel"), "die 1 has a broken accelerometer"),
        (DieStatus(1, False), "die 1 was not found -> Shake it"),
    ],
)
def test_a_die_with_a_bought_board_is_heard_and_its_fault_named(tmp_path, status, text):
    dice = Dice(status)
    configured = Config(dice=DiceSection(source="bluetooth", paired={1: BUILT}))
    _, found, _, clock = examined(tmp_path, configured, dice)
    assert text in found[0][1]
    # One that lies still gives a sign of life every 32 s.
    silent = not status.in_range and not status.error
    assert (clock.now >= 32_000) == silent


DRIVE = "/media/pi/XIAO-SENSE"
BOARDS = {
    "Board-ID: RPI-RP2": f"{DRIVE} is the drive of RPI-RP2 -> A die needs a Seeed XIAO",
    "Board-ID: nRF52840-SeeedXiaoSense-v1\r\nSoftDevice: S140 version 6.1.1": (
        f"{DRIVE} has a boot loader without SoftDevice S140 7 (S140 version 6.1.1), so that a "
        "die's program would not start -> Update it with"
    ),
    "Board-ID: nRF52840-SeeedXiaoSense-v1\r\nSoftDevice: S140 version 7.3.0": "",
    "Board-ID: nRF52840-SeeedXiaoSense-v1": "",
}


@pytest.mark.parametrize("info", BOARDS)
def test_a_board_that_cannot_be_a_die_is_named_with_the_remedy(tmp_path, info):
    files = ADAPTER | RUNNING | {f"{DRIVE}/INFO_UF2.TXT": f"UF2 Bootloader 0.6.1\r\n{info}\r\n"}
    for paired in ({}, {1: BUILT}):
        configured = Config(dice=DiceSection(source="bluetooth", paired=paired))
        _, found, _, _ = examined(tmp_path, configured, Dice(), files)
        texts = [text for _, text in found if DRIVE in text]
        assert len(texts) == bool(BOARDS[info])
        assert all(text.startswith(BOARDS[info]) for text in texts)
    _, found, _, _ = examined(tmp_path, config(1), Dice(), files)
    assert DRIVE not in str(found)
