"""The display, the expanders, the hub and its dice: probes and findings."""

from dataclasses import replace

import pytest

from tests.install.doctor.trees import (
    LAPTOP,
    NODE,
    PIS,
    FakeBus,
    found_by,
    of_area,
    plant,
    put,
)
from urpi.config import Config, GpioSection, HubSection, OledSection, SoundSection
from urpi.core.errors import UrpiError
from urpi.hardware.protocol import DieLine, HubLine, LineReader, line_bytes
from urpi.install.doctor.facts import DieFacts, HubFacts
from urpi.install.doctor.findings.devices import hub as hub_findings
from urpi.install.doctor.probes.devices import bus, node, person, usable
from urpi.install.doctor.probes.hub import hub, modem_manager, read_port, users_of

ON_HEADER = {"/dev/i2c-1": ""}
EXPANDER = Config(gpio=GpioSection(wiring="expander"))
GREETING = HubLine(proto=1, firmware="1.0.0", hub_id="5F3A", dice=2, t_ms=5)


class TalkingPort:
    """A port that returns the given data, and a clock that advances 100 ms with every read."""

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


def probe(*pieces):
    port = TalkingPort(*pieces)
    return read_port(HubFacts(NODE), port, lambda: port.now), port


def i2c(tmp_path, config=None, **changed):
    files = {**ON_HEADER, **changed.pop("files", {})}
    return found_by(tmp_path, PIS["4"], config, files, **changed)


def test_a_display_that_answers_is_all_right(tmp_path):
    found = i2c(tmp_path)
    assert of_area(found, "i2c") == [("right", "/dev/i2c-1: 0x3C answers -> ")]
    assert of_area(found, "oled")[0][0] == "right"


@pytest.mark.parametrize(
    ("answering", "expected"),
    [
        ((0x3D,), "no device answers at 0x3C, but one does at 0x3D -> Set `i2c_address = 0x3D`"),
        ((), "does not respond at 0x3C -> Check its four wires"),
    ],
)
def test_a_display_that_does_not_answer_is_broken(tmp_path, answering, expected):
    ((level, text),) = of_area(i2c(tmp_path, open_bus=lambda _port: FakeBus(*answering)), "oled")
    assert level == "broken"
    assert expected in text


def test_no_bus_is_scanned_without_a_display_and_expanders(tmp_path):
    assert of_area(i2c(tmp_path, Config(oled=OledSection(driver="none"))), "i2c") == []


def test_a_slow_bus_is_poor(tmp_path):
    speed = {"/sys/class/i2c-adapter/i2c-1/of_node/clock-frequency": "\0\x01\x86\xa0"}
    tree = plant(tmp_path, PIS["4"])
    put(tmp_path, next(iter(speed)), (100_000).to_bytes(4, "big"))
    assert bus(tree, NODE, 1, lambda _port: FakeBus()).speed_hz == 100_000
    put(tmp_path, "/dev/i2c-1")
    found = of_area(i2c(tmp_path, files={}), "i2c")
    assert found[0][0] == "poor"
    assert "at 100 kHz -> Add `dtparam=i2c_arm_baudrate=400000`" in found[0][1]


def test_the_cure_for_a_disabled_bus_differs_from_that_of_a_forbidden_one(tmp_path):
    disabled = of_area(found_by(tmp_path, PIS["4"]), "i2c")
    assert "raspi-config nonint do_i2c 0" in disabled[0][1]
    forbidden = of_area(i2c(tmp_path, usable=lambda path: "i2c" not in path), "i2c")
    assert "/dev/i2c-1, the I2C bus, may not be opened by pi" in forbidden[0][1]


def test_the_scan_of_a_stuck_bus_ends_early(tmp_path):
    class Stuck(FakeBus):
        reads = 0

        def read_byte(self, _address):
            self.reads += 1
            raise TimeoutError(110, "Connection timed out")

    stuck = Stuck()
    found = of_area(i2c(tmp_path, open_bus=lambda _port: stuck), "i2c")
    assert found[0][0] == "broken"
    assert "hangs: [Errno 110]" in found[0][1]
    assert stuck.reads < 20
    assert stuck.closed


