"""Signed reports: dice and hub with a key in both models, an eavesdropper and a forger."""

import struct

import pytest

from tests.chaskey import chaskey_12

from .conftest import FIRMWARE, make
from .second_model import SecondModel
from .simulator import Simulator, SimulatorRefusedError

# The first one may have to wait for the compilers.
pytestmark = pytest.mark.usefixtures("simulator_built")

KEY = "000102030405060708090A0B0C0D0E0F"
OTHER_KEY = "F0" * 16
SET = 7
START_MS = 4000
THROW_MS = 5000
TRIES_MS = 200
AT_FACE, AT_SIGNATURE = 2, 14


def signed(key, content):
    """Return a frame with the signature of its content."""
    return content + chaskey_12(bytes.fromhex(key), content + struct.pack("<H", SET))


def started(*options):
    return Simulator(options=("--seed", "11", "--dice", "2", "--set", str(SET), *options))


def throw(simulator, die=1):
    """Throw a die and return its last report."""
    simulator.command(f"throw {die}")
    return simulator.reports(THROW_MS)[-1]


def heard(simulator, die=1):
    return bytes.fromhex(simulator.command(f"heard {die}"))


def forge(simulator, frame, die=1):
    """Send a frame to the hub as an attacker, and return what the hub reports."""
    for _ in range(50):
        try:
            simulator.command(f"forge {die} {frame.hex()}")
            return simulator.reports(TRIES_MS)
        except SimulatorRefusedError:  # the hub sends just now
            simulator.run(1, 1)
    raise AssertionError("The hub does not listen.")


def greeting(simulator):
    return simulator.until(1500, lambda line: line.kind == "HUB").value


def test_dice_and_hub_with_a_key_work_as_without():
    with started("--key", KEY) as simulator:
        simulator.run(START_MS)
        assert greeting(simulator)["auth"] == "1"
        for _ in range(3):
            last = throw(simulator)
            die = simulator.status()["dice"][0]
            assert (last.state, int(last.value["face"])) == ("settled", die["face"])
            assert "err" not in last.value
        simulator.write("LED,die=1,on=1")
        simulator.run(2500)
        assert [die["lamp"] for die in simulator.status()["dice"]] == [True, False]
        simulator.write("CAL,die=1,face=1")
        simulator.until(THROW_MS, lambda line: line.value.get("face") == "1")


def test_frames_have_the_signature_of_the_definition():
    with started("--key", KEY) as simulator:
        simulator.run(START_MS)
        for _ in range(3):
            throw(simulator)
            frame = heard(simulator)
            assert frame == signed(KEY, frame[:AT_SIGNATURE])
            assert frame != signed(OTHER_KEY, frame[:AT_SIGNATURE])


def test_forged_and_replayed_reports_are_rejected():
    with started("--key", KEY) as simulator:
        simulator.run(START_MS)
        throw(simulator)
        old = heard(simulator)
        throw(simulator)
        new = heard(simulator)
        assert forge(simulator, old) == []
        number = struct.unpack("<I", new[10:14])[0] + 1
        content = new[:10] + struct.pack("<I", number)
        for face in range(1, 5):
            wanted = bytearray(content)
            wanted[AT_FACE] = wanted[AT_FACE] & 0xF0 | face
            assert forge(simulator, bytes(wanted) + new[AT_SIGNATURE:]) == []
            assert forge(simulator, signed(OTHER_KEY, bytes(wanted))) == []
        reported = greeting(simulator)
        assert reported["err"] == "forged"
        assert int(reported["drop"]) == 9
        # The attack is right except for the key: with it, the same frame is a throw.
        report = forge(simulator, signed(KEY, bytes(wanted)))[-1]
        assert (report.state, report.value["face"]) == ("settled", "4")


def test_unsigned_report_of_a_die_that_signs_is_rejected():
    with started() as simulator:
        simulator.run(START_MS)
        throw(simulator)
        plain = heard(simulator)
    with started("--key", KEY) as simulator:
        simulator.run(START_MS)
        throw(simulator)
        assert forge(simulator, plain) == []


def test_replay_after_a_restart_of_the_hub_is_rejected():
    with started("--key", KEY) as simulator:
        simulator.run(START_MS)
        throw(simulator)
        old = heard(simulator)
        assert throw(simulator).state == "settled"
        simulator.command("restart hub")
        simulator.command("radio cut")
        simulator.run(2000)
        assert forge(simulator, old) == []
        simulator.command("radio on")
        assert throw(simulator).state == "settled"


def test_die_that_restarts_is_accepted_again():
    with started("--key", KEY) as simulator:
        simulator.run(START_MS)
        throw(simulator)
        old = heard(simulator)
        for _ in range(3):
            simulator.command("restart 1")
            assert [line.die for line in simulator.reports(START_MS)] == [1]
        assert forge(simulator, old) == []
        assert throw(simulator).state == "settled"


