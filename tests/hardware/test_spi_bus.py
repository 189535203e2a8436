"""The display on SPI: bytes and the levels of its wires, as a panel receives them."""

import os
from pathlib import Path
from threading import Thread

import pytest
from gpiozero.pins.mock import MockFactory
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.hardware.panel import dot
from urpi.config import Config, GpioSection, OledSection
from urpi.core.errors import UrpiError
from urpi.hardware import default_pins
from urpi.hardware.oled import DEVICES, open_oled
from urpi.hardware.oled_bus import OledBus
from urpi.hardware.outputs.oled import Wires
from urpi.hardware.spi_bus import SpiBus, output_pin, pulse_reset
from urpi.hardware.wiring import faults, wires_of

DC = 24


class WiredPanel:
    """A panel at the end of a pipe: takes each transfer by the level of D/C, as chips do."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.panel, self.factory = OledBus(kind), MockFactory()
        self.path = folder / "spidev0.0"
        os.mkfifo(self.path)
        self._near = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        self.pin = output_pin("the OLED's D/C", DC, self.factory)
        self.bus = SpiBus(self.path, self.pin, lambda _file: None)
        self.transfers = 0

    def command(self, *cmd: int) -> None:
        self.bus.command(*cmd)
        self._receive()

    def data(self, data: list[int]) -> None:
        self.bus.data(data)
        self._receive()

    def cleanup(self) -> None:
        self.bus.cleanup()
        os.close(self._near)

    def _receive(self) -> None:
        data = os.read(self._near, 65536)
        self.transfers += 1
        if self.factory.pin(DC).state:
            self.panel.data(data)
        else:
            self.panel.command(*data)


@pytest.mark.parametrize("kind", DEVICES)
def test_a_panel_on_spi_shows_what_is_drawn(kind: str, tmp_path: Path) -> None:
    wired = WiredPanel(tmp_path, kind)
    device = open_oled(kind, wired)
    for picture in (Image.effect_noise((128, 64), 100).convert("1"), dot(5, 9)):
        device.display(picture)
        assert wired.panel.picture().tobytes() == picture.tobytes()
    assert wired.transfers > 4
    device.release()


@settings(max_examples=20, deadline=None)
@given(st.binary(min_size=1, max_size=200_000))
def test_data_that_the_device_takes_in_parts_arrives_whole(data: bytes) -> None:
    near, far = os.pipe()
    bus = SpiBus(Path(f"/dev/fd/{far}"), output_pin("D/C", DC, MockFactory()), lambda _file: None)
    received = bytearray()

    def receive() -> None:
        while len(received) < len(data):
            received.extend(os.read(near, 65536))

    reader = Thread(target=receive)
    reader.start()
    bus.data(list(data))
    reader.join()
    assert received == data
    bus.cleanup()
    os.close(near)
    os.close(far)


def test_a_missing_device_is_named_with_the_command_that_enables_it(tmp_path: Path) -> None:
    pin = output_pin("D/C", DC, MockFactory())
    with pytest.raises(UrpiError, match=r"spidev0\.0 cannot be opened: .*; switch SPI on"):
        SpiBus(tmp_path / "spidev0.0", pin)


def test_a_file_that_is_no_spi_device_is_refused_and_closed(tmp_path: Path) -> None:
    path = tmp_path / "spidev0.0"
    path.touch()
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(UrpiError, match=r"cannot be opened: .*ioctl"):
        SpiBus(path, output_pin("D/C", DC, MockFactory()))
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_reset_is_low_for_a_moment_and_then_high() -> None:
    factory = MockFactory()
    pin = output_pin("RES", 25, factory)
    states = [state for _, state in factory.pin(25).states]
    pulse_reset(pin)
    after = [state for _, state in factory.pin(25).states]
    assert after == [*states, False, True]


SPI = OledSection(interface="spi", reset_pin=25)


def test_a_display_on_spi_with_expanders_has_a_wire_for_each_of_its_pins() -> None:
    config = Config(gpio=GpioSection(wiring="expander"), oled=SPI)
    assert [fault for fault in faults(config, default_pins()) if "oled" in fault.key] == []
    wires = {wire.name: wire.pin for wire in wires_of(config, default_pins())}
    found = {name: pin for name, pin in wires.items() if name.startswith("OLED")}
    assert found == {
        "OLED VCC": 1,
        "OLED GND": 6,
        "OLED SDA": 19,
        "OLED SCL": 23,
        "OLED CS": 24,
        "OLED D/C": 18,
        "OLED RES": 22,
    }


class Ends:
    """The near ends of a board's wires, with mock pins."""

    def __init__(self) -> None:
        self.factory, self.pins, self.far_ends = MockFactory(), default_pins(), {}


def test_a_display_on_the_pins_of_squares_is_refused_before_a_pin_is_driven() -> None:
    ends = Ends()
    with pytest.raises(UrpiError, match=r"OLED RES is on GPIO 25 .* already that of B4"):
        Wires(Config(oled=SPI), ends).open_bus()
    assert ends.factory.pins == {}


def test_the_wiring_of_squares_on_the_pins_of_spi_has_a_fault_that_names_the_expanders() -> None:
    found = [fault.sentence for fault in faults(Config(oled=SPI), default_pins())]
    assert any("OLED SDA is on GPIO 10" in one and '"expander"' in one for one in found)
