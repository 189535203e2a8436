"""`urpi demo`: a game at the virtual table, refereed by the program that runs on a Pi."""

import os
import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar, get_args

import click
from click.core import ParameterSource

from urpi.cli.options import (
    NumberIn,
    clock_option,
    parse_listen,
    rules_option,
    settings_of,
    with_clock,
)
from urpi.core.errors import UrpiError
from urpi.hardware.die_reports import Brand
from urpi.referee.seats import (
    COACHES,
    ENGINE_THROWS,
    NO_COACH,
    PERSONS,
    SEATS,
    Coach,
    Coaches,
    EngineThrows,
    Seat,
    Seats,
)
from urpi.rules import Side
from urpi.simulation import BEHAVIOURS, PLAYERS

if TYPE_CHECKING:
    from urpi.config import Config
    from urpi.rules import Position, RuleSet
    from urpi.service.virtual_backends import DiceKind
    from urpi.simulation.rig import WiredRig

_F = TypeVar("_F", bound=Callable[..., object])

LARGEST_SEED: Final = 1_000_000
FASTEST: Final = 1000
SIMULATED: Final = {
    "light": frozenset({Side.LIGHT}),
    "dark": frozenset({Side.DARK}),
    "both": frozenset(Side),
    "none": frozenset[Side](),
}
PARTNER: Final[Seat] = "engine:easy"
"""Who plays dark on the page if neither an option, the configuration nor the players choose."""
GREEDY: Final = "greedy"
BRANDS: Final = get_args(Brand)
SIDES: Final = click.Choice([side.value for side in Side])

_OF_A_NEW_GAME: Final = (
    *("rules_name", "options", "first", "position", "light", "dark"),
    *("light_coach", "dark_coach", "engine_throws", "clock"),
)
"""Options of which each begins a new game."""


def _seat_option(side: Side) -> Callable[[_F], _F]:
    default = f" On the page, {PARTNER} plays dark at first." if side is Side.DARK else ""
    return click.option(
        f"--{side.value}",
        type=click.Choice(SEATS),
        help=f"Who decides {side.value}'s moves: a person, or the engine at a level. "
        f"Simulated hands move the engine's pieces.{default}",
    )


def _coach_option(side: Side) -> Callable[[_F], _F]:
    return click.option(
        f"--{side.value}-coach",
        type=click.Choice(COACHES),
        help=f"Least mistake for which the coach shows {side.value} a better move.",
    )


