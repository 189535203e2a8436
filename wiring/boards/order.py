"""Makes what a manufacturer needs of each board, and pictures, in build/boards/: `make boards`.

With --no-pictures the documentation's pictures are not drawn again.

The files have the same bytes on each run: KiCad's dates are replaced by a fixed one.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from urpi.hardware.template.as_pdf import pdf_bytes
from wiring.boards import assembly, drawing
from wiring.boards.design import Board
from wiring.boards.die import die
from wiring.boards.hub import hub
from wiring.boards.panel import panel
from wiring.boards.squares import squares

ROOT: Final = Path(__file__).parents[2]
SOURCES: Final = Path(__file__).parent
OUT: Final = ROOT / "build" / "boards"
PICTURES: Final = ROOT / "docs" / "pictures"
BOARDS: Final = {"die": die, "hub": hub, "panel": panel, "squares": squares}
NAMES: Final = tuple(BOARDS)
LAYERS: Final = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,B.Paste,F.SilkS,B.SilkS,Edge.Cuts"

_DATE: Final = re.compile(rb"20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[+-]\d\d:?\d\d|Z)?")
_FIXED_DATE: Final = b"1980-01-01T00:00:00+00:00"
FILL: Final = (
    "import sys, pcbnew; board = pcbnew.LoadBoard(sys.argv[1]); "
    "pcbnew.ZONE_FILLER(board).Fill(board.Zones()); pcbnew.SaveBoard(sys.argv[1], board)"
)


def in_kicad(*command: str | Path) -> None:
    """Run a command of KiCad 9; paths in the project are passed as it sees them.

    Raises:
        subprocess.CalledProcessError: if the command failed; its output has been printed.
    """
    words = [_seen(word) if isinstance(word, Path) else word for word in command]
    done = subprocess.run(  # noqa: S603 - the project's own commands
        [ROOT / "tools" / "in-kicad-root", *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.stderr.write(done.stdout + done.stderr)
    done.check_returncode()


def _seen(path: Path) -> str:
    return f"/project/{path.relative_to(ROOT)}"


def project(name: str, folder: Path) -> Path:
    """Copy a board's project and its library to `folder`, fill its areas, and return its folder."""
    shutil.rmtree(folder / name, ignore_errors=True)
    for source in (name, "library"):
        shutil.copytree(SOURCES / source, folder / source, dirs_exist_ok=True)
    in_kicad("python3", "-c", FILL, folder / name / f"{name}.kicad_pcb")
    return folder / name


def variants(name: str) -> dict[str, Board]:
    """Return the variants of a board, with the parts that each has, by the names of their files."""
    board = BOARDS[name]()
    return {f"{name}-{one}": board.variant(one) for one in board.variants} or {name: board}


def order(name: str, folder: Path = OUT) -> list[Path]:
    """Make the files for a manufacturer of the board `name`.

    Returns:
        The files: Gerber and drill files in one archive, the lists of assembly.py, and the
        drawings of both sides.
    """
    source = project(name, folder / "projects")
    board, sheet = source / f"{name}.kicad_pcb", source / f"{name}.kicad_sch"
    plots = folder / "projects" / name / "gerber"
    plots.mkdir()
    sheets = []
    for kind, rows in assembly.FILES.items():
        for title, board_of in variants(name).items():
            sheets.append(folder / f"{title}-{kind}.csv")
            sheets[-1].write_text(assembly.text(rows(board_of)), "utf-8")
    _export("pcb", "gerbers", "--layers", LAYERS, "-o", f"{_seen(plots)}/", board)
    _export("pcb", "drill", "--excellon-separate-th", "-o", f"{_seen(plots)}/", board)
    drawn = []
    for back in drawing.sides(BOARDS[name]()):
        drawn.append(folder / f"{name}-assembly-{'back' if back else 'front'}.pdf")
        drawn[-1].write_bytes(pdf_bytes(drawing.assembly(BOARDS[name](), back=back), None))
    _export("sch", "pdf", "-o", folder / f"{name}-schematic.pdf", sheet)
    for path in plots.iterdir():
        path.write_bytes(_DATE.sub(_FIXED_DATE, path.read_bytes()))
    archive = folder / f"{name}-gerber.zip"
    _pack(archive, sorted(plots.iterdir()))
    return [archive, *sheets, *drawn]


def _export(kind: str, what: str, *rest: str | Path) -> None:
    in_kicad("kicad-cli", kind, "export", what, *rest)


def _pack(archive: Path, paths: Sequence[Path]) -> None:
    with ZipFile(archive, "w", ZIP_DEFLATED) as file:
        for path in paths:
            file.writestr(ZipInfo(path.name), path.read_bytes(), ZIP_DEFLATED)


def pictures(name: str, folder: Path = OUT) -> Iterator[Path]:
    """Render the board `name` from above, and from below if it has parts there."""
    board = folder / "projects" / name / f"{name}.kicad_pcb"
    size = ("--width", "900", "--height", "720", "--zoom", "1.1")
    sides = (
        ["top", "bottom"] if '(layer "B.Cu")\n\t\t(uuid' in board.read_text("utf-8") else ["top"]
    )
    for side in sides:
        path = folder / f"board-{name}{'-back' if side == 'bottom' else ''}.png"
        options = ("--side", side, *size, "--background", "opaque")
        in_kicad("kicad-cli", "pcb", "render", *options, "-o", path, board)
        yield path


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    with_pictures = "--no-pictures" not in sys.argv
    for one in NAMES:
        order(one)
        for path in pictures(one) if with_pictures else ():
            shutil.copy(path, PICTURES)
    print(f"See {OUT}.")  # noqa: T201
