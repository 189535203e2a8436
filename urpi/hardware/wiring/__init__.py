"""The configured wiring: its faults and its wires."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.hardware.wiring.check import conflicts, faults, shared_pins
    from urpi.hardware.wiring.printing import as_json, fault_lines, table_lines
    from urpi.hardware.wiring.wires import Wire, wires_of

export(__name__)
