"""Hub and dice, run from their images: from gravity to the hub's lines and back."""

import pytest

from .simulator import Simulator, SimulatorRefusedError

# The first one may have to wait for the compilers.
pytestmark = [pytest.mark.usefixtures("simulator_built"), pytest.mark.timeout(240)]

START_MS = 4000
THROW_MS = 5000
LOST_MS = 120_000


def started(*options, **more):
    """A simulator whose dice are about to say how they lie."""
    return Simulator(options=("--seed", "11", *options), **more)


def truth(simulator, die):
    return simulator.status()["dice"][die - 1]


def of_state(lines, *states):
    return [line for line in lines if line.state in states]


def test_every_die_says_how_it_lies_when_it_is_switched_on():
    with started() as simulator:
        faces = {line.die: int(line.value["face"]) for line in simulator.reports(START_MS)}
        assert faces == {die: truth(simulator, die)["face"] for die in (1, 2, 3, 4)}


@pytest.mark.parametrize("kind", ["4", "6"])
def test_a_throw_is_told_as_rolling_and_then_as_the_face_that_is_up(kind):
    with started("--kind", kind) as simulator:
        simulator.run(START_MS)
        for seed in range(4):
            simulator.command(f"throw all seed={seed}")
            lines = simulator.reports(THROW_MS)
            assert sorted(line.die for line in of_state(lines, "rolling")) == [1, 2, 3, 4]
            settled = of_state(lines, "settled", "cocked")
            told = {line.die: (line.state, int(line.value["face"])) for line in settled}
            seen = {die: ("settled", truth(simulator, die)["face"]) for die in (1, 2, 3, 4)}
            assert told == seen, f"throw all seed={seed}"


def test_a_settled_die_is_told_within_four_tenths_of_a_second_of_lying_still():
    with started("--dice", "1") as simulator:
        simulator.run(START_MS)
        for seed in range(5):
            simulator.command(f"throw 1 seed={seed}")
            told = simulator.until(THROW_MS, lambda line: line.value.get("st") == "settled")
            late_ms = told.arrived_ms - truth(simulator, 1)["still_since_ms"]
            assert 250 <= late_ms <= 400, f"throw 1 seed={seed}"
            simulator.run(500)


def test_a_die_turned_by_hand_is_told_apart_from_a_throw():
    with started("--dice", "1") as simulator:
        simulator.run(START_MS)
        for face in (1, 2, 3, 4):
            simulator.command(f"place 1 {face}")
            lines = simulator.reports(THROW_MS)
            assert [line.state for line in lines] == ["handled", "settled"]
            assert lines[1].value["face"] == str(face)
            assert lines[1].value["n"] == "0", "no throw"


@pytest.mark.parametrize("angle", [20, 30])
def test_a_leaning_die_is_cocked(angle):
    with started("--dice", "1") as simulator:
        simulator.run(START_MS)
        simulator.command(f"lean 1 {angle}")
        line = simulator.reports(THROW_MS)[-1]
        assert line.state == "cocked"
        assert abs(int(line.value["ang"]) - angle) <= 3


@pytest.mark.parametrize("deed", ["nudge", "knock"])
def test_a_pushed_die_and_a_blow_on_the_table_are_no_throw(deed):
    with started() as simulator:
        simulator.run(START_MS)
        simulator.command(f"{deed} all")
        assert not of_state(simulator.reports(THROW_MS), "rolling", "cocked")


def test_no_throw_is_lost_or_doubled_when_every_second_packet_is():
    with started() as simulator:
        simulator.command("radio loss=0.5")
        simulator.run(3 * START_MS)
        for seed in range(5):
            simulator.command(f"throw all seed={seed}")
            lines = simulator.reports(THROW_MS)
            assert sorted(line.die for line in of_state(lines, "settled")) == [1, 2, 3, 4]
        assert simulator.status()["air"]["lost"] > 20


def test_what_nobody_acknowledges_is_said_again():
    with started("--dice", "1", acknowledges=False) as simulator:
        first = simulator.until(START_MS, lambda line: line.kind == "DIE")
        repeats = 0
        for _ in simulator.steps(1000):
            repeats = simulator.wire.said[first.value["seq"]] - 1
        assert 5 <= repeats <= 7


def test_a_die_out_of_hearing_is_lost_and_found_again():
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


def test_a_dead_accelerometer_is_told():
    with started("--dice", "1") as simulator:
        simulator.run(START_MS)
        simulator.command("break 1 accel")
        lines = simulator.reports(12_000)
        assert [(line.state, line.value.get("err")) for line in lines] == [("lost", "accel")]
        simulator.command("mend 1 accel")
        assert simulator.reports(12_000)[-1].state == "settled"


def test_a_dies_dead_radio_is_told_by_its_lamp_and_its_throws_wait():
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
        simulator.command("mend 1 radio")
        lines = simulator.reports(10_000)
        assert [line.state for line in lines] == ["rolling", "settled"]
        assert int(lines[1].value["face"]) == truth(simulator, 1)["face"]


