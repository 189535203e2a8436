"""Wiring diagrams as SVG, with WireViz and Graphviz."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from wireviz.wireviz import parse

from wiring.draw.plan import Plan
from wiring.draw.svg import plain

PARTS_APART_INCHES: Final = "1"
"""Distance of the parts. WireViz's default of 2 makes diagrams too wide to read on a screen."""
FONT_FOLDER: Final = "/usr/share/fonts/truetype/liberation"
_FONTS: Final = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{folder}</dir>
  <cachedir>{cache}</cachedir>
  <alias binding="same">
    <family>arial</family><prefer><family>Liberation Sans</family></prefer>
  </alias>
  <match target="font"><edit name="hinting"><bool>false</bool></edit></match>
</fontconfig>
"""


class DrawingError(RuntimeError):
    """A tool for drawing is missing."""


def svg(plan: Plan) -> str:
    """Return a diagram as SVG. Boxes are measured with Liberation Sans on every machine.

    Raises:
        DrawingError: if Graphviz or Debian's fonts-liberation is missing.
    """
    if not Path(FONT_FOLDER).is_dir():
        raise DrawingError("Liberation Sans is missing: sudo apt-get install fonts-liberation.")
    if shutil.which("dot") is None:
        raise DrawingError("Graphviz is missing: sudo apt-get install graphviz.")
    harness = parse(plan.page(), return_types="harness")
    source = harness.graph.source.replace("ranksep=2", f"ranksep={PARTS_APART_INCHES}")
    with tempfile.TemporaryDirectory() as cache:
        fonts = Path(cache, "fonts.conf")
        fonts.write_text(_FONTS.format(folder=FONT_FOLDER, cache=cache), "utf-8")
        done = subprocess.run(
            ["dot", "-Tsvg"],  # noqa: S607 - Debian's, wherever it is
            input=source,
            env={**os.environ, "FONTCONFIG_FILE": str(fonts)},
            capture_output=True,
            text=True,
            check=True,
        )
    return plain(done.stdout, plan.title)