def recorded(simulator, throws):
    """Throw die 1, and return what an eavesdropper has recorded."""
    frames = []
    for _ in range(throws):
        simulator.command("throw 1")
        for _ in simulator.steps(THROW_MS):
            frame = heard(simulator)
            frames += [frame] if frame not in frames else []
    return frames


def number_of(frame):
    return struct.unpack("<I", frame[10:14])[0]


def exchange(simulator):
    """Exchange the chip of die 1, which then counts its starts from 1."""
    for _ in range(3):
        simulator.command("restart 1")
        simulator.run(START_MS)
    old = recorded(simulator, 2)
    simulator.command("exchange 1")
    return old


@pytest.mark.slow
def test_new_chip_is_rejected_until_the_hub_lets_it_go_on_from_the_former_one():
    with started("--key", KEY) as simulator:
        simulator.run(START_MS)
        old = exchange(simulator)
        assert [line.die for line in simulator.reports(THROW_MS)] == []
        simulator.command("throw 1")
        assert simulator.reports(THROW_MS) == []
        assert number_of(heard(simulator)) < min(map(number_of, old))
        simulator.write("NEW,die=1")
        assert greeting(simulator)["new"] == "1"
        last = throw(simulator)
        assert (last.die, last.state) == (1, "settled")
        assert "new" not in greeting(simulator)
        new = heard(simulator)
        assert number_of(new) > max(map(number_of, old))
        for board in ("hub", "1"):
            simulator.command(f"restart {board}")
            simulator.run(START_MS)
            assert throw(simulator).state == "settled"
        for frame in (*old, new):
            assert forge(simulator, frame) == []


@pytest.mark.slow
@pytest.mark.parametrize("die_is_there", [False, True])
def test_recorded_reports_are_rejected_while_the_hub_waits_for_a_new_chip(die_is_there):
    with started("--key", KEY) as simulator:
        simulator.run(START_MS)
        old = exchange(simulator)
        simulator.run(THROW_MS)
        if not die_is_there:
            simulator.command("off 1")
        simulator.write("NEW,die=1")
        assert greeting(simulator)["new"] == "1"
        lines = [line for frame in old for line in forge(simulator, frame) if line.die == 1]
        # The new chip is not calibrated yet, which distinguishes its reports.
        assert {line.value.get("err") for line in lines} == ({"cal"} if die_is_there else set())
        simulator.command("on 1")
        assert throw(simulator).state == "settled"
        for frame in old:
            assert forge(simulator, frame) == []


@pytest.mark.slow
def test_die_with_another_key_cannot_go_on():
    with started("--key", KEY, "--die-key", OTHER_KEY) as simulator:
        simulator.run(START_MS)
        simulator.write("NEW,die=1")
        simulator.command("throw 1")
        assert simulator.reports(THROW_MS) == []
        assert greeting(simulator)["new"] == "1"
        for _ in range(125):
            simulator.run(1000)
        assert "new" not in greeting(simulator)


def test_die_without_key_plays_with_a_notice():
    with started("--key", KEY, "--die-key", "none") as simulator:
        simulator.run(START_MS)
        last = throw(simulator)
        assert (last.state, last.value["err"]) == ("settled", "nokey")
        simulator.write("LED,die=2,on=1")
        simulator.run(2500)
        assert simulator.status()["dice"][1]["lamp"]


def test_die_with_another_key_is_rejected():
    with started("--key", KEY, "--die-key", OTHER_KEY) as simulator:
        assert simulator.reports(START_MS) == []
        assert greeting(simulator)["err"] == "forged"


def test_without_keys_the_same_attack_succeeds():
    with started() as simulator:
        simulator.run(START_MS)
        throw(simulator)
        old = heard(simulator)
        throw(simulator)
        assert "auth" not in greeting(simulator)
        assert forge(simulator, old) != []


@pytest.fixture
def model(toolchain, tmp_path):
    """Four dice and a hub with a key on the second model, without violations at the end."""
    make(FIRMWARE / "second_model")
    with SecondModel(tmp_path, numbers=(1, 2, 3, 4), key=KEY, options=("--seed", "5")) as it:
        yield it
        assert it.violations() == []


@pytest.mark.slow
def test_signed_throws_on_the_second_model(model):
    model.run(3000)
    model.command("loss 0.3")
    for number in range(8):
        faces = [face % 4 + 1 for face in (it["face"] for it in model.status()["boards"][1:])]
        for die, face in enumerate(faces, 1):
            model.move(die, "throw", face)
        if number == 4:
            model.run_into("packet")
            model.command("reset 1")
        lines = model.reports(6000)
        last = {line.die: line for line in lines}
        assert [int(last[die].value["face"]) for die in (1, 2, 3, 4)] == faces
        assert all("err" not in line.value for line in lines)
        if number % 3 == 2:
            model.command("reset hub")
            model.run(2500)
    boards = model.status()["boards"]
    assert min(board["stack_headroom"] for board in boards[1:]) > 512, boards
    assert boards[0]["stack_headroom"] >= 400, boards
