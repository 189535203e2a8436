"""`urpi dice record` and `urpi dice replay`, over the real bleak and a simulated bluetoothd."""

import json
import os
import shutil
import signal
import subprocess
import sys
from io import StringIO

import click
import pytest
from click.testing import CliRunner

from tests.waiting import wait_until
from urpi.cli.dice.record import Recorder, about_recording, ask_nobody, ask_person
from urpi.cli.main import cli
from urpi.core.errors import UrpiError
from urpi.hardware.bluetooth_link import PairedDie
from urpi.hardware.recording import (
    About,
    Message,
    RecordedDie,
    entry_line,
    firmware_of,
    parse_recording,
)
from urpi.show.words import words_for
from urpi.simulation.bluetooth_messages import SimulatedDie
from urpi.simulation.virtual_dice import DieReport

WORDS = words_for("en")
GODICE = PairedDie(1, "godice", "F0:00:00:00:00:01", 4)
ROLLED = b"TS" + bytes([61, 1, 22])
TODAY = "2026-11-27"


class Person:
    """Answers what a die shows; `asked` are the dice that were asked for."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    def __call__(self, die, _words):
        self.asked.append(die.number)
        return self.answers.pop(0)


def recorded(person, *messages):
    """Return the messages of the file that a recorder writes."""
    out = StringIO()
    recorder = Recorder(out, (GODICE,), About(TODAY), WORDS, person)
    for t, data in messages:
        recorder.add((t, GODICE, data))
    found = parse_recording(out.getvalue()).messages
    assert recorder.messages == len(found)
    assert recorder.shown == sum(one.shows is not None for one in found)
    return found


def test_a_die_that_comes_to_rest_is_asked_for_once():
    person = Person(1, None)
    found = recorded(
        person, (500, ROLLED), (600, b"R"), (900, ROLLED), (950, ROLLED), (990, b"R"),
        (1200, b"FS" + bytes([61, 1, 22])),
    )  # fmt: skip
    assert [(one.t, one.shows) for one in found] == [
        (0, None), (100, None), (400, 1), (450, None), (490, None), (700, None),
    ]  # fmt: skip
    assert person.asked == [1, 1]


def test_without_a_person_nobody_is_asked():
    assert [one.shows for one in recorded(ask_nobody, (0, b"R"), (9, ROLLED))] == [None, None]


@pytest.mark.parametrize("firmware", ["", "v04", "v1234"])
def test_the_firmware_of_a_godice_is_in_the_first_line(firmware):
    recording = parse_recording(
        entry_line(about_recording(TODAY, firmware))
        + "\n"
        + entry_line(RecordedDie(1, "godice", 6))
    )
    assert firmware_of(recording, 1) == firmware


@pytest.mark.parametrize("firmware", ["4", "v", "v04 ", "v12345", "GoDice_Anna_K_v04", "v٤"])
def test_what_is_no_version_is_refused(firmware):
    with pytest.raises(UrpiError, match=r"must be a version such as v04.*; found"):
        about_recording(TODAY, firmware)


def test_a_message_is_kept_if_the_question_is_answered_with_ctrl_c():
    def interrupt(_die, _words):
        raise click.Abort

    out = StringIO()
    recorder = Recorder(out, (GODICE,), About(TODAY), WORDS, interrupt)
    recorder.add((0, GODICE, b"R"))
    with pytest.raises(click.Abort):
        recorder.add((9, GODICE, ROLLED))
    assert [one.data for one in parse_recording(out.getvalue()).messages] == [b"R", ROLLED]


def test_an_empty_message_and_one_that_no_radio_delivers_are_left_out():
    assert recorded(ask_nobody, (0, b""), (1, bytes(245)), (2, b"R")) == (Message(0, 1, b"R"),)


def test_a_person_is_asked_until_the_number_is_one_of_the_die():
    @click.command()
    def command():
        click.echo(f"found {ask_person(GODICE, WORDS)}")

    result = CliRunner().invoke(command, input="5\n²\nthree\n0\n3\n")
    assert result.output.count("Die 1 has the numbers 1 to 4.") == 4
    assert result.output.endswith("found 3\n")
    assert CliRunner().invoke(command, input="\n").output.endswith("found None\n")


def replayed(tmp_path, *entries, rules="finkel", more=()):
    file = tmp_path / "dice.jsonl"
    file.write_text("".join(entry_line(one) + "\n" for one in entries), "utf-8")
    return CliRunner().invoke(cli, ["dice", "replay", str(file), "--rules", rules, *more])


def throw(t, *reports, brand="pixels", faces=4):
    """Return the messages of dice that roll together, and come to rest as the reports say."""
    dice = [SimulatedDie(number, brand, faces) for number in range(1, len(reports) + 1)]
    rolling = [
        Message(t, one.number, one.message(DieReport(one.number, "rolling"))) for one in dice
    ]
    rests = [Message(t + 900, one.number, one.message(each))
             for one, each in zip(dice, reports, strict=True)]  # fmt: skip
    return [*rolling, *rests]


def settled(face, tumbles=5):
    return DieReport(1, "settled", 0, face=face, tumbles=tumbles)


@pytest.mark.parametrize("brand", ["pixels", "godice"])
def test_the_referee_judges_every_throw_of_a_recording(tmp_path, brand):
    dice = [RecordedDie(number, brand, 4) for number in range(1, 5)]
    # Of the tips 1 and 2 are marked, 3 and 4 are blank.
    result = replayed(
        tmp_path, About(TODAY), *dice,
        *throw(1_000, settled(1), settled(2), settled(3), settled(1), brand=brand),
        *throw(20_000, settled(3), settled(4), DieReport(1, "cocked", 0, face=3), settled(4),
               brand=brand),
        *throw(60_000, settled(3), settled(4), settled(3), settled(4), brand=brand),
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    judged = [line.strip() for line in result.output.splitlines() if line.startswith("    ")]
    assert judged == [
        "Light throws 3.", "Die 3 leans. Throw it again.", "Light throws 0.",
    ]  # fmt: skip


def test_a_replay_is_printed_as_json_lines(tmp_path):
    dice = [RecordedDie(number, "pixels", 4) for number in range(1, 5)]
    messages = throw(1_000, settled(1), settled(2), settled(3), settled(1))
    result = replayed(tmp_path, About(TODAY), *dice, *messages, more=["--json"])
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["data"] for line in lines if "data" in line] == [
        one.data.hex() for one in messages
    ]
    (judged,) = [line for line in lines if "data" not in line]
    assert (judged["type"], judged["side"], judged["value"]) == ("roll", "light", 3)


def test_a_die_with_other_faces_counts_by_parity_and_d6_as_itself(tmp_path):
    dice = [RecordedDie(number, "pixels", 6) for number in range(1, 4)]
    messages = throw(1_000, settled(5), settled(2), settled(3), faces=6)
    result = replayed(tmp_path, About(TODAY), *dice, *messages, rules="finkel3")
    assert "Light throws 2." in result.output
    result = replayed(tmp_path, About(TODAY), *dice, *messages, rules="ravensburger")
    assert "Light throws 5." in result.output


def test_fewer_dice_than_the_rules_need_are_read_but_not_judged(tmp_path):
    result = replayed(tmp_path, About(TODAY), RecordedDie(2, "pixels", 4),
                      Message(0, 2, bytes([3, 1, 1]), shows=3))  # fmt: skip
    assert result.exit_code == 1
    assert "Not recorded: 1, 3, 4." in result.output
    assert "0.000 s, die 2: 03 01 01: read as rolled, 2, but the die showed 3" in result.output
    assert result.output.endswith("Messages: 1; read by a person: 1; different: 1.\n")


def test_an_invalid_file_is_one_line(tmp_path):
    result = replayed(tmp_path, About(TODAY), RecordedDie(1, "pixels", 4), Message(0, 2, b"R"))
    assert "dice.jsonl is invalid: Line 3: die must be one of" in str(result.exception)
    assert "\n" not in str(result.exception)


@pytest.fixture
def bluez(tmp_path):
    pytest.importorskip("bleak", reason="needs bleak, the extra `bluetooth`")
    if shutil.which("dbus-daemon") is None:
        pytest.skip("needs dbus-daemon")
    from tests.hardware.bluez import GODICE as IDS  # noqa: PLC0415 - needs the extra
    from tests.hardware.bluez import Bluez  # noqa: PLC0415

    with Bluez(tmp_path) as daemon:
        daemon.add(GODICE.address, "GoDice_Anna_K", IDS, services=[])
        yield daemon


@pytest.fixture
def urpi(bluez, tmp_path):
    """Return a function that runs the command with dice that are paired."""
    config = tmp_path / "config.toml"
    config.write_text(
        '[dice]\nsource = "bluetooth"\n[dice.paired]\n'
        f'1 = {{ address = "{GODICE.address}", brand = "godice", faces = 4 }}\n'
    )

    def run(*arguments):
        return subprocess.Popen(
            [sys.executable, "-m", "urpi", "--config", str(config), "dice", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": bluez.address},
        )

    return run


@pytest.mark.slow
def test_what_a_die_sends_is_in_the_file_without_its_name_and_address(bluez, urpi, tmp_path):
    file = tmp_path / "dice.jsonl"
    process = urpi("record", str(file))
    die = bluez.dice[GODICE.address]
    bluez.wait_for(lambda: die.received)
    for message in (b"R", ROLLED, b"X~Anna"):
        bluez.run(die.notify.send, message)
    wait_until(
        lambda: file.exists() and file.read_text().count("\n") == 5, "the messages in the file"
    )
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate()
    assert process.returncode == 0, output
    assert "Messages written" in output
    found = parse_recording(file.read_text("utf-8"))
    assert [one.data for one in found.messages] == [b"R", ROLLED, b"X" + bytes(5)]
    for private in ("Anna", GODICE.address, GODICE.address.lower()):
        assert private not in file.read_text("utf-8")

    again = urpi("record", str(file))
    output, _ = again.communicate()
    assert again.returncode == 2
    assert output == f"The file {file} exists; choose another name.\n"