@click.command()
@click.option("--auto", is_flag=True, help="Let two simulated players play to the end, then exit.")
@click.option("--terminal", is_flag=True, help="Play in the terminal with typed commands.")
@click.option(
    "--browser/--no-browser", default=True, help="Open the page, or only print its address."
)
@click.option(
    "--listen",
    metavar="ADDRESS",
    callback=lambda _ctx, _param, listen: parse_listen(listen),
    help="Address of the page in place of the configured one, such as 127.0.0.1:8012.",
)
@click.option(
    "--simulated",
    type=click.Choice(list(SIMULATED)),
    help="On the page: the sides of simulated players in place of the engine; can be changed "
    "there.",
)
@click.option(
    "--new-game",
    is_flag=True,
    help="On the page: begin a new game instead of continuing the last one.",
)
@click.option(
    "--seed", type=int, help="Seed of all random choices; the same seed results in the same game."
)
@click.option(
    "--speed",
    type=NumberIn(0, FASTEST),
    default=1.0,
    show_default=True,
    help="Factor to real time; 0 for no limit.",
)
@rules_option
@click.option(
    "--behaviour",
    "manners",
    type=click.Choice(list(BEHAVIOURS)),
    default="lively",
    show_default=True,
    help="How the simulated hands act; clumsy ones make errors and correct them.",
)
@click.option(
    "--player",
    type=click.Choice(list(PLAYERS)),
    default=GREEDY,
    show_default=True,
    help="How the simulated players choose their moves; on the page it lets one play dark in "
    "place of the engine.",
)
@_seat_option(Side.LIGHT)
@_seat_option(Side.DARK)
@click.option(
    "--engine-throws",
    type=click.Choice(ENGINE_THROWS),
    help="What throws for the engine on the page: the dice, or the program.",
)
@_coach_option(Side.LIGHT)
@_coach_option(Side.DARK)
@clock_option
@click.option("--first", type=SIDES, help="The side that begins, if the rules leave it open.")
@click.option(
    "--position",
    metavar="TEXT",
    help="The position to begin with, such as 'finkel B4:L L6D7 L0D0 D'; its rules are those of "
    "the game.",
)
@click.option(
    "--oled-png",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Save every picture of the OLED in this folder.",
)
@click.option(
    "--journal",
    "journal_path",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="The journal to use in place of that of the demo.",
)
@click.option(
    "--dice",
    type=click.Choice(["hub", "hand", *BRANDS]),
    default="hub",
    show_default=True,
    help="The dice: those that are built, with their hub; ordinary ones, whose throws you enter "
    "by hand; or dice with Bluetooth of a brand.",
)
@click.option(
    "--wire",
    type=click.Choice(["pty", "socket"]),
    default="pty",
    show_default=True,
    help="The hub's serial line; a socket where there are no pseudo-terminals.",
)
@click.pass_context
def demo(  # noqa: PLR0913, PLR0917 - one for every option
    ctx: click.Context,
    auto: bool,
    terminal: bool,
    browser: bool,
    listen: str | None,
    simulated: str | None,
    new_game: bool,
    seed: int | None,
    speed: float,
    rules: "RuleSet",
    manners: str,
    player: str,
    light: Seat | None,
    dark: Seat | None,
    engine_throws: EngineThrows | None,
    light_coach: Coach | None,
    dark_coach: Coach | None,
    clock: str | None,
    first: str | None,
    position: str | None,
    folder: Path | None,
    journal_path: Path | None,
    dice: "DiceKind",
    wire: str,
    rig: "WiredRig | None" = None,
) -> None:
    """Play a game on a virtual table through every layer of the program.

    Switches bounce on gpiozero's pins, the dice hub uses its serial protocol, the referee
    decides, the journal stores the game, and the OLED shows it. The table is a page in the
    browser, on which pieces are dragged and dice thrown. It can also be played in the terminal
    (--terminal: type `help` there), or by simulated players alone (--auto).

    For example: urpi demo --rules masters --no-browser
    """
    from urpi.cli.demo_screen import PictureFolder
    from urpi.config import DiceSection
    from urpi.simulation import SimulatedPlayers, behaviour

    _refuse_page_options(ctx, auto=auto, terminal=terminal)
    _refuse_wire(ctx, dice)
    # The paired dice are those of the real table.
    source = "hand" if dice == "hand" else "hub"
    config = replace(with_clock(settings_of(ctx).config, clock), dice=DiceSection(source))
    if dice == "hand":
        _refuse_simulated(ctx, auto=auto)
        # The engine's hands would throw dice that report nothing.
        engine_throws = engine_throws or "program"
    given = _position(ctx, position, rules, first)
    rules = rules if given is None else given.rules
    seed = secrets.randbelow(LARGEST_SEED) if seed is None else seed
    pictures = PictureFolder(folder) if folder else None
    path = journal_path or _journal_of(ctx, config)
    _refuse_foreign_journal(path)
    if auto or terminal:
        from urpi.cli.demo_game import first_side, play_in_terminal
        from urpi.service.virtual import Setting

        begins = None if given is not None else first_side(rules, first, seed)
        players = SimulatedPlayers(PLAYERS[player], behaviour(manners), first=begins)
        seats = _seats(light, dark) or PERSONS
        coach = _coaches(light_coach, dark_coach) or NO_COACH
        setting = Setting(
            rules, seed, speed, players.first, wire, rig, dice, given,
            players=players, seats=seats, coach=coach,
        )  # fmt: skip
        play_in_terminal(setting, config, path, pictures, auto=auto)
        return
    if speed <= 0:
        message = "The page is played in real time; --speed must be more than 0."
        raise click.BadParameter(message)
    from urpi.cli.demo_page import Showing, play_on_page
    from urpi.service.interactive import InteractiveSetting

    if simulated is None and _is_given(ctx, "player"):
        simulated = "dark"
    play_on_page(
        InteractiveSetting(
            rules,
            seed,
            speed,
            Side(first) if first else None,
            wire,
            rig,
            dice,
            given,
            plays=SIMULATED[simulated or "none"],
            player=PLAYERS[player],
            behaviour=behaviour(manners),
            # A stored game keeps its way of throwing.
            resume=not (new_game or dice == "hand" or _is_given(ctx, *_OF_A_NEW_GAME)),
            seats=_seats(light, dark) or (None if simulated is None else PERSONS),
            coach=_coaches(light_coach, dark_coach),
            engine_throws=engine_throws,
        ),
        config if simulated else _with_partner(config),
        path,
        Showing(listen or config.page.listen, browser, pictures),
    )


