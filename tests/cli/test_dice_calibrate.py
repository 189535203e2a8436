"""`urpi dice calibrate`: the dialogue with a simulated person at a virtual table."""

import io
import re

import click
import pytest

from tests.cli.living_table import LivingTable, living_table
from tests.cli.running import Running, run, running
from urpi.cli.dice.calibrate import Calibration, Timeouts
from urpi.cli.dice.live_dice import HubPort, LiveDice
from urpi.core.errors import UrpiError
from urpi.hardware import DieFaces, HubSettings
from urpi.show.words import words_for
from urpi.simulation.virtual_dice import DieReport

NOT_LONG = Timeouts(first_report_s=0.2, awake_s=0.2, asleep_s=0.2, check_s=0.3)


@pytest.fixture
def table(tmp_path):
    with living_table(tmp_path) as table:
        yield table


@pytest.fixture
def calibrating(table: LivingTable):
    """Start the command, and wait until die 2 has reported."""
    table.lay(2, 1)
    with running("dice", "calibrate", "--die", "2", "--port", table.port) as command:
        command.read_until("Die 2 has 4 faces. Its lamp is on while this runs.")
        yield command


def tip_in(line: str) -> int:
    found = re.search(r"tip (\d)", line)
    assert found
    return int(found[1])


def teach(table: LivingTable, calibrating: Running, tips: int = 4) -> None:
    """Turn the requested face up and press Enter, for each face."""
    for _ in range(tips):
        table.lay(2, tip_in(calibrating.read_until("then press Enter")))
        calibrating.type("\n")


def names(table: LivingTable) -> list[int]:
    return table.table.dice._bodies[2].names


def test_a_die_with_permuted_faces_is_calibrated_and_checked(table, calibrating):
    names(table)[:] = [3, 1, 4, 2]
    table.until(lambda: table.table.rig.lamps == {2})
    teach(table, calibrating)
    for _ in range(4):
        table.lay(2, tip_in(calibrating.read_until("up.")))
        assert "degrees off." in calibrating.read_until("Right: ")
    calibrating.read_until("All faces of die 2 are calibrated.")
    assert (calibrating.end(), calibrating.errors) == (0, "")
    assert names(table) == [1, 2, 3, 4]
    table.until(lambda: table.table.rig.lamps == set())


def test_each_face_is_named_by_what_it_shows(table, calibrating):
    assert "tip 1 (gold) up" in calibrating.read_until("Put die 2 on the table with")
    calibrating.type("\n")
    assert calibrating.read_until("Calibrated").startswith("Calibrated: tip 1 (gold) up, ")
    assert "tip 2 (silver) up" in calibrating.read_until("Put die 2")


def test_a_wrong_tip_in_the_check_is_reported_and_can_be_corrected(table, calibrating):
    teach(table, calibrating)
    calibrating.read_until("Put tip 1 (gold) up.")
    table.lay(2, 3)
    line = calibrating.read_until("It reports")
    assert line == "It reports tip 3 (blank), not tip 1 (gold). Is tip 1 (gold) up?"
    table.lay(2, 1)
    calibrating.read_until("Right: tip 1 (gold)")


def test_an_interrupt_switches_the_lamp_off_and_reports_what_was_kept(table, calibrating):
    teach(table, calibrating, tips=1)
    calibrating.read_until("tip 2 (silver) up")
    assert calibrating.interrupt() == 130
    assert calibrating.passed[-1].startswith("Stopped. Calibrated faces are kept")
    assert calibrating.errors == ""
    table.until(lambda: table.table.rig.lamps == set())


def test_the_end_of_the_input_has_the_same_effect(table, calibrating):
    assert calibrating.process.stdin is not None
    calibrating.process.stdin.close()
    assert calibrating.end() == 130
    table.until(lambda: table.table.rig.lamps == set())


@pytest.mark.parametrize(
    "words", ["calibrate --die 2", "forget 3", "watch", "watch --json", "test"]
)
def test_a_missing_hub_is_a_one_line_error(tmp_path, words):
    done = run("dice", *words.split(), "--port", str(tmp_path / "none"))
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"The dice hub at {tmp_path / 'none'} is not available: ")
    assert done.stderr.endswith("; plug it in, or set its --port.\n")


@pytest.mark.parametrize("die", ["0", "9", "two"])
def test_an_invalid_die_number_is_refused(die):
    done = run("dice", "calibrate", "--die", die)
    assert done.returncode == 2
    assert "Invalid value for '--die'" in done.stderr


def live_dice(table: LivingTable) -> LiveDice:
    return LiveDice(HubPort(table.port, DieFaces(), HubSettings()))


@pytest.fixture
def live(table):
    with live_dice(table) as live:
        yield live


def calibration(live: LiveDice, typed: str, monkeypatch, patience=NOT_LONG) -> Calibration:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return Calibration(live, 2, words_for("en"), patience)


def test_a_die_that_never_reports_is_an_error(table, live, monkeypatch, capsys):
    with pytest.raises(UrpiError, match=r"The hub at .* has no report of die 2; check its battery"):
        calibration(live, "", monkeypatch).run()
    assert "pick it up and put it down" in capsys.readouterr().out


def test_a_die_that_does_not_respond_is_waited_for_and_retried(table, live, monkeypatch, capsys):
    table.lay(2, 1)
    table.until(lambda: live.health.dice == (2,))
    table.do(lambda: table.table.dice.disconnect(2))
    with pytest.raises(click.Abort):
        calibration(live, "\n", monkeypatch).run()
    output = capsys.readouterr().out
    assert "Die 2 is asleep; tap the table beside it." in output
    assert "Die 2 did not respond. Bring it nearer" in output
    assert output.count("Put die 2 on the table with tip 1 (gold) up") == 2


def test_a_die_moved_during_calibration_is_retried(tmp_path, monkeypatch, capsys):
    with living_table(tmp_path, flies=False) as table, live_dice(table) as live:
        table.lay(2, 1)
        table.until(lambda: live.health.dice == (2,))
        calibrating = calibration(live, "\n", monkeypatch, Timeouts(awake_s=2.5))
        table.begin(lambda: table.table.dice.throw([2]))
        table.until(lambda: table.table.dice._bodies[2].moves)
        with pytest.raises(click.Abort):
            calibrating.run()
    output = capsys.readouterr().out
    assert "Die 2 was moved during calibration. Try again." in output
    assert "Calibrated:" not in output


def test_a_leaning_die_is_retried(table, live, monkeypatch, capsys):
    table.lay(2, 1)
    table.until(lambda: live.health.dice == (2,))
    cocked = DieReport(2, "cocked", angle_deg=31)
    monkeypatch.setattr(
        table.table.dice, "calibrate", lambda _die, _face: table.table.rig._report(cocked)
    )
    with pytest.raises(click.Abort):
        calibration(live, "\n", monkeypatch).run()
    assert "Die 2 leans on something. Put it flat and try again." in capsys.readouterr().out


def test_faces_not_turned_up_fail_the_check(table, live, monkeypatch, capsys):
    table.lay(2, 1)
    # All four faces are calibrated with the die unmoved, so none is turned up in the check.
    patience = Timeouts(check_s=0.3)
    assert calibration(live, "\n\n\n\n", monkeypatch, patience).run() is False
    output = capsys.readouterr().out
    assert output.count("was not recognized; calibrate die 2 again.") == 4
