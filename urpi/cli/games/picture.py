"""`urpi games picture`: a position of a game as SVG or PNG, or the whole game as a GIF."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from urpi.cli.games.group import GAME, open_journal
from urpi.cli.options import settings_of as config_of
from urpi.cli.output import LANGUAGE, form_of, format_options, write
from urpi.cli.picture import THEME
from urpi.core.errors import UrpiError

if TYPE_CHECKING:
    from urpi.page.game_pictures import PictureForm

FORMS: Final[Mapping[str, "PictureForm"]] = {".svg": "svg", ".png": "png", ".gif": "gif"}


@click.command()
@GAME
@click.option(
    "--step",
    type=click.IntRange(0),
    help="The step as the page counts them: every throw and every move.  [default: the last]",
)
@format_options(FORMS)
@LANGUAGE
@THEME
@click.pass_context
def picture(  # noqa: PLR0913, PLR0917 - a call's options
    ctx: click.Context,
    game: int,
    step: int | None,
    form: "PictureForm | None",
    output: Path | None,
    language: str | None,
    theme: str,
) -> None:
    """Draw a position of GAME as SVG or PNG, or the whole GAME as an animated GIF.

    A PNG has 1200 x 630 pixels, with the names, the throw and the move. A GIF has 640 x 336 pixels
    and shows each move for a second.

    For example: urpi games picture 12 --step 30 --output position.png
    """
    from urpi.page.game_pictures import PictureRequest, picture_of

    chosen = form_of(output, FORMS, "svg", chosen=form)
    if chosen == "gif" and step is not None:
        message = "A GIF shows the whole game; leave --step out, or use --format png."
        raise UrpiError(message)
    language = language or config_of(ctx).config.table.language
    drawn = PictureRequest(game, chosen, language, step, theme)
    content = picture_of(open_journal(ctx), drawn)
    write(output, content)
