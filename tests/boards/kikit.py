"""Lists of parts and positions that KiKit exports from a KiCad project, for two assemblers.

KiKit is an independent program for the same formats (github.com/yaqwsx/KiKit). It is downloaded
once to ~/.cache/urpi, and runs in KiCad's root directory.
"""

import csv
import os
import shutil
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from wiring.boards.order import ROOT, in_kicad
from wiring.boards.sexpr import children, dump, parse

PACKAGES: Final = (
    "kikit==1.8.1", "click==8.5.1", "numpy==2.4.6", "pcbnewTransition==0.5.2", "shapely==2.2.0",
)  # fmt: skip
"""KiKit, and of its dependencies what these commands import."""
_CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "urpi"
_SEEN: Final = ROOT / "build" / "boards" / "kikit"
"""Where KiCad's root directory finds it."""
_RUN: Final = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from kikit.fab_ui import fab; "
    "fab(sys.argv[1:])"
)

Row = dict[str, str]


def lacking(project: Path, title: str, references: Collection[str]) -> Path:
    """Return a copy of a project without some parts, which KiKit's --ignore removes unreliably."""
    if not references:
        return project
    folder = project.parent / title / project.name
    shutil.rmtree(folder.parent, ignore_errors=True)
    shutil.copytree(project, folder)
    for kind, item in (("kicad_sch", "symbol"), ("kicad_pcb", "footprint")):
        path = folder / f"{project.name}.{kind}"
        node = parse(path.read_text("utf-8"))
        path.write_text(
            dump([one for one in node if not _is_one_of(one, item, references)]), "utf-8"
        )
    return folder


def _is_one_of(node: Any, kind: str, references: Collection[str]) -> bool:
    return (
        isinstance(node, list)
        and node[0] == kind
        and any(
            one[1] == "Reference" and one[2] in references for one in children(node, "property")
        )
    )


def exported(assembler: str, project: Path, *options: str) -> tuple[list[Row], list[Row]]:
    """Return the rows of the parts and of the positions, for "jlcpcb" or "pcbway"."""
    out = project / f"kikit-{assembler}"
    sheet, board = (project / f"{project.name}.{kind}" for kind in ("kicad_sch", "kicad_pcb"))
    in_kicad(
        "python3", "-c", _RUN, _installed(), assembler, "--no-drc", "--assembly", *options,
        "--schematic", sheet, board, out,
    )  # fmt: skip
    return rows(out / "bom.csv"), rows(out / "pos.csv")


def rows(path: Path) -> list[Row]:
    """Return the rows of a CSV file by the names of its columns."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _installed() -> Path:
    cached = _CACHE / "-".join(("kikit", *PACKAGES[0].split("==")[1:]))
    if not cached.exists():
        new = cached.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", new,
             "--python-version", "3.13", "--only-binary=:all:", *PACKAGES],
            check=True,
        )  # fmt: skip
        new.rename(cached)
    if not _SEEN.exists():
        shutil.copytree(cached, _SEEN)
    return _SEEN
