"""Devices: the squares' switches, the buttons, the dice hub, the OLED. What stands at the edges."""

from urpi.devices.die_faces import DieFaces
from urpi.devices.gpio import FACTORIES, pin_factory
from urpi.devices.hub import DiceHub
from urpi.devices.hub_link import HubHealth, HubLink, HubSettings
from urpi.devices.oled import Screen, i2c_bus, open_oled
from urpi.devices.pins import PinMap, default_pins, read_pins
from urpi.devices.presses import PressTiming
from urpi.devices.protocol import (
    AckLine,
    AskLine,
    CalLine,
    DieLine,
    HubLine,
    LedLine,
    Line,
    LineCounts,
    LineReader,
    encode,
    line_bytes,
    parse_line,
)
from urpi.devices.serial_port import open_serial
from urpi.devices.switches import Switches

__all__ = [
    "FACTORIES",
    "AckLine",
    "AskLine",
    "CalLine",
    "DiceHub",
    "DieFaces",
    "DieLine",
    "HubHealth",
    "HubLine",
    "HubLink",
    "HubSettings",
    "LedLine",
    "Line",
    "LineCounts",
    "LineReader",
    "PinMap",
    "PressTiming",
    "Screen",
    "Switches",
    "default_pins",
    "encode",
    "i2c_bus",
    "line_bytes",
    "open_oled",
    "open_serial",
    "parse_line",
    "pin_factory",
    "read_pins",
]
