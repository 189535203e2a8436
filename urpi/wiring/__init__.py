"""The configured wiring: its faults and its wires."""

from urpi.wiring.check import conflicts, faults, shared_pins
from urpi.wiring.printing import as_json, fault_lines, table_lines
from urpi.wiring.wires import Wire, wires_of

__all__ = [
    "Wire",
    "as_json",
    "conflicts",
    "fault_lines",
    "faults",
    "shared_pins",
    "table_lines",
    "wires_of",
]
