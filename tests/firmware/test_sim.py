"""The images of hub and dice in the simulator, from gravity to the hub's lines and back."""

from itertools import pairwise

import pytest

from .simulator import Simulator, SimulatorRefusedError

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("simulator_built")]

START_MS = 4000
THROW_MS = 5000
LOST_MS = 120_000


def started(*options, **more):
    """Return a simulator whose dice are about to report their faces."""
    return Simulator(options=("--seed", "11", *options), **more)


def truth(simulator, die):
    return simulator.status()["dice"][die - 1]


def of_state(lines, *states):
    return [line for line in lines if line.state in states]


def test_every_die_reports_its_face_when_switched_on():
    with started() as simulator:
        faces = {line.die: int(line.value["face"]) for line in simulator.reports(START_MS)}
        assert faces == {die: truth(simulator, die)["face"] for die in (1, 2, 3, 4)}


@pytest.mark.parametrize("kind", ["4", "6"])
def test_throw_is_reported_as_rolling_and_then_settled(kind):
    with started("--kind", kind) as simulator:
        simulator.run(START_MS)
        for seed in range(4):
            simulator.command(f"throw all seed={seed}")
            lines = simulator.reports(THROW_MS)
            assert sorted(line.die for line in of_state(lines, "rolling")) == [1, 2, 3, 4]
            settled = of_state(lines, "settled", "cocked")
            reported = {line.die: (line.state, int(line.value["face"])) for line in settled}
            seen = {die: ("settled", truth(simulator, die)["face"]) for die in (1, 2, 3, 4)}
            assert reported == seen, f"throw all seed={seed}"


def test_settled_is_reported_within_400_ms_at_rest():
    with started("--dice", "1") as simulator:
        simulator.run(START_MS)
        for seed in range(5):
            simulator.command(f"throw 1 seed={seed}")
            reported = simulator.until(THROW_MS, lambda line: line.value.get("st") == "settled")
            late_ms = reported.arrived_ms - truth(simulator, 1)["still_since_ms"]
            assert 250 <= late_ms <= 400, f"throw 1 seed={seed}"
            simulator.run(500)


def test_die_turned_by_hand_is_not_thrown():
    with started("--dice", "1") as simulator:
        simulator.run(START_MS)
        for face in (1, 2, 3, 4):
            simulator.command(f"place 1 {face}")
            lines = simulator.reports(THROW_MS)
            assert [line.state for line in lines] == ["handled", "settled"]
            assert lines[1].value["face"] == str(face)
            assert lines[1].value["n"] == "0", "no throw"


@pytest.mark.parametrize("angle", [20, 30])
def test_leaning_die_is_cocked(angle):
    with started("--dice", "1") as simulator:
        simulator.run(START_MS)
        simulator.command(f"lean 1 {angle}")
        line = simulator.reports(THROW_MS)[-1]
        assert line.state == "cocked"
        assert abs(int(line.value["ang"]) - angle) <= 3


@pytest.mark.parametrize("action", ["nudge", "knock"])
def test_pushed_die_and_knock_on_the_table_are_not_throws(action):
    with started() as simulator:
        simulator.run(START_MS)
        simulator.command(f"{action} all")
        assert not of_state(simulator.reports(THROW_MS), "rolling", "cocked")


def test_no_throw_is_lost_or_doubled_if_every_second_packet_is_lost():
    with started() as simulator:
        simulator.command("radio loss=0.5")
        simulator.run(3 * START_MS)
        for seed in range(5):
            simulator.command(f"throw all seed={seed}")
            lines = simulator.reports(THROW_MS)
            assert sorted(line.die for line in of_state(lines, "settled")) == [1, 2, 3, 4]
        assert simulator.status()["air"]["lost"] > 20


def test_unacknowledged_report_is_repeated():
    with started("--dice", "1", acknowledges=False) as simulator:
        first = simulator.until(START_MS, lambda line: line.kind == "DIE")
        repeats = 0
        for _ in simulator.steps(1000):
            repeats = simulator.wire.reports[first.value["seq"]] - 1
        assert 5 <= repeats <= 7


def test_die_out_of_range_is_lost_and_found_again():
    with started("--dice", "2") as simulator:
        simulator.run(START_MS)
        simulator.command("radio cut 2")
        assert [(line.die, line.state) for line in simulator.reports(LOST_MS, step_ms=100)] == [
            (2, "lost")
        ]
        simulator.command("radio on 2")
        assert [(line.die, line.state) for line in simulator.reports(40_000, step_ms=100)] == [
            (2, "found")
        ]


