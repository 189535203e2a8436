"""Writes the KiCad projects and the assembly drawings. With --check, only compares them."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from urpi.hardware.template.as_svg import svg_text
from wiring.boards.design import Board
from wiring.boards.die import die
from wiring.boards.drawing import assembly, sides
from wiring.boards.hub import hub
from wiring.boards.layout import layout
from wiring.boards.on_template import on_template
from wiring.boards.panel import panel
from wiring.boards.project import settings, table
from wiring.boards.schematic import schematic
from wiring.boards.squares import squares
from wiring.stale import write_or_compare

FOLDER: Final = Path(__file__).parent
DRAWINGS: Final = FOLDER / "drawings"
BOARDS: Final[tuple[Callable[[], Board], ...]] = (die, hub, panel, squares)


def files(board: Board) -> dict[Path, Callable[[], str]]:
    """Return the files of a board's project with the functions that return their texts."""
    folder = FOLDER / board.name
    copper = folder / f"{board.name}.kicad_pcb"
    drawings = {
        DRAWINGS / f"assembly-{board.name}-{'back' if back else 'front'}.svg": partial(
            _drawing, board, back
        )
        for back in sides(board)
    }
    if board.cuts:
        drawings[DRAWINGS / f"{board.name}-on-template.svg"] = lambda: svg_text(on_template(board))
    return drawings | {
        folder / f"{board.name}.kicad_pro": lambda: settings(board),
        folder / f"{board.name}.kicad_sch": lambda: schematic(board),
        copper: lambda: layout(board, copper.read_text("utf-8") if copper.exists() else ""),
        folder / "sym-lib-table": lambda: table("sym_lib_table"),
        folder / "fp-lib-table": lambda: table("fp_lib_table"),
    }


def _drawing(board: Board, back: bool) -> str:
    return svg_text(assembly(board, back=back))


if __name__ == "__main__":
    every = {path: make for board in BOARDS for path, make in files(board()).items()}
    sys.exit(write_or_compare(every, check="--check" in sys.argv[1:]))
