"""Devices: the squares' switches, the buttons, the dice hub, the OLED. What stands at the edges."""

from urpi.devices.contacts import (
    Contacts,
    Sockets,
    buzzer_pin,
    expander_of,
    header_wires,
    open_contacts,
    wired_pins,
)
from urpi.devices.die_faces import DieFaces
from urpi.devices.expander import ExpanderSwitches, smbus
from urpi.devices.gpio import FACTORIES, PinsAwayError, late_pin_factory, pin_factory
from urpi.devices.hub import DiceHub
from urpi.devices.hub_link import HubHealth, HubLink, HubSettings
from urpi.devices.late_contacts import LateContacts
from urpi.devices.oled import i2c_bus, open_oled
from urpi.devices.pins import PinMap, changed_pins, default_pins, read_pins
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
from urpi.devices.screen import Screen
from urpi.devices.screen_rest import Rest
from urpi.devices.serial_port import open_serial
from urpi.devices.sound import Player, open_sound
from urpi.devices.switches import Switches

__all__ = [
    "FACTORIES",
    "AckLine",
    "AskLine",
    "CalLine",
    "Contacts",
    "DiceHub",
    "DieFaces",
    "DieLine",
    "ExpanderSwitches",
    "HubHealth",
    "HubLine",
    "HubLink",
    "HubSettings",
    "LateContacts",
    "LedLine",
    "Line",
    "LineCounts",
    "LineReader",
    "PinMap",
    "PinsAwayError",
    "Player",
    "PressTiming",
    "Rest",
    "Screen",
    "Sockets",
    "Switches",
    "buzzer_pin",
    "changed_pins",
    "default_pins",
    "encode",
    "expander_of",
    "header_wires",
    "i2c_bus",
    "late_pin_factory",
    "line_bytes",
    "open_contacts",
    "open_oled",
    "open_serial",
    "open_sound",
    "parse_line",
    "pin_factory",
    "read_pins",
    "smbus",
    "wired_pins",
]
