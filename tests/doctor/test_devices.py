"""The display, the expanders, the hub and its dice: what is heard, and what it means."""

from dataclasses import replace

import pytest

from tests.doctor.trees import (
    LAPTOP,
    NODE,
    PIS,
    Silence,
    found_by,
    of_area,
    plant,
    put,
)
from urpi.config import Config, Gpio, Hub, Oled, Sound
from urpi.devices.protocol import DieLine, HubLine, LineReader, line_bytes
from urpi.doctor.facts import HeardDie
from urpi.doctor.facts import Hub as HubFacts
from urpi.doctor.findings.devices import hub as hub_findings
from urpi.doctor.probes.access import node, person, usable
from urpi.doctor.probes.buses import bus
from urpi.doctor.probes.hub import hub, listened, modem_manager, users_of
from urpi.errors import UrpiError

ON_HEADER = {"/dev/i2c-1": ""}
BEHIND = Config(gpio=Gpio(wiring="expander"))
GREETING = HubLine(proto=1, firmware="1.0.0", hub_id="5F3A", dice=2, t_ms=5)


class TalkingPort:
    """A port that says those pieces, and a clock that goes on a bit with every read."""

    def __init__(self, *pieces):
        self.pieces, self.written, self.now, self.closed = list(pieces), [], 0, False

    port, in_waiting = "/dev/x", 0

    def read(self, _size=1):
        self.now += 100
        return self.pieces.pop(0) if self.pieces else b""

    def write(self, data):
        self.written.extend(LineReader().feed(data))

    def close(self):
        self.closed = True


def heard(*pieces):
    port = TalkingPort(*pieces)
    return listened(HubFacts(NODE), port, lambda: port.now), port


def i2c(tmp_path, config=None, **changed):
    files = {**ON_HEADER, **changed.pop("files", {})}
    return found_by(tmp_path, PIS["4"], config, files, **changed)


def test_a_display_that_answers_is_right(tmp_path):
    found = i2c(tmp_path)
    assert of_area(found, "i2c") == [("right", "/dev/i2c-1: 0x3C answers -> ")]
    assert of_area(found, "oled")[0][0] == "right"


@pytest.mark.parametrize(
    ("answering", "words"),
    [
        ((0x3D,), "nobody answers at 0x3C, but somebody at 0x3D -> Set `i2c_address = 0x3D`"),
        ((), "does not answer at 0x3C -> Check its four wires"),
    ],
)
def test_a_display_that_does_not_answer_is_told_where_to_look(tmp_path, answering, words):
    ((level, said),) = of_area(i2c(tmp_path, open_bus=lambda _port: Silence(*answering)), "oled")
    assert level == "broken"
    assert words in said


def test_a_board_without_display_and_expanders_asks_no_bus(tmp_path):
    assert of_area(i2c(tmp_path, Config(oled=Oled(driver="none"))), "i2c") == []


def test_a_slow_bus_is_poor(tmp_path):
    speed = {"/sys/class/i2c-adapter/i2c-1/of_node/clock-frequency": "\0\x01\x86\xa0"}
    tree = plant(tmp_path, PIS["4"])
    put(tmp_path, next(iter(speed)), (100_000).to_bytes(4, "big"))
    assert bus(tree, NODE, 1, lambda _port: Silence()).speed_hz == 100_000
    put(tmp_path, "/dev/i2c-1")
    found = of_area(i2c(tmp_path, files={}), "i2c")
    assert found[0][0] == "poor"
    assert "at 100 kHz -> Add `dtparam=i2c_arm_baudrate=400000`" in found[0][1]


def test_a_bus_that_is_off_or_forbidden_is_told_how_to_switch_on(tmp_path):
    off = of_area(found_by(tmp_path, PIS["4"]), "i2c")
    assert "raspi-config nonint do_i2c 0" in off[0][1]
    shut = of_area(i2c(tmp_path, usable=lambda path: "i2c" not in path), "i2c")
    assert "/dev/i2c-1, the I2C bus, may not be opened by pi" in shut[0][1]


def test_a_bus_that_is_stuck_is_given_up_soon(tmp_path):
    class Stuck(Silence):
        asked = 0

        def read_byte(self, _address):
            self.asked += 1
            raise TimeoutError(110, "Connection timed out")

    stuck = Stuck()
    found = of_area(i2c(tmp_path, open_bus=lambda _port: stuck), "i2c")
    assert found[0][0] == "broken"
    assert "hangs: [Errno 110]" in found[0][1]
    assert stuck.asked < 20
    assert stuck.closed


