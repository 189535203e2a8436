"""The hub's board: a Nano and the radio's module on sockets, as dice.toml connects them."""

from typing import Final

from wiring.boards import library
from wiring.boards.design import Board, Keepout, Part, Rules, Text, rectangle
from wiring.draw.sources import DICE

SUPPLY: Final = "3V3"
REVISION: Final = 2
_NANO: Final = "Arduino_Nano_v3.x"
_HOLES: Final = ((50.8, 5.08), (5.08, 26.67), (5.08, 44.45), (50.8, 44.45))

_PRINTED: Final = {"RST": "~{RESET}", "D0": "D0/RX", "D1": "D1/TX"}
"""Names in KiCad's symbol of a Nano that differ from the printed ones."""

_OPEN: Final = frozenset({"RXD", "TXD"})
"""Wires of the Nano itself, to its USB chip."""


def hub() -> Board:
    """Return the hub's board."""
    small = "R_0805_2012Metric_Pad1.20x1.40mm_HandSolder"
    lamp = "LED_0805_2012Metric_Pad1.15x1.40mm_HandSolder"
    large = "C_1206_3216Metric_Pad1.33x1.80mm_HandSolder"
    thin = "C_0805_2012Metric_Pad1.18x1.45mm_HandSolder"
    header = "PinHeader_1x02_P2.54mm_Vertical"
    pair = {"1": SUPPLY, "2": "GND"}
    parts = (
        Part("A1", "Arduino Nano", _NANO, "Arduino_Nano", _nano(), (42.545, 5.08, 270),
             (63.5, 88.9), hidden=True),
        Part("U1", "nRF24L01+ module", "NRF24L01_Breakout", "nRF24L01_Breakout",
             _radio(), (27.94, 27.94, 0), (132.08, 76.2), hidden=True),
        Part("C1", "10u 10V", "C", large, pair, (22.86, 29.21, 270), (182.88, 71.12),
             label=(0, -2, 0)),
        Part("C2", "100n", "C", thin, pair, (22.86, 34.29, 270), (205.74, 71.12),
             label=(0, -1.8, 0)),
        Part("C3", "10u 10V", "C", large, {"1": "RESET_KEPT", "2": "GND"},
             (16.51, 34.29, 270), (205.74, 109.22), label=(0, -2, 0)),
        Part("JP1", "closed: no restart", "Conn_01x02", header,
             {"1": "RESET", "2": "RESET_KEPT"}, (16.51, 27.94, 90), (182.88, 109.22),
             hidden=True),
        Part("R1", "1k", "R", small, {"1": "LED", "2": "LED_A"}, (16.51, 40.64, 0),
             (182.88, 142.24), label=(0, -1.75, 0)),
        Part("D1", "red", "LED", lamp, {"1": "GND", "2": "LED_A"}, (22.86, 40.64, 180),
             (205.74, 142.24), label=(0, 1.75, 180)),
        *(
            Part(f"H{number}", "M2.5", "MountingHole", "MountingHole_2.7mm_M2.5",
                 {}, (*at, 0), (25.4 + 20.32 * number, 152.4), hidden=True)
            for number, at in enumerate(_HOLES, 1)
        ),
    )  # fmt: skip
    texts = (
        Text("urpi hub", (8.5, 36.5), 1.5),
        Text(f"rev {REVISION}", (8.5, 39.0), 1.0),
        Text("nRF24L01+", (46.99, 29.21), 1.0),
        Text("JP1", (12.7, 27.94), 1.0),
        Text("off to flash", (15.24, 30.8), 1.0),
        Text("Nano", (27.94, 12.7), 1.2),
    )
    return Board(
        "hub",
        "Hub of the dice",
        rectangle(0, 0, 55.88, 48.26),
        parts,
        rules=Rules(step=0.635),
        revision=REVISION,
        texts=texts,
        keepouts=(Keepout("antenna", rectangle(43.18, 24.5, 12.7, 17.5)),),
        notes=(
            ("Generated from wiring/dice.toml by make -C wiring/boards.", (25.4, 25.4)),
            (
                "JP1 closed keeps the Nano from restarting when its port is opened.",
                (170.18, 124.46),
            ),
        ),
    )


def pin_on_nano(printed: str) -> str:
    """Return the number of the Nano's pin with a printed name, such as "D10", "3V3" or "RST".

    Raises:
        LookupError: if the Nano has no such pin.
    """
    name = _PRINTED.get(printed, printed)
    for pin in library.pins(_NANO):
        if pin.name == name:
            return pin.number
    raise LookupError(f"A Nano has no pin {printed!r}.")


def _nano() -> dict[str, str]:
    supply = DICE["hub-supply"]
    nets = {
        pin_on_nano(wire["pin"]): name for name, wire in DICE["hub"].items() if name not in _OPEN
    }
    nets[pin_on_nano(supply["VCC"])] = SUPPLY
    for pin in library.pins(_NANO):
        if pin.name == supply["GND"]:
            nets[pin.number] = "GND"
        if pin.name == _PRINTED[supply["RESET"]]:
            nets[pin.number] = "RESET"
    return nets


def _radio() -> dict[str, str]:
    others = {"VCC": SUPPLY, "IRQ": "RADIO_IRQ"}
    return {str(number): others.get(name, name) for name, number in DICE["radio"].items()}
