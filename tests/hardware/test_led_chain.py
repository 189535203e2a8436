"""The chain of LEDs: pulses within the data sheets, current, blinking, and the thread that sends.

The times are those of the data sheets: WS2812B (Worldsemi), WS2812B-V5 (the same, also Microchip's
page about its NeoPixel stick) and SK6812 (Shenzhen LED Color). RIOT OS has the same pulses for all
of them in `ws281x_constants.h`: 325 ns and 650 ns.
"""

import os
from collections import deque
from itertools import groupby, pairwise
from pathlib import Path
from threading import Condition

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.config import Config, GpioSection, LightsSection, OledSection
from urpi.config.sections import COLOURS
from urpi.core.errors import UrpiError
from urpi.core.moments import milliseconds
from urpi.hardware import default_pins
from urpi.hardware.led_bus import LedBus
from urpi.hardware.led_chain import (
    CHAIN,
    DARK,
    PAUSE_MS,
    RESET_BYTES,
    SPEED_HZ,
    LedChain,
    colours_of,
    current_ma,
    encoded,
)
from urpi.hardware.outputs import lights as output
from urpi.hardware.wiring import faults, wires_of
from urpi.referee import Phase, Snapshot
from urpi.rules import ALL_SQUARES, parse_square
from urpi.show.lights import ALL_DARK, LOOK, PUT, TAKE_OFF, Colour, Light, Mode

CORES_HZ = (200e6, 250e6, 300e6, 400e6, 500e6, 550e6)
"""The clocks that SPI divides: RP1 of the Pi 5, the cores of the others, fixed or as they come."""
HIGH_NS = {
    "WS2812B": ((250, 550), (650, 950)),
    "WS2812B-V5": ((220, 380), (580, 1000)),
    "SK6812": ((150, 450), (450, 750)),
}
LOW_NS = {
    # After a 1 the first sheet allows 600 ns, the second one up to 1000 ns for the same part.
    "WS2812B": ((700, 1000), (300, 1000)),
    "WS2812B-V5": ((580, 1000), (580, 1000)),
    "SK6812": ((750, 1050), (450, 750)),
}
RESET_NS = 280_000

rgb = st.tuples(*[st.integers(0, 255)] * 3)
one_light = st.one_of(st.none(), st.builds(Light, st.sampled_from(Colour), st.sampled_from(Mode)))
sections = st.builds(
    LightsSection,
    on=st.just(True),
    brightness=st.integers(5, 100),
    limit_ma=st.integers(100, 1500),
    light_colour=st.sampled_from(sorted(COLOURS)),
    dark_colour=st.sampled_from(sorted(COLOURS)),
    take_off_colour=st.sampled_from(sorted(COLOURS)),
)


def actual_hz(core_hz: float) -> float:
    """Return the clock for `SPEED_HZ`: at most that, the core's divided by an even number."""
    return next(core_hz / n for n in range(2, 65537, 2) if core_hz / n <= SPEED_HZ)


def pulses(data: bytes) -> list[tuple[str, int]]:
    wire = "".join(f"{byte:08b}" for byte in data)
    return [(level, len(list(run))) for level, run in groupby(wire)]


@pytest.mark.parametrize("core_hz", CORES_HZ)
@pytest.mark.parametrize("kind", HIGH_NS)
def test_every_pulse_is_within_the_data_sheet(kind: str, core_hz: float) -> None:
    bit_ns = 1e9 / actual_hz(core_hz)
    values = tuple((n, 255 - n, n * 7 % 256) for n in range(256))
    bits = "".join(f"{value:08b}" for r, g, b in values for value in (g, r, b))
    runs = pulses(encoded(values))
    assert runs[0][0] == runs[-1][0] == "0"
    assert min(runs[0][1], runs[-1][1]) * bit_ns >= RESET_NS
    assert len(bits) == len(runs[1::2])
    for bit, (_, high), (_, low) in zip(map(int, bits), runs[1::2], runs[2::2], strict=True):
        shortest, longest = HIGH_NS[kind][bit]
        assert shortest <= high * bit_ns <= longest + 1e-6
        shortest, longest = LOW_NS[kind][bit]
        assert shortest <= low * bit_ns
        assert low * bit_ns <= longest + 1e-6 or low * bit_ns >= RESET_NS