def test_an_address_claimed_by_a_kernel_driver_counts_as_answering(tmp_path):
    class Held(FakeBus):
        def read_byte(self, address):
            if address == 0x3C:
                raise OSError(16, "Device or resource busy")
            return super().read_byte(address)

    assert of_area(i2c(tmp_path, open_bus=lambda _port: Held()), "oled")[0][0] == "right"


def test_a_missing_i2c_library_is_reported(tmp_path):
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
def test_each_expander_is_checked(tmp_path, answering, levels):
    found = of_area(i2c(tmp_path, EXPANDER, open_bus=lambda _port: FakeBus(*answering)), "expander")
    assert [level for level, _ in found] == levels
    assert ("Found at 0x20 and 0x24." in found[-1][1]) == (0x24 in answering)


def test_the_hub_is_queried_at_once_and_again_after_its_greeting():
    found, port = probe(b"boot..", line_bytes(GREETING))
    assert (found.proto, found.firmware, found.error) == (1, "1.0.0", "")
    assert [type(line).__name__ for line in port.written] == ["AskLine", "AskLine"]
    assert port.now < 2000


def test_a_silent_port_is_read_for_four_seconds():
    found, port = probe()
    assert found.proto is None
    assert 4000 <= port.now <= 4200


def test_the_status_of_each_die_includes_its_battery_and_fault():
    lines = [
        GREETING,
        DieLine(1, 1, "settled", kind=4, face=3, battery_mv=3870, t_ms=1),
        DieLine(2, 2, "settled", kind=4, face=1, battery_mv=3100, t_ms=2),
        DieLine(3, 2, "lost", t_ms=3),
        DieLine(4, 3, "handled", error="cal", t_ms=4),
    ]
    found, _ = probe(*map(line_bytes, lines), b"$HUB,proto=1*0000\r\n")
    assert found.dice == {
        1: DieFacts(3870),
        2: DieFacts(3100, lost=True),
        3: DieFacts(None, error="cal"),
    }
    assert (found.lines, found.broken) == (5, 1)


def findings(**changed):
    found = HubFacts(NODE, proto=1, firmware="1.0.0", lines=9, dice={1: DieFacts(3900)})
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
    ("changed", "area", "level", "text"),
    [
        ({}, "hub", "right", "the hub is ready: firmware 1.0.0, protocol 1"),
        ({}, "dice", "right", "die 1 is connected, battery 3.90 V"),
        ({"proto": 2}, "hub", "broken", "protocol 2, but this program uses protocol 1"),
        ({"error": "radio"}, "hub", "broken", "err=radio -> Its nRF24L01+ does not respond"),
        ({"error": "moon"}, "hub", "broken", "Update urpi"),
        ({"broken": 3}, "hub", "poor", "3 of 12 lines are broken"),
        ({"dice": {}}, "dice", "poor", "no die reported"),
        ({"dice": {2: DieFacts(3200)}}, "dice", "poor", "die 2 is low, battery 3.20 V"),
        ({"dice": {2: DieFacts(None, lost=True)}}, "dice", "poor", "die 2 is out of range"),
        ({"dice": {2: DieFacts(error="cal")}}, "dice", "poor", "urpi dice calibrate"),
        ({"dice": {2: DieFacts(error="wakes")}}, "dice", "poor", "check the wire of INT1"),
        (
            {"dice": {2: DieFacts(error="accel")}},
            "dice",
            "broken",
            "accelerometer does not respond",
        ),
        ({"proto": None}, "hub", "broken", "sends nothing"),
        ({"proto": None, "broken": 4}, "hub", "broken", "nothing readable (4 broken"),
        ({"proto": None, "error": "gone"}, "hub", "broken", "cannot be opened: gone"),
        ({"users": (7, 9)}, "hub", "right", "in use by process 7, 9: stop it to test the hub"),
        ({"modem_manager": True}, "hub", "poor", "ModemManager is running"),
    ],
)
def test_the_hub_and_its_dice_are_diagnosed(changed, area, level, text):
    assert [one for one in findings(**changed) if one[:2] == (area, level) and text in one[2]]


