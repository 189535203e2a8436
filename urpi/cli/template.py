"""`urpi template`: draw the board to scale."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from urpi.cli.output import form_of, write
from urpi.core.errors import UrpiError
from urpi.hardware.template import (
    OLEDS,
    PAPERS,
    Drawing,
    DrawingPart,
    Measures,
    draw,
    dxf_text,
    pdf_bytes,
    svg_text,
)

NONE: Final = "none"
FORMATS: Final = ("svg", "pdf", "dxf")
STANDARD_OUTPUT: Final = Path("-")
DEFAULTS: Final = Measures()


def _length(
    name: str, default: float, text: str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """An option for a length in millimetres."""
    return click.option(
        name, type=float, metavar="MM", default=default, show_default=True, help=text
    )


@click.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="SVG for Inkscape and lasers, PDF for a printer, DXF for CAD and routers.  "
    "[default: the suffix of --output, else svg]",
)
@click.option(
    "--part",
    type=click.Choice([part.value for part in DrawingPart]),
    default=DrawingPart.ALL.value,
    show_default=True,
    help="The engraved top plate, the base plate to drill, its channels from below, or all layers.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Name of the file; - for standard output.  [default: board-PART.FORMAT]",
)
@click.option(
    "--paper",
    type=click.Choice((*PAPERS, NONE)),
    help="Page size of a PDF, or none for one page as large as the drawing.  [default: a4]",
)
@_length("--square", DEFAULTS.square, "Side of a square.")
@_length("--rim", DEFAULTS.rim, "Width of the wood around the squares.")
@_length("--reed-hole", DEFAULTS.reed_hole, "Diameter of the hole for an upright reed switch.")
@_length(
    "--reed-right",
    DEFAULTS.reed_right,
    "Offset of a reed to the right of its square's centre.",
)
@_length("--reed-down", DEFAULTS.reed_down, "Offset of a reed below it.")
@_length("--wire", DEFAULTS.wire, "Diameter of a wire with insulation.")
@_length("--channel", DEFAULTS.channel, "Width of the channels: the router bit.")
@_length("--channel-depth", DEFAULTS.channel_depth, "Depth of the channels.")
@_length("--button", DEFAULTS.button, "Diameter of a button's hole.")
@click.option("--buttons/--no-buttons", default=True, show_default=True, help="Holes for buttons.")
@click.option(
    "--oled",
    type=click.Choice((*OLEDS, NONE)),
    default=DEFAULTS.oled,
    show_default=True,
    help="Diagonal of the display in inches.",
)
@click.option("--chutes/--no-chutes", default=False, show_default=True, help="Finish chutes.")
def template(
    form: str | None, part: str, output: Path | None, paper: str | None, **chosen: Any
) -> None:
    """Draw the board to scale: to print, engrave, drill and rout.

    On paper, measure the line of 100 mm before you drill: print at 100 %, not "fit to page".

    For example: urpi template --output board.svg
    """
    form = form_of(output, {f".{each}": each for each in FORMATS}, "svg", chosen=form)
    if paper is not None and form != "pdf":
        message = f"--paper applies to PDF only; {form.upper()} has one sheet: leave --paper out."
        raise UrpiError(message)
    chosen["oled"] = None if chosen["oled"] == NONE else chosen["oled"]
    content = _encoded(draw(Measures(**chosen), DrawingPart(part)), form, paper or "a4")
    target = output or Path(f"board-{part}.{form}")
    _write(target, content)


def _encoded(drawing: Drawing, form: str, paper: str) -> bytes:
    if form == "pdf":
        return pdf_bytes(drawing, None if paper == NONE else paper)
    text = svg_text(drawing) if form == "svg" else dxf_text(drawing)
    return text.encode("utf-8")


def _write(target: Path, content: bytes) -> None:
    if target == STANDARD_OUTPUT:
        sys.stdout.buffer.write(content)
        return
    write(target, content)
    click.echo(f"Wrote {target}")
