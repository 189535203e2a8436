"""The images that are flashed, on the second model of the boards (firmware/second_model).

It shares no code with the simulator, and counts as a violation whatever a data sheet does not
allow, so each test ends with none. `SEED` selects the tolerances of all parts and the motions.
"""

import shutil

import pytest

from .conftest import FIRMWARE, make
from .second_model import RefusedError, SecondModel
from .simulator import Simulator

pytestmark = [pytest.mark.usefixtures("model_built"), pytest.mark.slow]

SEED = 1
READY_MS = 3000
ROUND_MS = 4200
LATE_MS = 400  # 250 ms at rest, by a sensor that is 10 % slow, and sending


@pytest.fixture(scope="module")
def model_built(toolchain):
    make(FIRMWARE, "die", "hub")
    make(FIRMWARE / "second_model")


@pytest.fixture
def started(tmp_path):
    """Return models with the given dice, and check at the end that they saw no violation."""
    models = []

    def start(*numbers, seed=SEED, options=(), **more):
        options = ("--seed", str(seed), *options)
        model = SecondModel(tmp_path, numbers=numbers or (1,), options=options, **more).__enter__()
        models.append(model)
        return model

    yield start
    violations = [text for model in models for text in model.violations()]
    for model in models:
        model.__exit__()
    assert not violations


def moved(model, motion, faces, ms=ROUND_MS):
    """Move the dice to these faces, and return their lines, and how late the last ones are."""
    rests = [model.move(die, motion, face) for die, face in enumerate(faces, 1)]
    lines = model.reports(ms)
    mine = [[line for line in lines if line.die == die] for die in range(1, len(faces) + 1)]
    late = [
        lines_[-1].arrived_ms - rest for lines_, rest in zip(mine, rests, strict=True) if lines_
    ]
    return mine, late


def faces_after(model, step):
    """Return other faces than those that are up."""
    kind = model.kind
    return [(it["face"] - 1 + step) % kind + 1 for it in model.status()["boards"][1:]]


def ends(mine):
    """Return the state, face and verdict of each die's last line."""
    return [
        (lines[-1].state, int(lines[-1].value.get("face", 0)), lines[-1].value.get("thr"))
        for lines in mine
    ]


@pytest.mark.parametrize("kind", [4, 6])
def test_every_die_reports_its_face_after_power_on(started, kind):
    model = started(1, 2, 3, 4, kind=kind)
    lines = model.reports(READY_MS)
    assert {line.die: int(line.value["face"]) for line in lines} == {
        die: model.board(die)["face"] for die in (1, 2, 3, 4)
    }
    assert max(line.arrived_ms for line in lines) < 1500


@pytest.mark.parametrize(("kind", "seed", "rounds"), [(4, 1, 30), (6, 2, 30)])
def test_no_throw_has_a_wrong_face(started, kind, seed, rounds):
    model = started(1, 2, 3, 4, kind=kind, seed=seed)
    model.run(READY_MS)
    latest = []
    for number in range(rounds):
        faces = faces_after(model, 1 + number % (kind - 1))
        mine, late = moved(model, "throw", faces)
        assert ends(mine) == [("settled", face, "1") for face in faces], f"round {number}"
        latest += late
    assert max(latest) < LATE_MS
    boards = model.status()["boards"]
    assert min(board["stack_headroom"] for board in boards[1:]) > 512, boards
    assert boards[0]["stack_headroom"] >= 400, boards


@pytest.mark.parametrize("motion", ["set-down", "drop", "place"])
def test_die_that_is_put_down_is_not_thrown(started, motion):
    model = started(1, 2, 3, 4)
    model.run(READY_MS)
    for step in (1, 2, 3):
        faces = faces_after(model, step)
        mine, _ = moved(model, motion, faces)
        assert ends(mine) == [("settled", face, "0") for face in faces]


def test_die_in_a_hand_is_not_thrown_and_a_knock_is_nothing(started):
    model = started(1, 2, 3, 4)
    model.run(READY_MS)
    for die in (1, 2, 3, 4):
        model.command(f"move {die} knock")
    assert model.reports(ROUND_MS) == []
    mine, _ = moved(model, "hold", faces_after(model, 1), 15_000)
    assert {line.value.get("thr", "0") for lines in mine for line in lines} == {"0"}


@pytest.mark.parametrize("clock", [0.9, 1.1])
@pytest.mark.parametrize("watchdog", [0.7, 1.3])
@pytest.mark.parametrize("rate", [0.9, 1.1])
def test_parts_at_the_ends_of_their_tolerances(started, clock, watchdog, rate):
    parts = ("--clock", str(clock), "--watchdog", str(watchdog), "--rate", str(rate))
    model = started(1, 2, options=parts)
    assert len(model.reports(READY_MS)) == 2
    faces = faces_after(model, 1)
    mine, late = moved(model, "throw", faces)
    assert ends(mine) == [("settled", face, "1") for face in faces]
    assert max(late) < LATE_MS


