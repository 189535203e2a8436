"""`urpi picture`: any position as SVG or PNG."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from urpi.cli.options import settings_of
from urpi.cli.output import LANGUAGE, form_of, format_options, write
from urpi.core.errors import UrpiError
from urpi.rules import PASS, Move, Position, Throw, parse_move, parse_position
from urpi.show.svg.themes import LAPIS, THEMES

if TYPE_CHECKING:
    from urpi.page.position_picture import PositionForm

FORMS: Final[Mapping[str, "PositionForm"]] = {".svg": "svg", ".png": "png"}
THEME: Final = click.option(
    "--theme",
    type=click.Choice(tuple(THEMES)),
    default=LAPIS,
    show_default=True,
    help="Theme of the board, as on the page.",
)


@click.command()
@click.argument("position")
@click.option("--faces", help="The faces of the dice, such as g-s-.")
@click.option("--move", help="A legal move with these faces, drawn as an arrow, such as A4-A2.")
@format_options(FORMS)
@LANGUAGE
@THEME
@click.pass_context
def picture(  # noqa: PLR0913, PLR0917 - a call's options
    ctx: click.Context,
    position: str,
    faces: str | None,
    move: str | None,
    form: "PositionForm | None",
    output: Path | None,
    language: str | None,
    theme: str,
) -> None:
    """Draw POSITION as SVG or PNG, with a throw and a move of it.

    For example: urpi picture "finkel A4:L,B2:D L6D6 L0D0 L" --faces g-s- --move A4-A2

    A PNG has 1200 x 630 pixels, with the throw and the move in words.
    """
    from urpi.page.position_picture import PositionPicture, draw_position

    chosen = form_of(output, FORMS, "svg", chosen=form)
    shown = parse_position(position)
    throw = None if faces is None else shown.rules.dice.throw(faces)
    arrow = None if move is None else _legal(shown, throw, move)
    language = language or settings_of(ctx).config.table.language
    content = draw_position(PositionPicture(shown, chosen, language, throw, arrow, theme))
    write(output, content)


def _legal(position: Position, throw: Throw | None, text: str) -> Move:
    if throw is None or position.turn is None:
        message = f"The move {text!r:.60} needs a throw of the side to play; add --faces."
        raise UrpiError(message)
    move = parse_move(text)
    if move not in (position.rules.legal_moves(position, throw) or (PASS,)):
        message = f"The move {move.text} is not legal after the throw {throw.faces}."
        raise UrpiError(message)
    return move
