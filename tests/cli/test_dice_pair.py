"""`urpi dice pair`, with dice in memory; tests/kernel pairs over the real Bluetooth stack."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from urpi.cli.dice.pair import pair
from urpi.cli.dice.settings_place import SettingsPlace
from urpi.config import DiceSection, read
from urpi.hardware.bleak_radio import Advertised
from urpi.hardware.bluetooth_dice import RadioError
from urpi.hardware.die_settings import BOARD_ID, settings_file
from urpi.hardware.pixels import WHO_ARE_YOU
from urpi.show.words import words_for

PIXELS = Advertised("device 1", "C0:00:00:00:00:01", "Anna", "pixels", -40)
GODICE = Advertised("device 2", "C0:00:00:00:00:02", "GoDice_AABBCC_R", "godice", -50)
UNPAIRED = DiceSection()
DEADLINE_S = 240.0
OLD_D4 = bytes([2, 4, 0, 1]) + bytes(14) + bytes([1, 0, 90, 0])
OLD_D100 = bytes([2, 10, 0, 5]) + bytes(14) + bytes([1, 0, 90, 0])


class Connection:
    def __init__(self, answer):
        self.answer, self.written, self.closed = answer, [], False

    async def notify(self, on_data):
        self.on_data = on_data

    async def write(self, data):
        self.written.append(data)
        if data == WHO_ARE_YOU and self.answer:
            self.on_data(b"\x7fnewer")
            self.on_data(self.answer)

    async def close(self):
        self.closed = True


class Radio:
    def __init__(self, *found, answer=OLD_D4, refuse="", gone=False):
        self.found, self.answer, self.refuse, self.gone = found, answer, refuse, gone
        self.connections = []

    async def candidates(self, within_s):
        assert within_s == 3
        return self.found

    async def find(self, addresses, _within_s):
        return {} if self.gone else {address: f"new {address}" for address in addresses}

    async def connect(self, device, die, _on_disconnect):
        assert device == f"new {die.address}"
        if self.refuse:
            raise RadioError(self.refuse)
        self.connections.append(Connection(self.answer))
        return self.connections[-1]


@pytest.fixture
def run(tmp_path):
    """Run the dialogue with some input; returns the result and the configuration's section."""
    file = tmp_path / "config.toml"

    def do(
        radio, typed="", settings=UNPAIRED, *, with_hub=False, identity_s=DEADLINE_S, place=None,
        drives=(),
    ):  # fmt: skip
        @click.command()
        def command():
            words = words_for("en")
            changed = pair(
                settings,
                file,
                words,
                scan_s=3,
                with_hub=with_hub,
                open_radio=lambda: radio,
                identity_s=identity_s,
                place=SettingsPlace(words, place, lambda: drives),
            )
            click.echo(f"changed: {changed}")

        result = CliRunner().invoke(command, input=typed)
        return result, read(file).config.dice if file.exists() else None

    return do


def test_every_die_blinks_and_is_written_with_number_and_owner(run):
    radio = Radio(PIXELS, GODICE)
    result, dice = run(radio, "\nlight\n7\n20\ndark\n")
    assert dice.source == "bluetooth"
    assert dice.paired == {
        1: {"address": PIXELS.address, "brand": "pixels", "faces": 4, "owner": "light"},
        7: {"address": GODICE.address, "brand": "godice", "faces": 20, "owner": "dark"},
    }
    assert "blinks now: Anna, Pixels, C0:00:00:00:00:01" in result.output
    assert [one.written[-1][0] for one in radio.connections] == [29, 16]
    assert all(one.closed for one in radio.connections)


def test_a_die_that_is_paired_already_is_left_as_it_is(run):
    _, before = run(Radio(PIXELS), "3\n\n")
    radio = Radio(PIXELS, GODICE)
    result, dice = run(radio, "3\n4\n6\nboth\n", before, with_hub=True)
    assert "this is die 3 already" in result.output
    assert "Another die has number 3" in result.output
    assert (list(dice.paired), dice.source) == ([3, 4], "both")
    assert len(radio.connections) == 1


def test_a_die_can_be_left_out_and_the_file_then_stays_as_it_is(run):
    result, dice = run(Radio(PIXELS), "0\n")
    assert dice is None
    assert "Nothing was changed.\nchanged: False" in result.output


def test_a_die_that_fails_is_named_and_the_others_are_still_asked_for(run):
    result, dice = run(Radio(PIXELS, GODICE, answer=OLD_D100), "1\n6\n\n")
    assert "Anna, C0:00:00:00:00:01: Anna is not a die that can be used" in result.output
    assert list(dice.paired) == [1]
    assert dice.paired[1]["brand"] == "godice"


def test_a_die_that_refuses_the_connection_is_named(run):
    result, dice = run(Radio(PIXELS, refuse="the die does not answer"))
    assert "Anna, C0:00:00:00:00:01: the die does not answer." in result.output
    assert dice is None


def test_a_die_that_fell_asleep_meanwhile_is_named(run):
    result, dice = run(Radio(PIXELS, gone=True))
    assert "Anna, C0:00:00:00:00:01: it does not answer any more; shake it" in result.output
    assert dice is None


def test_without_dice_the_remedy_is_one_line(run):
    result, dice = run(Radio())
    assert "wake the dice" in str(result.exception)
    assert "\n" not in str(result.exception)
    assert dice is None


def test_a_die_that_never_identifies_itself_times_out(run):
    result, dice = run(Radio(PIXELS, answer=b""), identity_s=0.01)
    assert "not a die that can be used" in result.output
    assert dice is None