def test_an_address_that_a_driver_of_the_kernel_holds_answers_too(tmp_path):
    class Held(Silence):
        def read_byte(self, address):
            if address == 0x3C:
                raise OSError(16, "Device or resource busy")
            return super().read_byte(address)

    assert of_area(i2c(tmp_path, open_bus=lambda _port: Held()), "oled")[0][0] == "right"


def test_a_bus_whose_library_is_missing_says_so(tmp_path):
    def missing(_port):
        raise UrpiError("The library smbus2 is missing.")

    assert "smbus2 is missing" in of_area(i2c(tmp_path, open_bus=missing), "i2c")[0][1]


@pytest.mark.parametrize(
    ("answering", "levels"),
    [
        ((0x20, 0x21), ["right", "right"]),
        ((0x20,), ["right", "broken"]),
        ((0x20, 0x24), ["right", "broken"]),
    ],
)
def test_each_expander_is_looked_for(tmp_path, answering, levels):
    found = of_area(i2c(tmp_path, BEHIND, open_bus=lambda _port: Silence(*answering)), "expander")
    assert [level for level, _ in found] == levels
    assert ("Found at 0x20 and 0x24." in found[-1][1]) == (0x24 in answering)


def test_the_hub_is_asked_and_asked_again_when_it_has_greeted():
    found, port = heard(b"boot..", line_bytes(GREETING))
    assert (found.proto, found.firmware, found.error) == (1, "1.0.0", "")
    assert [type(line).__name__ for line in port.written] == ["AskLine", "AskLine"]
    assert port.now < 2000


def test_a_silent_port_is_listened_to_for_four_seconds():
    found, port = heard()
    assert found.proto is None
    assert 4000 <= port.now <= 4200


def test_the_dice_are_heard_with_their_batteries_and_faults():
    lines = [
        GREETING,
        DieLine(1, 1, "settled", kind=4, face=3, battery_mv=3870, t_ms=1),
        DieLine(2, 2, "settled", kind=4, face=1, battery_mv=3100, t_ms=2),
        DieLine(3, 2, "lost", t_ms=3),
        DieLine(4, 3, "handled", error="cal", t_ms=4),
    ]
    found, _ = heard(*map(line_bytes, lines), b"$HUB,proto=1*0000\r\n")
    assert found.dice == {
        1: HeardDie(3870),
        2: HeardDie(3100, lost=True),
        3: HeardDie(None, error="cal"),
    }
    assert (found.lines, found.broken) == (5, 1)


def said(**changed):
    found = HubFacts(NODE, proto=1, firmware="1.0.0", lines=9, dice={1: HeardDie(3900)})
    return [
        (one.area, one.level.name.lower(), f"{one.found} -> {one.cure}")
        for one in hub_findings(facts_with(replace(found, **changed)))
    ]


def facts_with(found):
    class Facts:
        hub = found
        person = None

    return Facts()


@pytest.mark.parametrize(
    ("changed", "area", "level", "words"),
    [
        ({}, "hub", "right", "the hub greets: firmware 1.0.0, protocol 1"),
        ({}, "dice", "right", "die 1 is heard, battery 3.90 V"),
        ({"proto": 2}, "hub", "broken", "protocol 2, but this program speaks 1"),
        ({"error": "radio"}, "hub", "broken", "err=radio -> Its nRF24L01+ does not answer"),
        ({"error": "moon"}, "hub", "broken", "Update urpi"),
        ({"broken": 3}, "hub", "poor", "3 of 12 lines came broken"),
        ({"dice": {}}, "dice", "poor", "no die was heard"),
        ({"dice": {2: HeardDie(3200)}}, "dice", "poor", "die 2 is weak, battery 3.20 V"),
        ({"dice": {2: HeardDie(None, lost=True)}}, "dice", "poor", "die 2 is out of hearing"),
        ({"dice": {2: HeardDie(error="cal")}}, "dice", "poor", "urpi dice calibrate"),
        ({"dice": {2: HeardDie(error="accel")}}, "dice", "broken", "accelerometer is dead"),
        ({"proto": None}, "hub", "broken", "is silent"),
        ({"proto": None, "broken": 4}, "hub", "broken", "nothing that can be read (4 broken"),
        ({"proto": None, "error": "gone"}, "hub", "broken", "cannot be opened: gone"),
        ({"users": (7, 9)}, "hub", "right", "in use by process 7, 9: stop it to have it tried"),
        ({"modem_manager": True}, "hub", "poor", "ModemManager runs"),
    ],
)
def test_what_the_hub_said_is_judged(changed, area, level, words):
    assert [one for one in said(**changed) if one[:2] == (area, level) and words in one[2]]