def test_die_with_a_slow_watchdog_is_not_lost(started):
    model = started(1, options=("--watchdog", "0.7"))
    model.run(READY_MS)
    assert model.reports(180_000, 1000) == []


def test_current_at_rest_and_no_wake_storm(started):
    model = started(1, 2, 3)
    model.run(READY_MS)
    moved(model, "throw", faces_after(model, 1))
    model.run(15_000, 1000)
    before = model.status()["boards"]
    assert model.reports(160_000, 1000) == []
    after = model.status()["boards"]
    for old, new in zip(before[1:], after[1:], strict=True):
        drawn_ua = (sum(new["charge_uc"].values()) - sum(old["charge_uc"].values())) / 160
        assert drawn_ua < 25, (drawn_ua, old, new)
        assert new["wakes"] - old["wakes"] < 40, "20 by the watchdog, and for 5 heartbeats"


@pytest.mark.parametrize("loss", [0.3, 0.6])
def test_every_throw_arrives_if_packets_are_lost(started, loss):
    model = started(1, 2, 3, 4)
    model.run(READY_MS)
    model.command(f"loss {loss}")
    for step in (1, 2, 3):
        faces = faces_after(model, step)
        mine, _ = moved(model, "throw", faces, 6000)
        assert ends(mine) == [("settled", face, "1") for face in faces]
    assert model.status()["lost"] > 10


def test_dice_with_the_same_number_are_reported(started):
    lines = started(1, 1).reports(60_000, 1000)
    assert {line.die for line in lines} == {1}
    assert lines[-1].value.get("err") == "twin"


def test_sensor_that_wakes_all_the_time_is_reported(started):
    model = started(1)
    model.run(READY_MS)
    model.command("set 1 int1-stuck")
    lines = model.reports(40_000, 100)
    assert lines[-1].value.get("err") == "wakes"


@pytest.mark.parametrize("cell", [4200, 3500, 3100])
@pytest.mark.parametrize("options", [(), ("aref-capacitor",)])
def test_battery_is_measured_within_the_reference_s_tolerance(started, cell, options):
    model = started(1)
    for option in options:
        model.command(f"set 1 {option}")
    model.command(f"supply 1 {cell}")
    line = model.until(READY_MS, lambda line: line.value.get("st") == "settled")
    assert abs(int(line.value["bat"]) / cell - 1) < 0.12, line


def test_empty_cell_stops_the_die_until_it_is_charged(started):
    model = started(1)
    model.run(READY_MS)
    model.command("supply 1 2300")
    assert [line.state for line in model.reports(120_000, 1000)] == ["lost"]
    assert model.board(1)["state"] == "reset"
    model.command("supply 1 3600")
    model.until(READY_MS, lambda line: line.value.get("st") == "settled")
    assert model.board(1)["resets"]["brown_out"] == 1


@pytest.mark.parametrize("how", ["external", "watchdog", "brown_out"])
def test_die_that_stops_within_a_transmission_recovers(started, how):
    model = started(1)
    model.command("set 1 csn-floats")
    model.run(READY_MS)
    for step in (1, 2, 3):
        face = faces_after(model, step)[0]
        model.move(1, "throw", face)
        model.run_into("packet")
        if how != "brown_out":
            model.command(f"reset 1 {how}".removesuffix(" external"))
        else:
            model.command("supply 1 2300")
            model.run(20)
            model.command("supply 1 3900")
        lines = model.reports(ROUND_MS)
        assert (lines[-1].state, lines[-1].value["face"]) == ("settled", str(face))
    resets = model.board(1)["resets"]
    assert {cause: times for cause, times in resets.items() if times} == {"power_on": 1, how: 3}


def test_die_that_is_reset_within_a_transfer_frees_the_sensor_s_bus(started):
    model = started(1)
    model.run(READY_MS)
    for number in range(6):
        face = faces_after(model, 1)[0]
        model.move(1, "throw", face)
        model.run(600 + 90 * number, 600)
        model.run_into("transfer")
        model.command("reset 1")
        last = model.reports(ROUND_MS)[-1]
        assert (last.state, last.value["face"], last.value.get("err")) == (
            "settled",
            str(face),
            None,
        )


def test_hub_that_is_reset_hears_the_dice_again(started):
    model = started(1, 2)
    model.command("set hub csn-floats")
    model.run(READY_MS)
    for number in range(3):
        model.run(100 + 7.3 * number, 100)
        model.command("reset hub")
        faces = faces_after(model, 1)
        mine, _ = moved(model, "throw", faces)
        assert ends(mine) == [("settled", face, "1") for face in faces]


def test_clone_of_the_radio_works(started):
    model = started(1, 2)
    for board in ("hub", "1", "2"):
        model.command(f"set {board} radio-clone")
    model.run(READY_MS)
    faces = faces_after(model, 1)
    mine, _ = moved(model, "throw", faces)
    assert ends(mine) == [("settled", face, "1") for face in faces]


def test_commands_reach_the_die(started):
    model = started(1, 2)
    model.run(READY_MS)
    model.write("LED,die=2,on=1")
    model.run(2500)
    assert [board["lamp"] for board in model.status()["boards"][1:]] == [False, True]


