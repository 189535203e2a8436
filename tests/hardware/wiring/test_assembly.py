"""The files for assemblers: which parts are in them, and their numbers.

tests/boards compares them with what KiKit exports.
"""

import csv
import io
import re
from dataclasses import replace

import pytest

from tests.slow import mostly_slow
from wiring.boards import library
from wiring.boards.__main__ import BOARDS
from wiring.boards.assembly import FILES, text
from wiring.boards.design import Board
from wiring.boards.drawing import assembly, sides
from wiring.boards.supply import is_listed, key_of, order_of, orders

MADE = [make() for make in BOARDS]
ASSEMBLERS = {"jlcpcb-bom": "jlcpcb-cpl", "pcbway-bom": "pcbway-centroid"}


def read(board: Board, kind: str) -> dict[str, dict[str, str]]:
    """Return the rows of a file by designator."""
    rows = list(csv.DictReader(io.StringIO(text(FILES[kind](board)))))
    named = [(name, row) for row in rows for name in row["Designator"].split(",")]
    assert len(named) == len(dict(named))
    return dict(named)


@pytest.mark.parametrize("board", mostly_slow(MADE, 1), ids=lambda board: board.name)
@pytest.mark.parametrize("bom", ASSEMBLERS)
def test_every_part_that_is_soldered_by_machine_is_in_both_files(board, bom):
    places = read(board, ASSEMBLERS[bom])
    assert read(board, bom).keys() == places.keys()
    by_hand = read(board, "by-hand")
    assert not by_hand.keys() & places.keys()
    bought = {part.reference for part in board.parts if is_listed(part)}
    assert bought == by_hand.keys() | places.keys()
    assert all(re.fullmatch(r"[A-Z]+[0-9]+", name) for name in bought)


@pytest.mark.slow
def test_the_usb_connector_is_placed_and_the_radio_is_not():
    (die,) = [board for board in MADE if board.name == "die"]
    for kind in (*ASSEMBLERS, *ASSEMBLERS.values()):
        assert "J1" in read(die, kind)
        assert "U5" not in read(die, kind)


@pytest.mark.parametrize("board", MADE, ids=lambda board: board.name)
def test_only_parts_without_pins_through_the_board_are_soldered_by_machine(board):
    """The USB connector's legs are the exception: an assembler solders them with the rest."""
    for part in board.parts:
        holes = any(pad.through for pad in library.pads(part.footprint))
        order = order_of(part)
        if order is not None and part.reference != "J1":
            assert order.hand or not holes


def test_every_part_has_a_maker_and_a_number_and_no_number_is_unused():
    used = {key_of(part) for board in MADE for part in board.parts} - {None}
    assert used == orders().keys()
    for order in orders().values():
        assert order.maker
        assert order.number
        assert re.fullmatch(r"(C[1-9][0-9]*)?", order.lcsc)


def test_a_part_without_a_number_is_an_error():
    part = next(part for part in MADE[0].parts if part.reference == "R1")
    with pytest.raises(LookupError, match=r"R1, '12\.3k' in R_0603"):
        order_of(replace(part, value="12.3k"))


@pytest.mark.parametrize("board", MADE, ids=lambda board: board.name)
def test_every_part_is_named_on_the_drawing_of_its_side(board):
    for back in sides(board):
        drawing = assembly(board, back=back)
        named = [shape.text for shape in drawing.shapes if hasattr(shape, "text")]
        there = [part.reference for part in board.parts if part.back == back]
        assert sorted(named) == sorted(
            [*(name for name in there if not name.startswith("H")), *named[-2:]]
        )


def test_a_part_on_the_back_is_drawn_mirrored():
    (die,) = [board for board in MADE if board.name == "die"]
    drawing = assembly(die, back=True)
    at = {shape.text: shape.x for shape in drawing.shapes if hasattr(shape, "text")}
    left, right = (part for part in die.parts if part.reference in {"C5", "C7"})
    assert (left.place[0] < right.place[0]) == (at[left.reference] > at[right.reference])
