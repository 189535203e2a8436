"""`urpi dice calibrate` of a die that advertises; tests/firmware_ble reads what it writes."""

import asyncio

import click
import pytest
from click.testing import CliRunner

from tests.hardware.test_advertised_dice import COCKED, HANDLED, KEYS, SETTLED, report
from urpi.cli.dice.calibrate_built import BuiltCalibration
from urpi.cli.dice.settings_place import SettingsPlace
from urpi.hardware.advertised_dice import AdvertisedDie
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.die_settings import settings_file
from urpi.show.words import words_for

DIE = AdvertisedDie(1, "C4:00:00:00:00:01", 4, KEYS[1])
UP = ((10, 20, 990), (-940, 0, -330), (470, 815, -330), (470, -815, -330))


def lying(number, up, state=COCKED, key=None):
    data = report(1, number, state, 1 if state == SETTLED else 0, key=key)[:-6]
    return data + b"".join(axis.to_bytes(2, "little", signed=True) for axis in up)


class Radio:
    """Each call hears what the die advertises next."""

    def __init__(self, *heard):
        self.heard = list(heard)

    async def listen(self, on_advertisement, _within_s):
        await asyncio.sleep(0)
        for data in self.heard.pop(0) if self.heard else ():
            on_advertisement(DIE.address, data)
            on_advertisement("D0:00:00:00:00:01", lying(9999, UP[0]))


@pytest.fixture
def run(tmp_path):
    def do(*heard, presses=4):
        @click.command()
        def command():
            words = words_for("en")
            with asyncio.Runner() as runner:
                place = SettingsPlace(words, tmp_path)
                BuiltCalibration(
                    DIE, Radio(*heard), DieFaces(), words, place, runner, (0.01, 0.01)
                ).run()

        result = CliRunner().invoke(command, input="\n" * presses)
        file = tmp_path / "die-1-settings.uf2"
        return result, file.read_bytes() if file.exists() else None

    return do


def test_each_face_is_asked_for_and_becomes_a_part_of_the_settings(run):
    result, written = run(*([lying(65536 + n, up)] for n, up in enumerate(UP)))
    assert result.output.count("Put die 1 on the table with tip") == 4
    assert "with tip 1 (gold) up" in result.output
    assert written == settings_file(1, 4, DIE.key, UP)


def test_only_what_this_die_reports_at_rest_is_used(run):
    strange = [
        lying(65540, UP[1], key=KEYS[2]), lying(65541, UP[1], HANDLED), lying(65542, (0, 0, 400)),
        lying(65543, (3000, 0, 0)), b"Ur", lying(65536, UP[0]),
    ]  # fmt: skip
    _, written = run(strange, *([lying(65544 + n, up, SETTLED)] for n, up in enumerate(UP[1:])))
    assert written == settings_file(1, 4, DIE.key, UP)


def test_a_die_that_was_not_turned_is_asked_for_again(run):
    first = [lying(65536, UP[0])]
    # The same report once more, which is none of the new face, and then the same face.
    others = ([lying(65538 + n, up)] for n, up in enumerate(UP[1:]))
    result, written = run(first, first, [], [lying(65537, UP[0])], *others, presses=6)
    assert "Die 1 is asleep; tap the table beside it." in result.output
    assert "Die 1 did not respond." in result.output
    assert result.output.count("It reports tip 1 (gold), not tip 2 (silver).") == 1
    assert written == settings_file(1, 4, DIE.key, UP)


def test_the_end_of_the_input_writes_nothing(run):
    result, written = run([lying(65536, UP[0])], presses=1)
    assert (result.exit_code, written) == (1, None)
