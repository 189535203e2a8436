"""`urpi dice pair`, with dice in memory; tests/kernel pairs over the real Bluetooth stack."""

import click
import pytest
from click.testing import CliRunner

from urpi.cli.dice.pair import pair
from urpi.config import DiceSection, read
from urpi.hardware.bleak_radio import Advertised
from urpi.hardware.bluetooth_dice import RadioError
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

    def do(radio, typed="", settings=UNPAIRED, *, with_hub=False, identity_s=DEADLINE_S):
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