def test_failed_accelerometer_is_reported():
    with started("--dice", "1") as simulator:
        simulator.run(START_MS)
        simulator.command("break 1 accel")
        lines = simulator.reports(12_000)
        assert [(line.state, line.value.get("err")) for line in lines] == [("lost", "accel")]
        simulator.command("repair 1 accel")
        assert simulator.reports(12_000)[-1].state == "settled"


@pytest.mark.slow
def test_die_that_is_woken_all_the_time_saves_its_cell_and_reports_it():
    with started("--dice", "1") as simulator:
        simulator.run(START_MS)
        simulator.command("break 1 int1")
        lines = simulator.reports(60_000, step_ms=100)
        assert (lines[-1].state, lines[-1].value.get("err")) == ("settled", "wakes")
        before = truth(simulator, 1)["charge_uc"]["whole"]
        simulator.run(160_000, step_ms=1000)
        drawn_ua = (truth(simulator, 1)["charge_uc"]["whole"] - before) / 160
        assert drawn_ua < 450, drawn_ua
        simulator.command("repair 1 int1")
        simulator.run(40_000, step_ms=100)
        simulator.command("throw 1 seed=3")
        last = simulator.reports(THROW_MS)[-1]
        assert (last.value["face"], last.value.get("err")) == (
            str(truth(simulator, 1)["face"]),
            None,
        )


def test_dies_failed_radio_blinks_its_lamp_and_keeps_its_reports():
    with started("--dice", "1") as simulator:
        simulator.run(3 * START_MS)
        simulator.command("break 1 radio")
        simulator.command("throw 1 seed=3")
        blinks, lit = 0, False
        for lines in simulator.steps(20_000, step_ms=50):
            assert not any(line.kind == "DIE" for line in lines)
            was, lit = lit, truth(simulator, 1)["lamp"]
            blinks += lit and not was
        assert blinks >= 3
        simulator.command("repair 1 radio")
        lines = simulator.reports(10_000)
        assert [line.state for line in lines][-2:] == ["rolling", "settled"]
        assert int(lines[-1].value["face"]) == truth(simulator, 1)["face"]
        assert lines[-1].value["thr"] == "1"


def test_die_without_sensor_and_radio_blinks_three_times_as_the_check_of_its_maker():
    """As after the second step of wiring a die by hand (docs/build/wiring.md)."""
    with started("--dice", "1") as simulator:
        simulator.command("break 1 radio")
        simulator.command("break 1 accel")
        simulator.command("restart 1")
        begun, lit, passed_ms = [], False, 0
        for _ in simulator.steps(40_000, step_ms=50):
            passed_ms += 50
            was, lit = lit, truth(simulator, 1)["lamp"]
            if lit and not was:
                begun.append(passed_ms)
        bursts = [at for before, at in pairwise([-10_000, *begun]) if at - before > 2000]
        assert len(begun) == 3 * len(bursts)
        assert len(bursts) >= 4
        assert all(7_000 < each - before < 9_500 for before, each in pairwise(bursts[1:])), bursts


def test_hubs_failed_radio_is_reported_and_recovers():
    with started("--dice", "1") as simulator:
        simulator.run(START_MS)
        simulator.command("break hub radio")
        greeting = simulator.until(3000, lambda line: line.value.get("err") == "radio")
        assert greeting.kind == "HUB"
        simulator.run(3000)
        hub = simulator.status()["hub"]
        assert hub["lamp"]
        assert hub["resets"]["watchdog"] == 0, "it keeps running and accepts commands"
        simulator.command("repair hub radio")
        simulator.until(3000, lambda line: line.kind == "HUB" and "err" not in line.value)
        simulator.command("throw 1 seed=1")
        simulator.until(THROW_MS, lambda line: line.value.get("st") == "settled")


def test_radio_waits_for_its_crystal_before_sending_or_listening():
    with started("--dice", "2") as simulator:
        simulator.run(START_MS)
        simulator.command("restart hub")
        simulator.run(START_MS)
        status = simulator.status()
        hasty = [board["radio"]["hasty"] for board in (status["hub"], *status["dice"])]
        assert hasty == [0, 0, 0]


def test_consumption_with_the_board_switched_off():
    with started("--dice", "2") as simulator:
        simulator.run(START_MS)
        simulator.command("off hub")
        simulator.run(60_000, step_ms=1000)
        before = [die["charge_uc"]["whole"] for die in simulator.status()["dice"]]
        simulator.run(160_000, step_ms=1000)
        after = [die["charge_uc"]["whole"] for die in simulator.status()["dice"]]
        drawn_ua = [(late - early) / 160 for early, late in zip(before, after, strict=True)]
        assert max(drawn_ua) < 25, drawn_ua