def test_a_hub_that_is_not_plugged_in_is_missing(tmp_path):
    ((level, words),) = of_area(found_by(tmp_path, PIS["4"]), "hub")
    assert level == "broken"
    assert words.startswith("/dev/urpi-hub is missing")


def test_a_port_that_is_forbidden_names_the_group(tmp_path):
    found = found_by(
        tmp_path,
        PIS["4"],
        None,
        {"/dev/urpi-hub": ""},
        usable=lambda path: "urpi-hub" not in path,
    )
    assert "/dev/urpi-hub, the dice hub, may not be opened by pi" in of_area(found, "hub")[0][1]


def test_a_port_that_cannot_be_opened_says_why(tmp_path):
    found = found_by(tmp_path, PIS["4"], None, {"/dev/urpi-hub": ""})
    assert "No such file or directory" in of_area(found, "hub")[0][1]


def test_a_socket_needs_no_file(tmp_path):
    found = found_by(tmp_path, LAPTOP, Config(hub=Hub(port="socket://127.0.0.1:9")))
    assert "cannot be opened" in of_area(found, "hub")[0][1]


def test_a_port_that_another_process_has_open_is_left_alone(tmp_path):
    tree = plant(tmp_path, PIS["4"])
    put(tmp_path, "/dev/ttyUSB0")
    (tmp_path / "dev/urpi-hub").symlink_to("ttyUSB0")
    folder = tmp_path / "proc/4711/fd"
    folder.mkdir(parents=True)
    (folder / "5").symlink_to("/dev/ttyUSB0")
    (folder / "6").symlink_to("socket:[1]")
    assert users_of(tree, "/dev/urpi-hub") == (4711,)
    port = TalkingPort()
    found = hub(tree, replace(NODE, path="/dev/urpi-hub"), lambda: port, lambda: 0)
    assert found.users == (4711,)
    assert port.written == []


@pytest.mark.parametrize(
    ("words", "counts"),
    [
        ("/opt/urpi/bin/python3\0/opt/urpi/bin/urpi\0serve\0", True),
        ("/opt/urpi/bin/python3\0/opt/urpi/bin/urpi\0--config\0x\0serve\0", True),
        ("/opt/urpi/bin/python3\0/opt/urpi/bin/urpi\0doctor\0", False),
        ("nano\0serve\0", False),
    ],
)
def test_a_service_of_another_user_counts_as_using_the_port(tmp_path, words, counts):
    tree = plant(tmp_path, PIS["4"])
    put(tmp_path, "/dev/urpi-hub")
    put(tmp_path, "/proc/4711/cmdline", words)
    assert users_of(tree, "/dev/urpi-hub") == ((4711,) if counts else ())


@pytest.mark.parametrize(
    ("rule", "meddles"),
    [(None, True), ("# nothing", True), ('ENV{ID_MM_DEVICE_IGNORE}="1"', False)],
)
def test_modem_manager_meddles_unless_a_rule_keeps_it_away(tmp_path, rule, meddles):
    tree = plant(tmp_path, PIS["4"])
    assert not modem_manager(tree)
    put(tmp_path, "/proc/812/comm", "ModemManager\n")
    if rule is not None:
        put(tmp_path, "/etc/udev/rules.d/60-urpi.rules", rule)
    assert modem_manager(tree) == meddles


def test_a_person_s_groups_are_those_in_force_and_those_that_are_listed(tmp_path):
    found = person(plant(tmp_path, PIS["4"]), "pi", 1000, {1000, 20})
    assert found.groups == {"dialout", "pi"}
    assert found.listed == {"dialout", "gpio", "i2c"}
    assert {"root", "gpio"} <= found.known
    assert not found.root


def test_a_file_of_this_machine_may_be_used_or_not(tmp_path):
    tree = plant(tmp_path, PIS["4"])
    put(tmp_path, "/dev/x")
    assert node(tree, "/dev/x", usable).usable
    assert not node(tree, "/dev/y", usable).exists


@pytest.mark.parametrize(("there", "level"), [("/usr/bin/espeak-ng", "right"), (None, "poor")])
def test_speech_needs_its_program(tmp_path, there, level):
    found = found_by(
        tmp_path, PIS["4"], Config(sound=Sound(speech=True)), which=lambda _name: there
    )
    assert [one for one, _ in of_area(found, "sound")] == [level]