def test_calibrated_face_is_kept_without_power(started):
    model = started(1)
    model.run(READY_MS)
    assert model.board(1)["face"] == 2
    model.write("CAL,die=1,face=1")
    model.until(READY_MS, lambda line: line.value.get("face") == "1")
    model.command("supply 1 0")
    model.run(500)
    model.command("supply 1 3900")
    line = model.until(READY_MS, lambda line: line.kind == "DIE")
    assert (line.value["face"], line.value.get("err")) == ("1", None)


# --- both models agree ---


def recorded_throws(folder, kind, body, seeds):
    """Return throws in the simulator: the file, when it rests, its face, and what was reported."""
    throws = []
    options = ("--dice", "1", "--kind", str(kind), "--body", body, "--seed", str(SEED))
    with Simulator(options=options) as simulator:
        simulator.run(READY_MS)
        for seed in seeds:
            path, begin = folder / f"{seed}.txt", simulator.now_ms
            simulator.command(f"record 1 {path}")
            simulator.command(f"throw 1 seed={seed}")
            last = simulator.reports(ROUND_MS)[-1]
            simulator.command("record 1")
            die = simulator.status()["dice"][0]
            result = (last.state, last.value.get("face"), last.value.get("thr"))
            rest = die["still_since_ms"]
            throws.append((path, rest - begin, die["face"], result, last.arrived_ms - rest))
    return throws


@pytest.mark.usefixtures("simulator_built")
@pytest.mark.parametrize(("kind", "body"), [(4, "tetrahedron-57"), (6, "cube-42")])
def test_models_report_the_same_throws_alike(started, tmp_path, kind, body):
    throws = recorded_throws(tmp_path, kind, body, range(6))
    model = started(1, kind=kind)
    model.run(READY_MS)
    for path, rest, face, result, late in throws:
        begin = model.now_ms
        model.command(f"replay 1 {path}")
        last = model.reports(ROUND_MS)[-1]
        assert result == ("settled", str(face), "1"), path
        assert (last.state, last.value["face"], last.value["thr"]) == result, path
        # Their sensors' clocks are up to 3 and 10 % off: 33 ms of 250. Both wait for five samples.
        assert abs(last.arrived_ms - begin - rest - late) < 60, path


# --- the model notices what it is there for ---

MISTAKES = {
    "wrong SPI mode": (
        "common/radio_port_avr.c",
        "_BV(SPE) | _BV(MSTR)",
        "_BV(SPE) | _BV(MSTR) | _BV(CPHA)",
        "spi: the radio needs mode 0",
    ),
    "no wait for the radio's crystal": (
        "die/link.c",
        "WARM_UP_MS = 6,",
        "WARM_UP_MS = 2,",
        "radio: CE is high before the crystal runs",
    ),
    "no wait for the parts after power-on": (
        "die/main.c",
        "PARTS_START_MS = 100,",
        "PARTS_START_MS = 20,",
        "radio: it is accessed during its power-on reset",
    ),
    "watchdog's interrupt not enabled again": (
        "die/board_avr.c",
        "    WDTCSR |= _BV(WDIE);\n",
        "",
        "reset by the watchdog",
    ),
    "radio left on": (
        "die/link.c",
        "        nrf24_power(false);\n",
        "",
        "board: powers down while the radio is on",
    ),
    "filter started with the first sample": (
        "common/follow.c",
        "            follow_rest(die_is_restless(&die) ? PAUSING : TURNING_ON);",
        "            follow_rest(PAUSING), activity = ARMING, main_moves();",
        "report of err=wakes",
    ),
    "SCL too fast for a fast oscillator": (
        "die/twi_avr.c",
        "F_CPU / 10 * 11",
        "F_CPU",
        "twi: SCL is faster than 400 kHz",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_model_notices(tmp_path, mistake):
    path, right, wrong, text = MISTAKES[mistake]
    copy = tmp_path / "firmware"
    shutil.copytree(FIRMWARE, copy, ignore=shutil.ignore_patterns("build", "sim"))
    source = (copy / path).read_text()
    assert source.count(right) == 1
    (copy / path).write_text(source.replace(right, wrong))
    make(copy, "die", "hub")
    options = ("--seed", str(SEED), "--clock", "1.1")
    with SecondModel(tmp_path, images=copy / "build", options=options) as model:
        lines = model.reports(20_000, 100)
        found = model.violations()
        found += [f"report of err={line.value['err']}" for line in lines if "err" in line.value]
        found += ["reset by the watchdog"] * model.board(1)["resets"]["watchdog"]
    assert any(text in it for it in found), found


def test_invalid_commands_are_refused(tmp_path):
    with SecondModel(tmp_path) as model:
        for command in (
            "run 0",
            "move 9 throw 1",
            "move 1 fly 1",
            "move 1 throw 7",
            "dance",
            "send",
        ):
            with pytest.raises(RefusedError):
                model.command(command)