BUILT = Advertised("device 3", "C4:00:00:00:00:03", "urpi", "urpi", -45, is_new=True)


def drive(folder, board=BOARD_ID, soft_device="S140 version 7.3.0"):
    folder.mkdir()
    lines = ("UF2 Bootloader 0.6.1", f"Board-ID: {board}", f"SoftDevice: {soft_device}")
    (folder / "INFO_UF2.TXT").write_text("".join(f"{line}\r\n" for line in lines))
    return folder


def test_a_die_with_a_bought_board_gets_its_settings_on_its_drive(run, tmp_path):
    own = drive(tmp_path / "XIAO-SENSE")
    other = drive(tmp_path / "PICO", "RPI-RP2")
    result, dice = run(Radio(BUILT), "2\n6\nlight\n\n", drives=[other, own])
    assert "waits for its settings: C4:00:00:00:00:03" in result.output
    assert "Die 2 has its settings. Its lamp is green once." in result.output
    (die,) = dice.paired.values()
    assert die == {
        "address": BUILT.address, "brand": "urpi", "faces": 6, "owner": "light", "key": die["key"]
    }  # fmt: skip
    written = (own / "die-2-settings.uf2").read_bytes()
    assert written == settings_file(2, 6, bytes.fromhex(die["key"]))


def test_the_settings_are_those_that_the_firmwares_tool_writes():
    tool = Path(__file__).parents[2] / "firmware" / "ble" / "uf2.py"
    key = "000102030405060708090a0b0c0d0e0f"
    for number, faces in ((1, 4), (8, 6)):
        command = [sys.executable, tool, "settings", str(number), "--set", "0", "--key", key]
        made = subprocess.run([*command, "--kind", str(faces)], capture_output=True, check=True)
        assert settings_file(number, faces, bytes.fromhex(key)) == made.stdout


def test_without_a_drive_the_settings_are_a_file_that_only_its_owner_reads(run, tmp_path):
    place = tmp_path / "settings.uf2"
    result, dice = run(Radio(BUILT), "\n\n\n", place=place)
    assert str(place) in result.output.replace("\n", "")
    assert place.stat().st_mode & 0o777 == 0o600
    assert dice.paired[1]["faces"] == 4


def test_a_drive_of_another_board_is_named(run, tmp_path):
    other = drive(tmp_path / "PICO", "RPI-RP2")
    result, dice = run(Radio(BUILT), "\n\n\n\n", drives=[other])
    assert "PICO is the drive of RPI-RP2; a die needs a Seeed XIAO" in str(result.exception)
    assert dice is None


@pytest.mark.parametrize("soft_device", ["S140 version 6.1.1", "S140 6.1.1", "not found"])
def test_a_boot_loader_after_which_programs_begin_elsewhere_is_named(run, tmp_path, soft_device):
    old = drive(tmp_path / "XIAO-SENSE", soft_device=soft_device)
    result, dice = run(Radio(BUILT), "\n\n\n\n", drives=[old])
    assert f"XIAO-SENSE has a boot loader without SoftDevice S140 7 ({soft_device})" in str(
        result.exception
    )
    assert "update it with `adafruit-nrfutil`" in str(result.exception)
    assert dice is None


def test_the_file_belongs_to_who_called_sudo(run, tmp_path, monkeypatch):
    owners = []
    monkeypatch.setattr("os.fchown", lambda _file, *owner: owners.append(owner))
    run(Radio(BUILT), "\n\n\n", place=tmp_path / "one")
    monkeypatch.setenv("SUDO_UID", "1234")
    monkeypatch.setenv("SUDO_GID", "1235")
    run(Radio(BUILT), "\n\n\n", place=tmp_path / "two")
    assert owners == [(1234, 1235)]


def test_a_place_that_cannot_be_written_is_named(run, tmp_path):
    result, dice = run(Radio(BUILT), "\n\n\n", place=tmp_path / "none" / "file")
    assert "cannot be written" in str(result.exception)
    assert dice is None


def test_a_die_that_has_lost_its_settings_gets_new_ones_with_another_key(run, tmp_path):
    _, before = run(Radio(BUILT), "3\n4\ndark\n", place=tmp_path)
    result, after = run(Radio(BUILT), settings=before, place=tmp_path)
    assert after.paired[3]["key"] != before.paired[3]["key"]
    assert after.paired[3] | {"key": ""} == before.paired[3] | {"key": ""}
    known = replace(BUILT, is_new=False)
    result, _ = run(Radio(known), settings=after, place=tmp_path)
    assert "this is die 3 already" in result.output


def test_of_two_dice_without_settings_none_is_paired(run, tmp_path):
    other = replace(BUILT, address="C4:00:00:00:00:04")
    result, dice = run(Radio(BUILT, other), place=tmp_path)
    assert "Dice that wait for their settings: 2. Switch off all but one" in result.output
    assert dice is None


def test_a_die_of_the_neighbouring_table_is_left_out(run, tmp_path):
    result, dice = run(Radio(replace(BUILT, is_new=False)), "0\n", place=tmp_path)
    assert "has the settings of another table" in result.output
    assert dice is None
    assert not list(tmp_path.glob("*.uf2"))


def test_a_number_above_eight_is_not_accepted(run, tmp_path):
    _, dice = run(Radio(BUILT), "9\n8\n\n\n", place=tmp_path)
    assert list(dice.paired) == [8]
