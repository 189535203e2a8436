"""The table's document: everything visible at an interactive table, for a page to draw."""

from collections.abc import Iterator
from typing import Any, TypeAlias

from urpi.rules import ALL_SQUARES, SQUARE_NAMES, Side, each_square, names_of
from urpi.simulation.interactive_table import InteractiveTable
from urpi.simulation.piece_layout import Piece

Document: TypeAlias = dict[str, Any]


def table_document(table: InteractiveTable, speed: float) -> Document:
    """Return the table as plain values (docs/operate/table.md), with every list in a fixed order.

    Args:
        table: The table.
        speed: How many times as fast as real time the table's time passes.
    """
    plays = table.partner.plays
    return {
        "rules": table.rules.text,
        "piles": table.rules.piles,
        "faces": table.rules.two_faced,
        "pieces": sorted(_pieces(table), key=_by_name),
        "dice": [_die(table, number) for number in range(1, table.dice.count + 1)],
        "closed": names_of(table.reeds.levels),
        "faults": {
            SQUARE_NAMES[square]: table.reeds.faults[square].value
            for square in ALL_SQUARES
            if square in table.reeds.faults
        },
        "buttons": [side.value for side in Side if side in table.buttons_down],
        "players": {side.value: "simulated" if side in plays else "hands" for side in Side},
        "hub": table.cable_in,
        "power": table.power,
        "speed": speed,
        "lesson": table.lesson is not None,
    }


def _pieces(table: InteractiveTable) -> Iterator[Document]:
    layout = table.layout
    for square in each_square(layout.occupancy):
        for height, piece in enumerate(layout.board[square]):
            yield _piece(piece) | {"at": SQUARE_NAMES[square], "level": height}
    for place, slots in layout.beside.items():
        for slot, piece in slots.items():
            yield _piece(piece) | {"at": str(place), "slot": slot}
    for hand, grip in layout.grips.items():
        over = None if grip.over is None else SQUARE_NAMES[grip.over]
        for height, piece in enumerate(grip.pieces):
            held = {"at": "held", "by": hand, "over": over, "level": height}
            yield _piece(piece) | held | {"from": str(grip.origin)}


def _piece(piece: Piece) -> Document:
    return {"id": piece.name, "side": piece.side.value, "turned": piece.turned}


def _by_name(piece: Document) -> tuple[str, int]:
    return piece["id"][0], int(piece["id"][1:])


def _die(table: InteractiveTable, number: int) -> Document:
    seen = table.dice.appearance(number)
    state = "rolls" if seen.moves else "leans" if seen.leans else "lies"
    return {"die": number, "state": state, "face": seen.face}
