"""The pins in wiring/dice.toml are those in the firmware's headers."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WIRING = tomllib.loads((ROOT / "wiring" / "dice.toml").read_text("utf-8"))
DEFINED = re.compile(
    r"#define (?:DIE|HUB)_(\w+)_(?:BIT|ADC) (\d+) /\* .*?\b(P[BCD]\d), (?:pin )?(\w+)"
)


def wires_of(board: str) -> dict[str, tuple[int, str, str]]:
    """Return every wire in the board's header: its bit, and the port pin and pin in its comment."""
    header = (ROOT / "firmware" / board / "pins.h").read_text("utf-8")
    return {name: (int(bit), port, pin) for name, bit, port, pin in DEFINED.findall(header)}


@pytest.mark.parametrize("board", ["die", "hub"])
def test_wiring_and_header_have_the_same_wires(board: str) -> None:
    assert WIRING[board].keys() == wires_of(board).keys()


@pytest.mark.parametrize(
    ("board", "wire"), [(board, wire) for board in ("die", "hub") for wire in WIRING[board]]
)
def test_wire_is_on_the_firmwares_pin(board: str, wire: str) -> None:
    wired = WIRING[board][wire]
    bit, port, pin = wires_of(board)[wire]
    assert wired["port"] == port
    assert int(port[-1]) == bit
    assert str(wired["pin"]) == pin


def test_the_programmers_connector_is_the_standard_one_and_its_signals_are_the_dies():
    connector = WIRING["die-isp"]
    signals = {"MISO": 1, "VCC": 2, "SCK": 3, "MOSI": 4, "RESET": 5, "GND": 6}
    assert connector == signals
    assert set(signals) <= WIRING["die"].keys() | WIRING["die-supply"].keys()