def test_a_hub_without_a_device_file_is_missing(tmp_path):
    ((level, text),) = of_area(found_by(tmp_path, PIS["4"]), "hub")
    assert level == "broken"
    assert text.startswith("/dev/urpi-hub is missing")


def test_the_finding_of_a_forbidden_port_names_the_user(tmp_path):
    found = found_by(
        tmp_path,
        PIS["4"],
        None,
        {"/dev/urpi-hub": ""},
        usable=lambda path: "urpi-hub" not in path,
    )
    assert "/dev/urpi-hub, the dice hub, may not be opened by pi" in of_area(found, "hub")[0][1]


def test_the_finding_of_an_unopenable_port_names_the_error(tmp_path):
    found = found_by(tmp_path, PIS["4"], None, {"/dev/urpi-hub": ""})
    assert "No such file or directory" in of_area(found, "hub")[0][1]


def test_a_socket_needs_no_device_file(tmp_path):
    found = found_by(tmp_path, LAPTOP, Config(hub=HubSection(port="socket://127.0.0.1:9")))
    assert "cannot be opened" in of_area(found, "hub")[0][1]


def test_a_port_that_another_process_has_open_is_not_opened(tmp_path):
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
    ("arguments", "counts"),
    [
        ("/opt/urpi/bin/python3\0/opt/urpi/bin/urpi\0serve\0", True),
        ("/opt/urpi/bin/python3\0/opt/urpi/bin/urpi\0--config\0x\0serve\0", True),
        ("/opt/urpi/bin/python3\0/opt/urpi/bin/urpi\0doctor\0", False),
        ("nano\0serve\0", False),
    ],
)
def test_a_service_of_another_user_counts_as_using_the_port(tmp_path, arguments, counts):
    tree = plant(tmp_path, PIS["4"])
    put(tmp_path, "/dev/urpi-hub")
    put(tmp_path, "/proc/4711/cmdline", arguments)
    assert users_of(tree, "/dev/urpi-hub") == ((4711,) if counts else ())


def test_a_service_whose_open_files_are_visible_does_not_use_another_port(tmp_path):
    tree = plant(tmp_path, PIS["4"])
    put(tmp_path, "/dev/urpi-hub")
    put(tmp_path, "/proc/4711/cmdline", "/opt/urpi/bin/urpi\0serve\0")
    folder = tmp_path / "proc/4711/fd"
    folder.mkdir()
    (folder / "5").symlink_to("/dev/ttyACM7")
    assert users_of(tree, "/dev/urpi-hub") == ()


@pytest.mark.parametrize(
    ("rule", "interferes"),
    [(None, True), ("# nothing", True), ('ENV{ID_MM_DEVICE_IGNORE}="1"', False)],
)
def test_modem_manager_interferes_unless_a_rule_excludes_the_hub(tmp_path, rule, interferes):
    tree = plant(tmp_path, PIS["4"])
    assert not modem_manager(tree)
    put(tmp_path, "/proc/812/comm", "ModemManager\n")
    if rule is not None:
        put(tmp_path, "/etc/udev/rules.d/60-urpi.rules", rule)
    assert modem_manager(tree) == interferes


def test_the_groups_of_the_process_may_differ_from_those_listed(tmp_path):
    found = person(plant(tmp_path, PIS["4"]), "pi", 1000, {1000, 20})
    assert found.groups == {"dialout", "pi"}
    assert found.listed == {"dialout", "gpio", "i2c"}
    assert {"root", "gpio"} <= found.known
    assert not found.root


def test_a_device_file_is_usable_or_missing(tmp_path):
    tree = plant(tmp_path, PIS["4"])
    put(tmp_path, "/dev/x")
    assert node(tree, "/dev/x", usable).usable
    assert not node(tree, "/dev/y", usable).exists


@pytest.mark.parametrize(("path", "level"), [("/usr/bin/espeak-ng", "right"), (None, "poor")])
def test_speech_needs_espeak_ng(tmp_path, path, level):
    found = found_by(
        tmp_path, PIS["4"], Config(sound=SoundSection(speech=True)), which=lambda _name: path
    )
    assert [one for one, _ in of_area(found, "sound")] == [level]
