"""The virtual table: a simulated board, dice, hub, cable, display and players."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.simulation.behaviour import (
        BEHAVIOURS,
        PLAYERS,
        Behaviour,
        CaptureOrder,
        Player,
        behaviour,
    )
    from urpi.simulation.hardware import Equipment, MockPins, Outputs, TableHardware
    from urpi.simulation.hub_wires import HubWire, open_wire
    from urpi.simulation.reeds import Bounce, ReedFault
    from urpi.simulation.rig import DiceRig, RigMaker, VirtualRig
    from urpi.simulation.schedule import Schedule
    from urpi.simulation.true_game import TrueGame, TrueTurn
    from urpi.simulation.virtual_table import SimulatedPlayers, VirtualTable

export(__name__)
