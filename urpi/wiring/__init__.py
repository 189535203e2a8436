"""The wiring that a configuration makes of the pin map: what is wrong with it, and its wires."""

from urpi.wiring.check import faults, shared_pins, switched_on
from urpi.wiring.telling import as_json, fault_lines, table_lines
from urpi.wiring.wires import Wire, wires_of

__all__ = [
    "Wire",
    "as_json",
    "fault_lines",
    "faults",
    "shared_pins",
    "switched_on",
    "table_lines",
    "wires_of",
]
