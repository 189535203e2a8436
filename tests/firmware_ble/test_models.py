"""The models notice mistakes: each is built into a copy of the firmware."""

import random
import shutil

import pytest

from .air import BadPacketError
from .conftest import FIRMWARE, build
from .die import Die, settings, told_to_sleep
from .radio import Radio

TOO_LATE = "TASKS_HFCLKSTOP = 1;\n    RADIO_TASKS_TXEN = 1;"
MISTAKES = {
    "fast bus": ("twi.c", "0x06200000", "0x06680000", "anomaly 219"),
    "push-pull": ("twi.c", "OPEN_DRAIN = 6 << 8", "OPEN_DRAIN = 0 << 8", "open-drain"),
    "from flash": ("twi.c", "TXD_PTR = (uint32_t)sent;", "TXD_PTR = 0x27000;", "not RAM"),
    "no crystal": ("radio.c", "TASKS_HFCLKSTOP = 1;", TOO_LATE, "without the crystal"),
    "no slow crystal": ("board.c", "LFCLKSRC = CRYSTAL", "LFCLKSRC = 0", "not the crystal"),
    "mode": ("lsm6ds3tr.c", "OFF = 0", "OFF = 0x10", "while it measures"),
    "boot": ("main.c", "MS);\n    twi_start", "MS - 30);\n    twi_start", "has booted"),
    "flash": ("flash.c", "WRITE = 1", "WRITE = 0", "without NVMC.CONFIG"),
    "watchdog": ("board.c", "FEED = 0x6E524635", "FEED = 1", "another value"),
    "reserved": ("radio.c", "MAX_BYTES | 3 << 16", "MAX_BYTES | 3 << 20", "without a meaning"),
    "event": ("twi.c", "TWIM0_EVENTS_STOPPED = 0;\n    return", "return", "stays set"),
    "acquisition": ("battery.c", "5 << 16", "3 << 16", "is too short"),
}  # fmt: skip
SLEEPLESS = {
    "floating": ("board.c", "ACCEL_INT1, DISCONNECTED", "ACCEL_INT1, SENSE_HIGH", "nothing drives"),
    "reason": ("board.c", "POWER_RESETREAS = POWER_RESETREAS", "(void)0", "last reset is left"),
    "plug": ("main.c", "UNPLUGGED_MS = 5000", "UNPLUGGED_MS = 0", "USB is connected"),
    "settings": ("flash.c", "SLEEP_AT + 4", "SETTINGS_AT + 252", "settings are written"),
}  # fmt: skip
SILENT = {
    "whitening": ("radio.c", "RADIO_DATAWHITEIV = channels[i].channel", "RADIO_DATAWHITEIV = 37"),
    "CRC": ("radio.c", "0x00065BU", "0x00065DU"),
    "channel": ("radio.c", "{38, 26}", "{38, 24}"),
    "address": ("radio.c", "0x8E89BED6U", "0x8E89BED7U"),
    "header": ("advert.c", "= 0x42", "= 0x40"),
}


def with_mistake(built, folder, file, right, wrong):
    """Return the image of the firmware in which a text is replaced; the rest is as built."""
    source = folder / "firmware"
    for part in ("ble", "common"):
        shutil.copytree(FIRMWARE / part, source / part)
    for script in ("check_size.sh", "eeprom.py"):
        shutil.copy(FIRMWARE / script, source)
    path = source / "ble" / file
    text = path.read_text()
    assert right in text
    path.write_text(text.replace(right, wrong))
    shutil.copytree(built, folder / "built")
    return (build(folder / "built", source / "ble") / "die.bin").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("mistake", MISTAKES)
def test_violations_are_noticed(built, tmp_path, mistake):
    file, right, wrong, noticed = MISTAKES[mistake]
    die = Die(with_mistake(built, tmp_path, file, right, wrong), settings(), seed=3)
    die.chip.run(3000)
    assert any(noticed in it for it in die.chip.violations), die.chip.violations


@pytest.mark.slow
@pytest.mark.parametrize("mistake", SLEEPLESS)
def test_violations_of_a_die_that_falls_asleep_are_noticed(built, tmp_path, mistake):
    file, right, wrong, noticed = SLEEPLESS[mistake]
    faulty = with_mistake(built, tmp_path, file, right, wrong)
    die = Die(faulty, told_to_sleep(settings()), seed=3)
    die.power.usb = True
    die.chip.run(2000)
    die.power.usb = False
    die.chip.run(8000)
    assert any(noticed in it for it in die.chip.violations), die.chip.violations


@pytest.mark.slow
@pytest.mark.parametrize("mistake", SILENT)
def test_what_no_receiver_accepts_is_noticed(built, tmp_path, mistake):
    die = Die(with_mistake(built, tmp_path, *SILENT[mistake]), settings(), seed=3)
    die.run(1500)
    with pytest.raises(BadPacketError):
        die.advertisements()


def test_the_radio_whitens_as_the_register_is_drawn():
    """Bits through it twice are what they were, and its period is 127."""
    chance = random.Random(1)
    for channel in range(40):
        bits = [chance.randrange(2) for _ in range(300)]
        assert Radio.whitened(Radio.whitened(bits, channel), channel) == bits
        zeros = Radio.whitened([0] * 254, channel)
        assert zeros[:127] == zeros[127:]
        assert sum(zeros[:127]) == 64
