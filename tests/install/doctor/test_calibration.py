"""The calibration of Hall sensors by a simulated person, and the faults that it finds."""

import tomllib
from random import Random

import pytest

from urpi.cli.doctor_calibration import calibrate
from urpi.config import Config, SquaresSection
from urpi.config.reading import read
from urpi.core.errors import UrpiError
from urpi.hardware.ads7830 import CONVERTERS
from urpi.rules import SQUARE_NAMES, parse_square
from urpi.simulation.hall_bus import HallBus
from urpi.simulation.piece_layout import PieceLayout, Place
from urpi.simulation.schedule import Schedule


class Person:
    """Somebody who follows the instructions, at sensors that are all different."""

    def __init__(self, seed, converter="ads7828"):
        rng = Random(seed)
        full = CONVERTERS[converter].full
        sign = rng.choice((-1, 1))
        self.scales = [
            (
                full // 2 + int(rng.uniform(-0.02, 0.02) * full),
                sign * int(0.13 * full * rng.uniform(0.8, 1.2)),
            )
            for _ in range(20)
        ]
        self.layout, self.shown = PieceLayout(), []
        self.layout.set_piece_count(7)
        self.bus = HallBus(rng, CONVERTERS[converter].bits, self.scales)
        self.bus.connect(Schedule(), self.layout)
        self.at = None
        self.dark = "D1"
        self.swapped = {}

    def show(self, line):
        self.shown.append(line)
        if line.startswith("Put a light piece"):
            self.put("L1", line.rstrip(".").split()[-1])
        elif "dark piece" in line:
            self.put(self.dark, "B4")

    def put(self, name, square):
        if self.at is not None:
            self.layout.lift("hand", Place(self.at))
            self.layout.put("hand", Place())
            self.bus.edge(self.at, False)
        self.at = parse_square(self.swapped.get(square, square))
        place, _ = self.layout.find(name)
        self.layout.lift("hand", place, name=name)
        self.layout.put("hand", Place(self.at))
        self.bus.edge(self.at, True)

    def calibrate(self, file, converter="ads7828"):
        config = Config(squares=SquaresSection(sensor="hall", converter=converter))
        found = calibrate(
            config, file, self.show, open_bus=lambda _port: self.bus, wait=lambda _s: None
        )
        return [(each.level.name, each.found) for each in found]


@pytest.mark.parametrize("converter", CONVERTERS)
@pytest.mark.parametrize("seed", range(2))
def test_a_calibration_is_written_and_fits_the_sensors(tmp_path, seed, converter):
    file, person = tmp_path / "config.toml", Person(seed, converter)
    file.write_text(f'# Ours\n[squares]\nsensor = "hall"\nconverter = "{converter}"\n', "utf-8")
    findings = person.calibrate(file, converter)
    assert [found for level, found in findings if level == "BROKEN"] == []
    assert findings[-1] == ("RIGHT", "20 of 20 Hall sensors react")
    assert file.read_text("utf-8").startswith("# Ours\n")
    written = tomllib.loads(file.read_text("utf-8"))["squares"]
    assert read(file).config.squares.empty == tuple(written["empty"])
    noise = 2 + 0.002 * CONVERTERS[converter].full
    for (empty, piece), found_empty, found_piece in zip(
        person.scales, written["empty"], written["piece"], strict=True
    ):
        assert abs(found_empty - empty) <= noise
        # The magnet and the place of the piece are those of the simulation.
        assert 0.15 < found_piece / piece < 1.6
    assert written["sensor"] == "hall"


def test_sides_with_the_same_pole_up_are_found_and_nothing_is_written(tmp_path):
    file, person = tmp_path / "config.toml", Person(1)
    person.dark = "L2"
    findings = person.calibrate(file)
    assert ("BROKEN", "a dark piece does not show the opposite pole of a light one") in findings
    assert not file.exists()


def test_swapped_and_silent_sensors_are_found(tmp_path):
    file, person = tmp_path / "config.toml", Person(2)
    person.swapped = {"A1": "A2", "A2": "A1"}
    c7 = parse_square("C7")
    person.bus.forced[c7] = person.scales[c7][0]
    findings = person.calibrate(file)
    assert [found for level, found in findings if level == "BROKEN"] == [
        "the Hall sensor of A2 reacts instead of that of A1",
        "the Hall sensor of A1 reacts instead of that of A2",
        "the Hall sensor of C7 does not react",
    ]
    assert not file.exists()


def test_a_dead_sensor_ends_the_calibration_at_once(tmp_path):
    person = Person(3)
    person.bus.forced[parse_square("B8")] = 0
    findings = person.calibrate(tmp_path / "config.toml")
    assert ("BROKEN", "the Hall sensor of B8 is dead") in findings


def test_a_converter_that_does_not_answer_is_an_error(tmp_path):
    person = Person(4)
    person.bus.missing.add(0x4A)
    with pytest.raises(UrpiError, match="0x4A does not respond"):
        person.calibrate(tmp_path / "config.toml")
    assert len(SQUARE_NAMES) == 20