def test_the_hubs_dead_radio_is_told_and_comes_back():
    with started("--dice", "1") as simulator:
        simulator.run(START_MS)
        simulator.command("break hub radio")
        greeting = simulator.until(3000, lambda line: line.value.get("err") == "radio")
        assert greeting.kind == "HUB"
        simulator.run(3000)
        hub = simulator.status()["hub"]
        assert hub["lamp"]
        assert hub["resets"]["watchdog"] == 0, "it works on, and can be told so"
        simulator.command("mend hub radio")
        simulator.until(3000, lambda line: line.kind == "HUB" and "err" not in line.value)
        simulator.command("throw 1 seed=1")
        simulator.until(THROW_MS, lambda line: line.value.get("st") == "settled")


def test_no_radio_is_told_to_send_or_listen_before_its_quartz_runs():
    with started("--dice", "2") as simulator:
        simulator.run(START_MS)
        simulator.command("restart hub")
        simulator.run(START_MS)
        status = simulator.status()
        hasty = [board["radio"]["hasty"] for board in (status["hub"], *status["dice"])]
        assert hasty == [0, 0, 0]


def test_a_die_at_a_board_that_is_switched_off_draws_what_it_draws_at_rest():
    with started("--dice", "2") as simulator:
        simulator.run(START_MS)
        simulator.command("off hub")
        simulator.run(60_000, step_ms=1000)
        before = [die["charge_uc"]["whole"] for die in simulator.status()["dice"]]
        simulator.run(160_000, step_ms=1000)
        after = [die["charge_uc"]["whole"] for die in simulator.status()["dice"]]
        drawn_ua = [(late - early) / 160 for early, late in zip(before, after, strict=True)]
        assert max(drawn_ua) < 25, drawn_ua


def test_a_flat_cell_silences_its_die_until_it_is_charged():
    with started("--dice", "1") as simulator:
        simulator.run(START_MS)
        simulator.command("battery 1 2500")
        assert [line.state for line in simulator.reports(LOST_MS, step_ms=100)] == ["lost"]
        simulator.command("battery 1 3650")
        line = simulator.until(START_MS, lambda line: line.value.get("st") == "settled")
        assert abs(int(line.value["bat"]) - 3650) < 30
        assert truth(simulator, 1)["resets"]["brown_out"] == 1


def test_a_restarted_hub_hears_of_every_die_again():
    with started() as simulator:
        simulator.run(START_MS)
        simulator.command("restart hub")
        simulator.run(40_000, step_ms=100)
        greeting = simulator.until(2000, lambda line: line.kind == "HUB")
        assert greeting.value["dice"] == "4"


def test_the_lamp_shows_which_die_it_is():
    with started("--dice", "2") as simulator:
        simulator.run(START_MS)
        simulator.write("LED,die=2,on=1")
        simulator.run(2500)
        assert [die["lamp"] for die in simulator.status()["dice"]] == [False, True]
        simulator.write("LED,die=2,on=0")
        simulator.run(10_000, step_ms=100)
        assert not truth(simulator, 2)["lamp"]


def learn(simulator, faces):
    """Walks through the faces, as `urpi dice calibrate` does; the last report."""
    line = None
    for face in faces:
        simulator.command(f"place 1 {face}")
        simulator.run(THROW_MS)
        simulator.write(f"CAL,die=1,face={face}")
        line = simulator.until(THROW_MS, lambda line: line.kind == "DIE")
    return line


def test_a_die_learns_its_faces_and_keeps_them_without_power():
    with started("--dice", "1", "--unlearnt") as simulator:
        assert simulator.reports(START_MS)[0].value["err"] == "cal"
        assert "err" not in learn(simulator, (2, 1, 4, 3)).value
        simulator.command("restart 1")
        line = simulator.until(START_MS, lambda line: line.kind == "DIE")
        assert "err" not in line.value
        assert (line.value["face"], line.value["ang"]) == ("3", "0")


def test_a_power_cut_while_it_learns_leaves_the_old_faces():
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
    ("command", "says"),
    [
        ("throw 9", "there is no die 9, they are 1 to 4"),
        ("throw", "name dice, or all"),
        ("place 1 5", "there is no face 5, they are 1 to 4"),
        ("lean 1 90", "1 to 35 degrees"),
        ("break 1 lamp", "accel and radio, but no lamp"),
        ("break hub accel", "the hub has a radio, but no accel"),
        ("radio loss=2", "a number from 0 to 1"),
        ("dance", "there is no command dance"),
        ("", "an empty line is no command"),
    ],
)
def test_a_command_that_makes_no_sense_is_answered_with_why(command, says):
    with started() as simulator, pytest.raises(SimulatorRefusedError, match=says):
        simulator.command(command)


def test_the_same_seed_gives_the_same_lines():
    def lines_of_a_game():
        with started("--seed", "5") as simulator:
            simulator.command("radio loss=0.3")
            simulator.command("throw all")
            return simulator.run(8000)

    assert lines_of_a_game() == lines_of_a_game()