def test_die_with_an_empty_cell_is_lost_until_charged():
    with started("--dice", "1") as simulator:
        simulator.run(START_MS)
        simulator.command("battery 1 2500")
        assert [line.state for line in simulator.reports(LOST_MS, step_ms=100)] == ["lost"]
        simulator.command("battery 1 3650")
        line = simulator.until(START_MS, lambda line: line.value.get("st") == "settled")
        assert abs(int(line.value["bat"]) - 3650) < 30
        assert truth(simulator, 1)["resets"]["brown_out"] == 1


def test_battery_measurement_is_calibrated_by_the_cells_voltage():
    with started("--dice", "1") as simulator:
        simulator.run(START_MS)
        simulator.write("BAT,die=1,bat=4000")
        line = simulator.until(START_MS, lambda line: line.value.get("bat", "0") > "3950")
        assert abs(int(line.value["bat"]) - 4000) < 20
        simulator.command("restart 1")
        line = simulator.until(START_MS, lambda line: line.value.get("st") == "settled")
        assert abs(int(line.value["bat"]) - 4000) < 20


def test_dice_with_the_same_number_are_reported():
    with started("--dice", "2", "--twins") as simulator:
        lines = simulator.reports(60_000, step_ms=100)
        assert {line.die for line in lines} == {1}
        assert lines[-1].value.get("err") == "twin"


def test_restarted_hub_receives_every_die_again():
    with started() as simulator:
        simulator.run(START_MS)
        simulator.command("restart hub")
        simulator.run(40_000, step_ms=100)
        greeting = simulator.until(2000, lambda line: line.kind == "HUB")
        assert greeting.value["dice"] == "4"


def test_lamp_of_the_given_die_is_switched_on():
    with started("--dice", "2") as simulator:
        simulator.run(START_MS)
        simulator.write("LED,die=2,on=1")
        simulator.run(2500)
        assert [die["lamp"] for die in simulator.status()["dice"]] == [False, True]
        simulator.write("LED,die=2,on=0")
        simulator.run(10_000, step_ms=100)
        assert not truth(simulator, 2)["lamp"]


def calibrate(simulator, faces):
    """Calibrate each face as `urpi dice calibrate` does, and return the last report."""
    line = None
    for face in faces:
        simulator.command(f"place 1 {face}")
        simulator.run(THROW_MS)
        simulator.write(f"CAL,die=1,face={face}")
        line = simulator.until(THROW_MS, lambda line: line.kind == "DIE")
    return line


@pytest.mark.slow
def test_calibration_is_kept_without_power():
    with started("--dice", "1", "--uncalibrated") as simulator:
        assert simulator.reports(START_MS)[0].value["err"] == "cal"
        assert "err" not in calibrate(simulator, (2, 1, 4, 3)).value
        simulator.command("restart 1")
        line = simulator.until(START_MS, lambda line: line.kind == "DIE")
        assert "err" not in line.value
        assert (line.value["face"], line.value["ang"]) == ("3", "0")


def test_power_cut_during_calibration_keeps_the_old_faces():
    with started("--dice", "1") as simulator:
        simulator.run(START_MS)
        simulator.command("place 1 2")
        simulator.run(THROW_MS)
        simulator.write("CAL,die=1,face=2")
        simulator.run(1150)
        for _ in range(40):  # the write takes 143 ms somewhere in here
            simulator.run(15)
            simulator.command("restart 1")
            line = simulator.until(START_MS, lambda line: line.kind == "DIE")
            assert "err" not in line.value
            assert line.value["face"] == "2"
            simulator.write("CAL,die=1,face=2")
            simulator.run(250)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("throw 9", "there is no die 9, they are 1 to 4"),
        ("throw", "throw needs dice, or all"),
        ("place 1 5", "there is no face 5, they are 1 to 4"),
        ("lean 1 90", "1 to 35 degrees"),
        ("break 1 lamp", "accel, int1 and radio, but no lamp"),
        ("break hub accel", "the hub has a radio, but no accel"),
        ("radio loss=2", "a number from 0 to 1"),
        ("dance", "there is no command dance"),
        ("", "an empty line is not a command"),
    ],
)
def test_error_of_an_invalid_command_names_the_reason(command, message):
    with started() as simulator, pytest.raises(SimulatorRefusedError, match=message):
        simulator.command(command)


def test_same_seed_produces_the_same_lines():
    def lines_of_a_game():
        with started("--seed", "5") as simulator:
            simulator.command("radio loss=0.3")
            simulator.command("throw all")
            return simulator.run(8000)

    assert lines_of_a_game() == lines_of_a_game()
