"""`urpi template`: the board drawn to scale."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from urpi.commands.output import write_bytes
from urpi.errors import UrpiError
from urpi.template import (
    OLEDS,
    PAPERS,
    Drawing,
    Measures,
    Part,
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
    name: str, default: float, told: str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """An option of so many millimetres."""
    return click.option(
        name, type=float, metavar="MM", default=default, show_default=True, help=told
    )


@click.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="SVG for Inkscape and lasers, PDF for a printer, DXF for CAD and routers.  "
    "[default: as --output is named, else svg]",
)
@click.option(
    "--part",
    type=click.Choice([part.value for part in Part]),
    default=Part.ALL.value,
    show_default=True,
    help="The engraved top plate, the base plate to drill, its channels from below, or all.",
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Where to write it; - for standard output.  [default: board-PART.FORMAT]",
)
@click.option(
    "--paper",
    type=click.Choice((*PAPERS, NONE)),
    help="For a PDF: spread over such pages, or one page as large as the drawing.  [default: a4]",
)
@_length("--square", DEFAULTS.square, "A square's side.")
@_length("--rim", DEFAULTS.rim, "The wood around the squares.")
@_length("--reed-hole", DEFAULTS.reed_hole, "The hole for a standing reed switch.")
@_length("--reed-right", DEFAULTS.reed_right, "How far right of its square's middle a reed stands.")
@_length("--reed-down", DEFAULTS.reed_down, "How far below it.")
@_length("--wire", DEFAULTS.wire, "A wire with its insulation.")
@_length("--channel", DEFAULTS.channel, "The channels' width: the router's bit.")
@_length("--channel-depth", DEFAULTS.channel_depth, "Their depth.")
@_length("--button", DEFAULTS.button, "A button's hole.")
@click.option("--buttons/--no-buttons", default=True, show_default=True, help="Holes for them.")
@click.option(
    "--oled",
    type=click.Choice((*OLEDS, NONE)),
    default=DEFAULTS.oled,
    show_default=True,
    help="The display's diagonal in inches.",
)
@click.option("--chutes/--no-chutes", default=False, show_default=True, help="Finish chutes.")
def template(
    form: str | None, part: str, output: Path | None, paper: str | None, **chosen: Any
) -> None:
    """Draw the board to scale: to print, engrave, drill and rout.

    On paper, measure the line of 100 mm before you drill: print at 100 %, not "fit to page".
    """
    form = form or _form_of(output)
    if paper is not None and form != "pdf":
        message = f"--paper is for a PDF; a {form.upper()} is one sheet: leave --paper out."
        raise UrpiError(message)
    chosen["oled"] = None if chosen["oled"] == NONE else chosen["oled"]
    written = _written(draw(Measures(**chosen), Part(part)), form, paper or "a4")
    target = output or Path(f"board-{part}.{form}")
    _write(target, written)


def _form_of(output: Path | None) -> str:
    """The format that a file's name says by its end, else SVG."""
    ending = "" if output is None else output.suffix[1:].lower()
    return ending if ending in FORMATS else "svg"


def _written(drawing: Drawing, form: str, paper: str) -> bytes:
    if form == "pdf":
        return pdf_bytes(drawing, None if paper == NONE else paper)
    text = svg_text(drawing) if form == "svg" else dxf_text(drawing)
    return text.encode("utf-8")


def _write(target: Path, written: bytes) -> None:
    if target == STANDARD_OUTPUT:
        sys.stdout.buffer.write(written)
        return
    write_bytes(target, written)
    click.echo(f"Wrote {target}")
