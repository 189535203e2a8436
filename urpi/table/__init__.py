"""The virtual table: a board, dice, hands and a hub that are not there."""

from typing import TYPE_CHECKING

from urpi.lazy import export

if TYPE_CHECKING:
    from urpi.table.apparatus import Apparatus, Outlets, Things
    from urpi.table.behaviour import BEHAVIOURS, Behaviour, CaptureOrder, behaviour
    from urpi.table.clock import Schedule
    from urpi.table.mock_pins import MockPins
    from urpi.table.players import PLAYERS, Player
    from urpi.table.reeds import Bounce, ReedFault
    from urpi.table.rig import DiceRig, RigMaker, TableDice, VirtualRig
    from urpi.table.table import People, VirtualTable
    from urpi.table.truth import TrueGame, Turn
    from urpi.table.wires import FaultyWire, Wire, WireFaults, open_wire
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
