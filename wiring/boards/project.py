"""Writes the files of a KiCad project, except for schematic and layout."""

import json
from typing import Final

from wiring.boards.design import Board
from wiring.boards.library import NICKNAME
from wiring.boards.sexpr import dump, word

_TABLES: Final = {
    "sym_lib_table": f"${{KIPRJMOD}}/../library/{NICKNAME}.kicad_sym",
    "fp_lib_table": f"${{KIPRJMOD}}/../library/{NICKNAME}.pretty",
}


def table(kind: str) -> str:
    """Return the project's table of libraries; `kind` is sym_lib_table or fp_lib_table."""
    rows = [word(name, text) for name, text in _row(kind)]
    return dump(word(kind, word("version", 7), word("lib", *rows)))


def _row(kind: str) -> list[tuple[str, str]]:
    described = "Copies from KiCad's libraries, see LICENSE.md there"
    return [
        ("name", NICKNAME),
        ("type", "KiCad"),
        ("uri", _TABLES[kind]),
        ("options", ""),
        ("descr", described),
    ]


def settings(board: Board) -> str:
    """Return the text of the board's .kicad_pro file: the rules that KiCad checks."""
    rules = board.rules
    limits = {
        "min_clearance": 0.127,
        "min_copper_edge_clearance": 0.3,
        "min_hole_clearance": 0.2,
        "min_hole_to_hole": 0.25,
        "min_resolved_spokes": 1,
        "min_silk_clearance": 0.0,
        "min_text_height": 0.8,
        "min_text_thickness": 0.08,
        "min_through_hole_diameter": 0.25,
        "min_track_width": 0.15,
        "min_via_annular_width": 0.12,
        "min_via_diameter": 0.45,
    }
    classes = {
        "name": "Default",
        "priority": 2147483647,
        "clearance": rules.clearance,
        "track_width": rules.track,
        "via_diameter": rules.via,
        "via_drill": rules.drill,
        "wire_width": 6,
        "bus_width": 12,
    }
    content = {
        "board": {"design_settings": {"rules": limits}},
        "meta": {"filename": f"{board.name}.kicad_pro", "version": 3},
        "net_settings": {"classes": [classes], "meta": {"version": 4}},
        "schematic": {"legacy_lib_dir": "", "legacy_lib_list": []},
    }
    return json.dumps(content, indent=2) + "\n"
