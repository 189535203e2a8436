"""The virtual table: a board, dice, hands and a hub that are not there."""

from typing import TYPE_CHECKING

from urpi.lazy import export

if TYPE_CHECKING:
    from urpi.simulation.apparatus import Apparatus, Outlets, Things
    from urpi.simulation.behaviour import BEHAVIOURS, Behaviour, CaptureOrder, behaviour
    from urpi.simulation.clock import Schedule
    from urpi.simulation.mock_pins import MockPins
    from urpi.simulation.players import PLAYERS, Player
    from urpi.simulation.reeds import Bounce, ReedFault
    from urpi.simulation.rig import DiceRig, RigMaker, TableDice, VirtualRig
    from urpi.simulation.table import People, VirtualTable
    from urpi.simulation.truth import TrueGame, Turn
    from urpi.simulation.wires import FaultyWire, Wire, WireFaults, open_wire
else:
    export(
        __name__,
        {
            "apparatus": ("Apparatus", "Outlets", "Things"),
            "behaviour": ("BEHAVIOURS", "Behaviour", "CaptureOrder", "behaviour"),
            "clock": ("Schedule",),
            "mock_pins": ("MockPins",),
            "players": ("PLAYERS", "Player"),
            "reeds": ("Bounce", "ReedFault"),
            "rig": ("DiceRig", "RigMaker", "TableDice", "VirtualRig"),
            "table": ("People", "VirtualTable"),
            "truth": ("TrueGame", "Turn"),
            "wires": ("FaultyWire", "Wire", "WireFaults", "open_wire"),
        },
    )

__all__ = [
    "BEHAVIOURS",
    "PLAYERS",
    "Apparatus",
    "Behaviour",
    "Bounce",
    "CaptureOrder",
    "DiceRig",
    "FaultyWire",
    "MockPins",
    "Outlets",
    "People",
    "Player",
    "ReedFault",
    "RigMaker",
    "Schedule",
    "TableDice",
    "Things",
    "TrueGame",
    "Turn",
    "VirtualRig",
    "VirtualTable",
    "Wire",
    "WireFaults",
    "behaviour",
    "open_wire",
]