def _position(
    ctx: click.Context, text: str | None, rules: "RuleSet", first: str | None
) -> "Position | None":
    """The position to begin with, None for the start position.

    Raises:
        UrpiError: If no game can begin from it, or it contradicts another option.
    """
    if text is None:
        return None
    from urpi.rules import given_position

    chosen = rules if _is_given(ctx, "rules_name", "options") else None
    return given_position(text, chosen, Side(first) if first else None)


def _journal_of(ctx: click.Context, config: "Config") -> Path:
    """The journal in the user's home, or that of `--config`.

    A configuration that was found, such as the service's, names the journal of a real board: its
    user may not be allowed to write there, and simulated games do not belong in it.
    """
    from urpi.config import JournalSection

    return (JournalSection() if ctx.find_root().obj is None else config.journal).file


def _refuse_simulated(ctx: click.Context, *, auto: bool) -> None:
    """Refuse simulated players, who enter nothing by hand.

    Raises:
        UrpiError: If an option selects them.
    """
    words = {"--auto": auto} | {
        f"--{name}": _is_given(ctx, name) for name in ("simulated", "player")
    }
    for option, is_used in words.items():
        if is_used:
            message = f"{option} is not for --dice hand, whose throws you enter yourself."
            raise UrpiError(message)


def _refuse_foreign_journal(path: Path) -> None:
    """Refuse the journal of another user to root, who could write to it.

    Raises:
        UrpiError: If the user is root, and the file belongs to another user.
    """
    from urpi.journal.failures import owner_of

    if os.geteuid() == 0 and path.exists() and path.stat().st_uid != 0:
        message = (
            f"The journal {path} belongs to {owner_of(path)}, so that a demo as root does not "
            "store games in it; use --journal with another file."
        )
        raise UrpiError(message)


def _refuse_page_options(ctx: click.Context, *, auto: bool, terminal: bool) -> None:
    """Refuse options that have no effect without the page.

    Raises:
        UrpiError: If such an option is used.
    """
    if auto and terminal:
        message = "--auto reads no commands, --terminal does; use one of them."
        raise UrpiError(message)
    for name in ("listen", "simulated", "new_game", "engine_throws"):
        if (auto or terminal) and _is_given(ctx, name):
            option, how = f"--{name.replace('_', '-')}", "--auto" if auto else "--terminal"
            message = f"{option} is for the page, and {how} has none; use one of them."
            raise UrpiError(message)


def _refuse_wire(ctx: click.Context, dice: str) -> None:
    """Refuse `--wire` for dice without a hub.

    Raises:
        UrpiError: If it is used.
    """
    if dice != "hub" and _is_given(ctx, "wire"):
        message = f"--wire is for the hub, and --dice {dice} needs none; use one of them."
        raise UrpiError(message)


def _seats(light: Seat | None, dark: Seat | None) -> Seats | None:
    """The seats of the next game, None for those last chosen at the table."""
    if light is None and dark is None:
        return None
    return light or "person", dark or "person"


def _with_partner(config: "Config") -> "Config":
    """A configuration in which the engine plays dark, if it has two persons.

    What the players choose on the page replaces it, as any configured seat.
    """
    table = config.table
    if (table.light_seat, table.dark_seat) != PERSONS:
        return config
    return replace(config, table=replace(table, dark_seat=PARTNER))


def _coaches(light: Coach | None, dark: Coach | None) -> Coaches | None:
    """The coaches of the next game, None for those last chosen at the table."""
    if light is None and dark is None:
        return None
    return light or "off", dark or "off"


def _is_given(ctx: click.Context, *names: str) -> bool:
    return any(ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE for name in names)
