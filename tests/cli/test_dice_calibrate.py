"""`urpi dice calibrate`: the dialogue with a simulated person at a virtual table."""

import io
import re
from dataclasses import replace
from random import Random

import click
import pytest

from tests.cli.living_table import DEADLINE_S, LivingTable, living_table
from tests.cli.running import Running, call, running
from tests.slow import mostly_slow, slow_except
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
        command.read_until("Die 2 is a d4. Its lamp is on while this runs.")
        yield command


def tip_in(line: str) -> int:
    found = re.search(r"tip (\d)", line)
    assert found
    return int(found[1])


def teach(table: LivingTable, calibrating: Running, tips: int = 4) -> None:
    """Turn the requested face up and press Enter, until that many faces are calibrated.

    A face is asked for again if its report came too late, as on a busy machine it may.
    """
    while tips:
        line = calibrating.read_until("tip ")
        if line.startswith("Calibrated: "):
            tips -= 1
        elif "then press Enter" in line:
            table.lay(2, tip_in(line))
            calibrating.type("\n")


def names(table: LivingTable) -> list[int]:
    return table.table.dice._bodies[2].names


def test_a_die_with_permuted_faces_is_calibrated_and_checked(table, calibrating):
    names(table)[:] = [3, 1, 4, 2]
    table.until(lambda: table.table.rig.lamps == {2})
    teach(table, calibrating)
    for _ in range(4):
        table.lay(2, tip_in(calibrating.read_until("up.")))
        assert "° off." in calibrating.read_until("Right: ")
    calibrating.read_until("All faces of die 2 are calibrated.")
    assert (calibrating.end(), calibrating.errors) == (0, "")
    assert names(table) == [1, 2, 3, 4]
    table.until(lambda: table.table.rig.lamps == set())


@pytest.mark.slow
def test_each_face_is_named_by_what_it_shows(table, calibrating):
    assert "tip 1 (gold) up" in calibrating.read_until("Put die 2 on the table with")
    calibrating.type("\n")
    assert calibrating.read_until("Calibrated").startswith("Calibrated: tip 1 (gold) up, ")
    assert "tip 2 (silver) up" in calibrating.read_until("Put die 2")


@pytest.mark.slow
def test_a_wrong_tip_in_the_check_is_reported_and_can_be_corrected(table, calibrating):
    teach(table, calibrating)
    calibrating.read_until("Put tip 1 (gold) up.")
    table.lay(2, 3)
    line = calibrating.read_until("It reports")
    assert line == "It reports tip 3 (blank), not tip 1 (gold). Is tip 1 (gold) up?"
    table.lay(2, 1)
    calibrating.read_until("Right: tip 1 (gold)")


@pytest.mark.slow
def test_an_interrupt_switches_the_lamp_off_and_reports_what_was_kept(table, calibrating):
    teach(table, calibrating, tips=1)
    calibrating.read_until("tip 2 (silver) up")
    assert calibrating.interrupt() == 130
    assert calibrating.passed[-1].startswith("Stopped. Calibrated faces are kept")
    assert calibrating.errors == ""
    table.until(lambda: table.table.rig.lamps == set())


@pytest.mark.slow
def test_the_end_of_the_input_has_the_same_effect(table, calibrating):
    assert calibrating.process.stdin is not None
    calibrating.process.stdin.close()
    assert calibrating.end() == 130
    table.until(lambda: table.table.rig.lamps == set())


@pytest.mark.parametrize(
    "words",
    slow_except(
        ["calibrate --die 2", "forget 3", "watch", "watch --json", "test"], "calibrate --die 2"
    ),
)
def test_a_missing_hub_is_a_one_line_error(tmp_path, words):
    done = call("dice", *words.split(), "--port", str(tmp_path / "none"))
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"The dice hub at {tmp_path / 'none'} is not available: ")
    assert done.stderr.endswith("; plug it in, or set its --port.\n")


@pytest.mark.parametrize("die", mostly_slow(["0", "9", "two"], 2))
def test_an_invalid_die_number_is_refused(die):
    done = call("dice", "calibrate", "--die", die)
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


@pytest.mark.slow
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


def test_a_die_moved_during_calibration_is_retried(table, live, monkeypatch, capsys):
    table.lay(2, 1)
    table.until(lambda: live.health.dice == (2,))
    dice, rig = table.table.dice, table.table.rig
    moved = replace(dice.motion(2), face=2, tumbles=3)
    monkeypatch.setattr(dice, "calibrate", lambda _die, _face: rig._report(moved))
    with pytest.raises(click.Abort):
        calibration(live, "\n", monkeypatch).run()
    output = capsys.readouterr().out
    assert "Die 2 was moved during calibration. Try again." in output
    assert "Calibrated:" not in output