@given(st.lists(rgb, min_size=20, max_size=20), st.sampled_from(CORES_HZ))
def test_the_leds_show_the_colours(colours: list[tuple[int, int, int]], core_hz: float) -> None:
    bus = LedBus(actual_hz(core_hz))
    bus.write(encoded(tuple(colours)))
    assert bus.colours == colours
    assert bus.pictures == 1


def test_no_pulse_extends_over_two_bytes() -> None:
    # Some controllers make a pause between bytes; then only a time between pulses is longer.
    data = encoded(((0, 255, 170),) * 20)[RESET_BYTES:-RESET_BYTES]
    assert all(byte & 0b1001 == 0b1000 and byte >> 4 & 0b1001 == 0b1000 for byte in data)


@given(st.tuples(*[one_light] * 20), sections, st.integers(0, 10_000))
def test_the_limit_of_the_current_is_kept(shown, settings, now_ms) -> None:
    assert current_ma(colours_of(shown, now_ms, settings)) <= settings.limit_ma


def test_the_limit_darkens_all_alike_and_no_light_changes_when_others_blink() -> None:
    settings = LightsSection(on=True, brightness=100)
    shown = (PUT[0], *[TAKE_OFF] * 19)
    with_others, without = (colours_of(shown, ms, settings)[0] for ms in (0, 700))
    assert with_others == without
    assert with_others < colours_of((PUT[0], *ALL_DARK[1:]), 0, settings)[0] == (255, 255, 255)


def test_the_modes_differ_without_any_colour() -> None:
    same = LightsSection(on=True, light_colour="white", dark_colour="white")
    shown = (*PUT, TAKE_OFF, *LOOK, *ALL_DARK[5:])
    frames = [colours_of(shown, ms, same) for ms in range(0, 1000, 125)]
    levels = [tuple(frame[n][0] for frame in frames) for n in range(5)]
    assert [sum(level > 0 for level in each) for each in levels] == [8, 7, 4, 8, 8]
    assert 0 < max(levels[3]) < max(levels[0]) / 4


class Far:
    """A bus that records, fails on demand, and lets a test wait for what it receives."""

    def __init__(self, failures: int = 0) -> None:
        self.received, self.closed = deque[bytes](), 0
        self.failures, self.changed = failures, Condition()

    def write(self, data: bytes) -> None:
        with self.changed:
            if self.failures:
                self.failures -= 1
                message = "no such device"
                raise OSError(message)
            self.received.append(data)
            self.changed.notify_all()

    def close(self) -> None:
        self.closed += 1

    def until(self, shown: dict[str, tuple[int, int, int]]) -> None:
        """Wait until a picture with these squares has arrived."""
        expected = {parse_square(name): colour for name, colour in shown.items()}

        def arrived() -> bool:
            while self.received:
                bus = LedBus()
                bus.write(self.received.popleft())
                if bus.lit() == expected:
                    return True
            return False

        with self.changed:
            assert self.changed.wait_for(arrived, 60)


FILL_A1 = Snapshot(Phase.SET_UP, fill=1)
WHITE = (76, 76, 76)
SETTINGS = LightsSection(on=True)


def test_the_newest_snapshot_is_shown_and_the_end_is_dark() -> None:
    far = Far()
    chain = LedChain(lambda: far, SETTINGS, lambda _fault: None, lambda: 12)
    chain.show(FILL_A1)
    far.until({"A1": WHITE})
    chain.show(Snapshot(Phase.SET_UP, fill=1 << 19))
    far.until({"C8": WHITE})
    chain.close()
    far.until({})
    assert far.closed == 1


