"""`urpi dice update`: the firmware of the dice that are heard."""

import asyncio
import json

import pytest
from click.testing import CliRunner

from tests.hardware.test_advertised_dice import ADDRESSES, KEYS, NEW, SETTLED, report
from urpi.cli.dice.update import DRIVE, how_to_update
from urpi.cli.main import cli
from urpi.hardware.advertisement import FIRMWARE
from urpi.hardware.bleak_radio import BUSY, NO_ADAPTER, NO_BLEAK
from urpi.hardware.bluetooth_dice import RadioError
from urpi.hardware.die_settings import BOARD_ID, INFO

STRANGER = "D0:00:00:00:00:09"
HOW = "press its button twice, and copy die.uf2 to its drive XIAO-SENSE"


def sends(die, firmware):
    return ADDRESSES[die], with_firmware(report(die, 65536, SETTLED, 1), firmware)


def with_firmware(data, firmware):
    return data[:2] + bytes([firmware]) + data[3:]


class Radio:
    """Each call hears what is sent next; `listened` are its times in seconds."""

    def __init__(self, *heard, error=None):
        self.heard, self.error, self.listened = list(heard), error, []

    async def listen(self, on_advertisement, within_s):
        self.listened.append(within_s)
        await asyncio.sleep(0)
        if self.error is not None:
            raise RadioError(self.error)
        for address, data in self.heard.pop(0) if self.heard else ():
            on_advertisement(address, data)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs the command with dice of these brands."""

    def do(radio, *arguments, dice=None):
        config = tmp_path / "config.toml"
        lines = [
            f'{n} = {{ address = "{ADDRESSES[n]}", brand = "{brand}", faces = 4'
            + (f', key = "{KEYS[n].hex()}" }}' if brand == "urpi" else " }")
            for n, brand in ({1: "urpi", 2: "urpi"} if dice is None else dice).items()
        ]
        table = "\n".join(["[dice.paired]", *lines]) if lines else ""
        config.write_text(f'[dice]\nsource = "bluetooth"\n{table}\n')
        monkeypatch.setattr("urpi.hardware.open_radio", lambda _adapter: radio)
        monkeypatch.setattr("urpi.cli.dice.settings_place.MOUNTS", ())
        return CliRunner().invoke(cli, ["--config", str(config), "dice", "update", *arguments])

    return do


def test_each_die_is_named_with_its_firmware_and_what_to_do(run):
    radio = Radio([sends(1, FIRMWARE), sends(2, FIRMWARE - 1)])
    result = run(radio)
    first, second, *how = result.output.splitlines()
    assert first == f"Die 1 has firmware {FIRMWARE}, that of this release."
    assert second == f"Die 2 has firmware {FIRMWARE - 1}; this release has {FIRMWARE}."
    assert HOW in how[0]
    assert result.exit_code == 1
    # All were heard while dice without settings were listened to.
    assert radio.listened == [3]


def test_nothing_is_to_be_done_if_all_are_current(run):
    result = run(Radio([], [sends(1, FIRMWARE), sends(2, FIRMWARE)]))
    assert result.exit_code == 0
    assert "To update" not in result.output


def test_a_die_that_is_not_heard_in_the_stated_time_is_unknown(run):
    radio = Radio([], [sends(1, FIRMWARE)])
    result = run(radio, "--search", "7")
    assert "Die 2 was not heard within 7 s; bring it closer, and shake it." in result.output
    assert result.exit_code == 1
    assert radio.listened == [3, 4]
    radio = Radio()
    run(radio, "--search", "2")
    assert radio.listened == [2]


def test_a_die_with_newer_firmware_asks_for_a_newer_program(run):
    result = run(Radio([sends(1, FIRMWARE), sends(2, FIRMWARE + 1)]))
    assert f"Die 2 has firmware {FIRMWARE + 1}; this release has only {FIRMWARE}: update urpi." in (
        result.output
    )
    assert result.exit_code == 0


def test_others_dice_are_not_listed_but_those_without_settings_are(run):
    stranger = with_firmware(report(1, 65536, SETTLED, 1, key=KEYS[8]), 0)
    new = ADDRESSES[3], with_firmware(NEW, 1)
    heard = [(STRANGER, stranger), (STRANGER, b"Ur"), new, sends(1, FIRMWARE)]
    result = run(Radio(heard), dice={1: "urpi", 4: "pixels"})
    assert result.output.splitlines()[:3] == [
        f"Die 1 has firmware {FIRMWARE}, that of this release.",
        "Die 4 is updated with the app of Pixels.",
        f"The die {ADDRESSES[3]} without settings has firmware 1; this release has {FIRMWARE}.",
    ]
    assert result.exit_code == 1


def test_the_list_is_printed_as_json(run):
    result = run(Radio([sends(1, 1)]), "--json", dice={1: "urpi", 2: "urpi", 4: "godice"})
    assert json.loads(result.output) == {
        "firmware": FIRMWARE,
        "dice": [
            {"die": 1, "address": ADDRESSES[1], "firmware": 1, "state": "older"},
            {"die": 2, "address": ADDRESSES[2], "state": "unheard"},
            {"die": 4, "address": ADDRESSES[4], "state": "maker"},
        ],
    }
    assert result.exit_code == 1


def test_without_any_die_the_error_says_what_to_do(run):
    result = run(Radio([(STRANGER, report(1, 65536, SETTLED, 1))]), dice={})
    assert "No die with a bought board is paired" in str(result.exception)
    assert "press its button once" in str(result.exception)


@pytest.mark.parametrize("error", [NO_ADAPTER, BUSY])
def test_what_bluetooth_lacks_is_a_sentence(run, error):
    result = run(Radio(error=error))
    assert str(result.exception) == f"{error[0].upper()}{error[1:]}."


def test_a_missing_library_is_a_sentence(run, monkeypatch):
    def fail(_adapter):
        raise RadioError(NO_BLEAK)

    monkeypatch.setattr("urpi.hardware.open_radio", fail)
    result = CliRunner().invoke(cli, ["dice", "update"])
    assert str(result.exception).startswith("Bleak is not installed; install it with")


@pytest.mark.parametrize("board", [BOARD_ID, "other", None])
def test_the_drive_of_a_board_that_is_connected_is_named(tmp_path, board):
    if board:
        (tmp_path / INFO).write_text(f"Board-ID: {board}\n")
    how = how_to_update(lambda: [tmp_path] if board else [])
    assert (f"copy die.uf2 to {tmp_path}." in how) == (board == BOARD_ID)
    assert (DRIVE in how) == (board != BOARD_ID)