def test_a_die_that_is_not_yet_at_rest_is_waited_for(tmp_path, monkeypatch, capsys):
    with living_table(tmp_path, flies=False) as table, live_dice(table) as live:
        table.lay(2, 1)
        table.until(lambda: live.health.dice == (2,))
        calibrating = calibration(live, "\n", monkeypatch, Timeouts(awake_s=DEADLINE_S))
        table.begin(lambda: table.table.dice.throw([2]))
        table.until(lambda: table.table.dice._bodies[2].moves)
        with pytest.raises(click.Abort):
            calibrating.run()
        assert names(table)[table.table.dice._bodies[2].up] == 1
    output = capsys.readouterr().out
    assert "Calibrated: tip 1" in output
    assert "moved during calibration" not in output


class LatePerson:
    """A person whose die is slow: its reports can come late and twice, with their own time.

    The report of how it was put down comes at once, together with the response to the command,
    or after the tap that wakes the die. In the check, a report of another face made before the
    instruction comes after it.
    """

    def __init__(self, table: LivingTable, seed: int) -> None:
        self.table, self._rng = table, Random(seed)
        self._dice, self._hub = table.table.dice, table.table.rig.hub
        self._calibrates = self._dice.calibrate
        self._late: list[bytes] = []
        self._sleeps: int | None = None
        """The face of the command that waits for a tap, None if none does."""
        self._tapped = False
        self.printed: list[str] = []
        self.lies: list[bool] = []
        """Whether the die had the number of its tip whenever this was printed."""

    def readline(self) -> str:
        """Put the requested tip up, and press Enter."""
        self._put(tip_in(self.printed[-1]))
        return "\n"

    def _put(self, tip: int) -> None:
        self.table.lay(2, tip)
        if self._rng.random() < 0.7:
            # It was put down so calmly that its report is that of a calibration.
            face = tip if self._rng.random() < 0.5 else self._rng.randint(1, 4)
            calm = replace(self._dice.motion(2), face=face, tumbles=0, fall_ms=0)
            self.table.do(lambda: self._keep(calm))

    def _keep(self, report: DieReport) -> None:
        """Make the line of a report that the hub will receive later."""
        known = dict(self._hub._last), dict(self._hub._pending)
        line = self._hub.report(report, self.table.table.schedule.now)
        self._hub._last, self._hub._pending = known
        self._late += [line] * self._rng.choice([1, 1, 2])

    def _send_late(self) -> None:
        late, self._late = self._late, []
        self.table.table.rig._send(b"".join(late))

    def calibrate(self, _die: int, face: int) -> None:
        """Obey the command at once, or after a tap."""
        if self._rng.random() < 0.5:
            self._send_late()
        if self._rng.random() < 0.5 and not self._tapped:
            self._sleeps = face
        else:
            self._obey(face)

    def _tap(self) -> None:
        self._tapped = True
        if self._sleeps is not None:
            self._obey(self._sleeps)

    def _obey(self, face: int) -> None:
        self._sleeps, self._tapped = None, False
        self._send_late()
        self._calibrates(2, face)

    def echo(self, text: str) -> None:
        """Read what the command prints, and do what it asks for."""
        self.printed.append(text)
        if "tap the table" in text:
            self.table.do(self._tap)
        elif text.startswith("Calibrated:"):
            body = self._dice._bodies[2]
            self.lies.append(body.names[body.up] == tip_in(text))
        elif text.endswith("up."):
            self.table.do(self._send_late)
            self.table.lay(2, tip_in(text))


@pytest.mark.parametrize("seed", slow_except(range(12), 1, 2))
def test_a_report_from_before_the_instruction_does_not_answer_it(table, live, monkeypatch, seed):
    table.lay(2, 1)
    table.until(lambda: live.health.dice == (2,))
    Random(seed).shuffle(names(table))
    person = LatePerson(table, seed)
    monkeypatch.setattr(table.table.dice, "calibrate", person.calibrate)
    monkeypatch.setattr(click, "echo", person.echo)
    calibrating = calibration(live, "", monkeypatch, Timeouts(awake_s=0.3, asleep_s=DEADLINE_S))
    monkeypatch.setattr("sys.stdin", person)
    assert calibrating.run(), person.printed
    assert person.lies == [True] * 4
    assert not [each for each in person.printed if "moved" in each or "It reports" in each]


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