def test_they_are_off_at_night() -> None:
    far, hours = Far(), [23]
    settings = LightsSection(on=True, night_from=22)
    chain = LedChain(lambda: far, settings, lambda _fault: None, lambda: hours[0])
    chain.show(FILL_A1)
    far.until({})
    hours[0] = 7
    far.until({"A1": WHITE})
    chain.close()


def test_a_failed_bus_is_reported_once_and_opened_again() -> None:
    far, faults_seen = Far(failures=2), deque[UrpiError | None]()
    chain = LedChain(lambda: far, SETTINGS, faults_seen.append, lambda: 12)
    chain.show(FILL_A1)
    far.until({"A1": WHITE})
    chain.close()
    assert [None if one is None else str(one) for one in faults_seen] == [
        "The lights cannot be sent: no such device",
        None,
    ]
    assert far.closed == 3


def test_pictures_have_a_minimum_distance() -> None:
    times = deque[int]()

    class Timed(Far):
        def write(self, data: bytes) -> None:
            times.append(milliseconds())
            super().write(data)

    far = Timed()
    chain = LedChain(lambda: far, SETTINGS, lambda _fault: None, lambda: 12)
    for number in range(200):
        chain.show(Snapshot(Phase.SET_UP, fill=1 << number % 20))
    chain.show(FILL_A1)
    far.until({"A1": WHITE})
    chain.show(Snapshot(Phase.SET_UP, fill=1 << 19))
    far.until({"C8": WHITE})
    # The picture at the end is sent at once.
    sent = list(times)
    chain.close()
    assert all(later - earlier >= PAUSE_MS - 1 for earlier, later in pairwise(sent))


def test_a_picture_is_one_transfer_of_the_kernel_s_device(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "spidev0.0"
    os.mkfifo(path)
    near = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    speeds: list[int] = []

    def set_speed(_file: int, speed_hz: int) -> None:
        speeds.append(speed_hz)

    monkeypatch.setattr("urpi.hardware.spi_bus.set_speed", set_speed)
    wire = output.SpiWire(path, SPEED_HZ)
    data = encoded((DARK,) * 20)
    wire.write(data)
    assert os.read(near, 65536) == data
    assert len(data) <= 4096, "spidev takes bufsiz bytes at once, by default 4096"
    assert speeds == [SPEED_HZ]
    wire.close()
    os.close(near)


EXPANDERS = GpioSection(wiring="expander")


def test_the_leds_have_5_volts_and_a_level_shifter_in_the_list_of_wires() -> None:
    config = Config(gpio=EXPANDERS, lights=LightsSection(on=True))
    wires = {wire.name: wire for wire in wires_of(config, default_pins())}
    assert (wires["LED chain VCC"].pin, wires["OLED VCC"].pin) == (2, 1)
    assert wires["the LEDs' data"].pin == 19
    assert "74AHCT125" in wires["the LEDs' data"].to
    assert [fault for fault in faults(config, default_pins()) if "lights" in fault.key] == []


@pytest.mark.parametrize(
    ("config", "taken", "cure"),
    [
        (Config(lights=LightsSection(on=True)), "already that of B2", '"expander"'),
        (
            Config(
                gpio=EXPANDERS, oled=OledSection(interface="spi"), lights=LightsSection(on=True)
            ),
            "already that of OLED SDA",
            "display on I2C",
        ),
    ],
)
def test_lights_on_another_wire_s_pin_are_refused(config: Config, taken: str, cure: str) -> None:
    found = [one.sentence for one in faults(config, default_pins()) if one.key == "lights.on"]
    assert [taken in one and cure in one for one in found] == [True]
    with pytest.raises(UrpiError, match=taken):
        output.open_wire(config, default_pins())


def test_the_chain_has_every_square_once() -> None:
    assert sorted(CHAIN) == list(ALL_SQUARES)
