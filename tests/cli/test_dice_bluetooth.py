"""`urpi dice watch`, `test` and `calibrate` with Bluetooth dice."""

from dataclasses import replace

import pytest
from click.testing import CliRunner

from urpi.cli.dice.live_bluetooth import LiveBluetooth, as_hub
from urpi.cli.dice.live_dice import DieChange
from urpi.cli.dice.watch import change_values, change_words, picture_of
from urpi.cli.main import cli
from urpi.config import Config, DiceSection
from urpi.core.errors import UrpiError
from urpi.hardware.bluetooth_link import BluetoothHealth, PairedDie
from urpi.hardware.die_reports import Battery, Motion
from urpi.hardware.protocol import DieLine
from urpi.referee.facts import Die
from urpi.show.menu import DieStatus
from urpi.show.words import words_for

ADDRESS = "C0:00:00:00:00:0{}"
FACES = {1: 4, 2: 6, 3: 20}
CONFIG = Config(
    dice=DiceSection(
        source="bluetooth",
        paired={
            number: {"address": ADDRESS.format(number), "brand": "pixels", "faces": faces}
            for number, faces in FACES.items()
        },
    )
)


@pytest.fixture
def live(monkeypatch):
    """Live dice whose source is controlled by the test."""
    live = LiveBluetooth(CONFIG)

    class Source:
        health = BluetoothHealth("", (1, 2))
        waiting = ()

        def statuses(self):
            return (DieStatus(1, True, battery_percent=64), DieStatus(2, True))

    monkeypatch.setattr(live, "_source", Source(), raising=False)
    return live


def changes(live, die, *events):
    for t, event in enumerate(events):
        if isinstance(event, Motion | Battery):
            live._on_report(PairedDie(die, "pixels", ADDRESS.format(die), FACES[die]), event)
        else:
            live._on_fact(replace(event, t=t))
    return [one for one in live.changes(0) if isinstance(one, DieChange)]


def test_a_throw_is_a_line_with_the_face_and_its_own_number(live):
    found = changes(
        live, 1, Die(0, 1, "rolling"), Motion("rolled", 4), Die(0, 1, "settled", "-", True),
        Die(0, 1, "rolling"), Motion("rolled", 4), Die(0, 1, "settled", "-", True),
    )  # fmt: skip
    assert [(one.line.state, one.line.face, one.now.throws, one.thrown) for one in found] == [
        ("rolling", None, 0, False),
        ("settled", 4, 1, True),
        ("rolling", None, 1, False),
        ("settled", 4, 2, True),
    ]
    assert live.shows(found[1].line) == "-"
    assert not any(one.repeated for one in found)


def test_the_log_has_the_charge_of_a_die(live):
    (die,) = changes(live, 1, Motion("rolled", 2), Die(0, 1, "settled", "s", True))
    assert change_words(live, die, words_for("en")) == "die 1: settled, tip 2 (silver), thrown, 64%"
    assert change_values(live, die)["battery_percent"] == 64
    (unknown,) = changes(live, 2, Motion("placed", 5), Die(0, 2, "settled", "5"))
    assert "%" not in change_words(live, unknown, words_for("en"))
    assert "battery_percent" not in change_values(live, unknown)


def test_a_die_moved_by_hand_is_no_throw(live):
    (_, found) = changes(
        live, 2, Die(0, 2, "handled"), Motion("placed", 5), Die(0, 2, "settled", "5")
    )
    assert (found.line.face, found.thrown, live.shows(found.line)) == (5, False, "5")


def test_a_die_with_other_faces_shows_the_tip_for_which_it_counts_and_is_not_tested(live):
    (odd,) = changes(live, 3, Motion("rolled", 17), Die(0, 3, "settled", "g", True))
    (even,) = changes(live, 3, Motion("rolled", 8), Die(0, 3, "settled", "-", True))
    assert [live.shows(one.line) for one in (odd, even)] == ["g", "-"]
    live.check_testable(1)
    for die in (3, None):
        with pytest.raises(UrpiError, match="Die 3 has 20 faces"):
            live.check_testable(die)


def test_a_lost_die_has_no_signal(live):
    changes(live, 1, Motion("rolled", 1), Die(0, 1, "settled", "g", True))
    (found,) = changes(live, 1, Die(0, 1, "lost"))
    assert found.now.lost


def test_the_table_begins_with_bluetooth(live):
    assert picture_of(live, words_for("en"))[0] == "Bluetooth: ready, connected dice: 1, 2"
    live._source.health = BluetoothHealth("switched off")
    assert picture_of(live, words_for("en"))[0] == "Bluetooth: not available, switched off"
    assert not as_hub(live._source.health).alive


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text(
        '[dice]\nsource = "bluetooth"\n[dice.paired]\n'
        f'2 = {{ address = "{ADDRESS.format(2)}", brand = "pixels", faces = 6 }}\n'
    )
    return path


@pytest.mark.parametrize("source", ["bluetooth", "both"])
def test_a_die_of_another_maker_is_not_calibrated(file, source):
    file.write_text(file.read_text().replace("bluetooth", source, 1))
    words = ["--config", str(file), "dice", "calibrate", "--die", "2"]
    error = CliRunner().invoke(cli, words).exception
    assert isinstance(error, UrpiError)
    assert "calibrated by its maker" in str(error)


def test_without_paired_dice_the_command_that_pairs_them_is_named():
    with pytest.raises(UrpiError, match="urpi dice pair"):
        LiveBluetooth(Config())


def test_a_die_that_waits_for_its_settings_is_shown(live):
    live._source.waiting = ("C4:00:00:00:00:09",)
    text = "A die with a bought board waits for its settings: C4:00:00:00:00:09."
    assert text in picture_of(live, words_for("en"))


def test_a_die_that_advertises_is_shown_as_a_hubs_die(live):
    """Its lines have the evidence, and its facts add nothing but its loss."""
    line = DieLine(7, 8, "settled", 5, 4, 2, 20, 3 + 4 * 60, 200, 3900, None, 1, t_ms=9)
    live._queue.put(line)
    (change,) = changes(live, 8, Die(0, 8, "rolling"), Die(0, 8, "settled", "s", True))
    assert (change.line, change.thrown, change.now.battery_mv) == (line, True, 3900)
    assert change_words(live, change, words_for("en")) == (
        "die 8: settled, tip 2 (silver), 4° off, thrown, 3.90 V"
    )
    assert [one.now.state for one in changes(live, 8, Die(0, 8, "lost"))] == ["lost"]
