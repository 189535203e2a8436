"""`urpi demo`: a game at the virtual table, refereed by the very program that runs on a Pi."""

import math
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.core import ParameterSource

import urpi
from urpi.commands.choosing import rules_option, settings_of
from urpi.errors import UrpiError
from urpi.rules import Side
from urpi.simulation import BEHAVIOURS, PLAYERS

if TYPE_CHECKING:
    from urpi.rules import RuleSet

LARGEST_SEED: Final = 1_000_000
FASTEST: Final = 1000
FIRMWARE: Final = Path(urpi.__file__).parents[1] / "firmware"
"""Where a checkout has it."""
SIMULATED: Final = {
    "light": frozenset({Side.LIGHT}),
    "dark": frozenset({Side.DARK}),
    "both": frozenset(Side),
    "none": frozenset[Side](),
}
SIDES: Final = click.Choice([side.value for side in Side])


@click.command()
@click.option("--auto", is_flag=True, help="Let two simulated players play to the end, and leave.")
@click.option("--terminal", is_flag=True, help="Play in the terminal: what is typed is done.")
@click.option(
    "--browser/--no-browser", default=True, help="Open the page, or only print where it is."
)
@click.option(
    "--listen",
    metavar="ADDRESS",
    callback=lambda _ctx, _param, listen: _listen(listen),
    help="Where the page is served in place of the configured address, such as 127.0.0.1:8012.",
)
@click.option(
    "--simulated",
    type=click.Choice(list(SIMULATED)),
    default="dark",
    show_default=True,
    help="Whose pieces a simulated player moves on the page; it can be changed there.",
)
@click.option("--new-game", is_flag=True, help="On the page: begin anew, whatever was on before.")
@click.option("--seed", type=int, help="Of all that is random; the same seed plays the same game.")
@click.option(
    "--speed",
    type=click.FloatRange(min=0, max=FASTEST),
    callback=lambda _ctx, _param, speed: _number(speed),
    default=1.0,
    show_default=True,
    help="How many times as fast as life; 0: as fast as it goes.",
)
@rules_option
@click.option(
    "--behaviour",
    "manners",
    type=click.Choice(list(BEHAVIOURS)),
    default="lively",
    show_default=True,
    help="How the simulated hands act; clumsy ones break rules and mend it.",
)
@click.option(
    "--player",
    type=click.Choice(list(PLAYERS)),
    default="greedy",
    show_default=True,
    help="How the simulated players choose their moves.",
)
@click.option("--first", type=SIDES, help="Who begins, where the rules leave that to be said.")
@click.option(
    "--oled-png",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Save every picture of the OLED there.",
)
@click.option(
    "--journal",
    "journal_path",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="The journal to write in place of the configured one.",
)
@click.option(
    "--wire",
    type=click.Choice(["pty", "socket"]),
    default="pty",
    show_default=True,
    help="What the hub speaks over; a socket where there are no pseudo-terminals.",
)
@click.option(
    "--firmware",
    is_flag=True,
    help="Dice and hub are the firmware's own images in the simulator (firmware/sim).",
)
@click.pass_context
def demo(  # noqa: PLR0913, PLR0917 - one for every option
    ctx: click.Context,
    auto: bool,
    terminal: bool,
    browser: bool,
    listen: str | None,
    simulated: str,
    new_game: bool,
    seed: int | None,
    speed: float,
    rules: "RuleSet",
    manners: str,
    player: str,
    first: str | None,
    folder: Path | None,
    journal_path: Path | None,
    wire: str,
    firmware: bool,
) -> None:
    """Play a game on a virtual table through every real layer.

    Switches bounce on gpiozero's pins, the dice hub speaks its serial protocol, the referee
    decides, the journal keeps it, and the OLED shows it. The table is a page in the browser, on
    which pieces are dragged and dice thrown; or it is played in the terminal (--terminal: type
    `help` there), or plays by itself (--auto).
    """
    from urpi.commands.demo_screen import PictureFolder
    from urpi.simulation import SimulatedPlayers, behaviour

    _refuse_of_the_page(ctx, auto=auto, terminal=terminal)
    config = settings_of(ctx).config
    seed = secrets.randbelow(LARGEST_SEED) if seed is None else seed
    pictures = PictureFolder(folder) if folder else None
    path = journal_path or config.journal.file
    images = FIRMWARE if firmware else None
    if auto or terminal:
        from urpi.commands.demo_game import first_side, play_in_terminal
        from urpi.service.virtual import Setting

        players = SimulatedPlayers(
            PLAYERS[player], behaviour(manners), first=first_side(rules, first, seed)
        )
        setting = Setting(rules, seed, players, speed, players.first, wire, images)
        play_in_terminal(setting, config, path, pictures, auto=auto)
        return
    if speed <= 0:
        message = "The page is played in a time of its own; --speed is more than 0 there."
        raise click.BadParameter(message)
    from urpi.commands.demo_page import Showing, play_on_page
    from urpi.service.interactive import InteractiveSetting

    play_on_page(
        InteractiveSetting(
            rules,
            seed,
            speed,
            Side(first) if first else None,
            wire,
            images,
            SIMULATED[simulated],
            PLAYERS[player],
            behaviour(manners),
            resume=not new_game and not _is_said(ctx, "rules_name", "options", "first"),
        ),
        config,
        path,
        Showing(listen or config.page.listen, browser, pictures),
    )


def _refuse_of_the_page(ctx: click.Context, *, auto: bool, terminal: bool) -> None:
    """Refuse what would mean nothing without the page.

    Raises:
        UrpiError: when such an option is given.
    """
    if auto and terminal:
        message = "With --auto nobody types, with --terminal somebody does; give one of them."
        raise UrpiError(message)
    for name in ("listen", "simulated", "new_game"):
        if (auto or terminal) and _is_said(ctx, name):
            option, how = f"--{name.replace('_', '-')}", "--auto" if auto else "--terminal"
            message = f"{option} is for the page, and {how} has none; leave one of them out."
            raise UrpiError(message)


def _is_said(ctx: click.Context, *names: str) -> bool:
    return any(ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in names)


def _listen(address: str | None) -> str | None:
    if address is None:
        return None
    from urpi.config.kinds import Listen

    try:
        return Listen().take(address)
    except ValueError as error:
        message = f"{address!r} is none; give {error}."
        raise click.BadParameter(message) from error


def _number(speed: float) -> float:
    if math.isnan(speed):
        message = "nan is no number; give one from 0 on."
        raise click.BadParameter(message)
    return speed
