"""The command group `urpi dice`, with the options of its commands."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from urpi.cli.groups import Group
from urpi.cli.options import NumberIn, rules_option, settings_of
from urpi.cli.output import AS_JSON
from urpi.core.errors import UrpiError
from urpi.core.moments import local_now
from urpi.hardware.protocol_constants import RANGES
from urpi.journal.fairness.tally import MAX_THROWS

if TYPE_CHECKING:
    from urpi.cli.dice.live_dice import LiveDice
    from urpi.config import Config
    from urpi.rules import RuleSet

DIE = click.IntRange(*RANGES["die"])


def source_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--source` to a command."""
    return click.option(
        "--source",
        type=click.Choice(["hub", "bluetooth"]),
        help="The dice of the hub or those with Bluetooth.  [default: as configured; the hub's if "
        "both are, or with --port]",
    )(command)


def _live(config: "Config", port: str | None, source: str | None) -> "LiveDice":
    """The live dice of the hub or of Bluetooth."""
    from urpi.cli.dice.live_dice import LiveDice, configured_port

    configured = "hub" if port or config.dice.source == "both" else config.dice.source
    if (source or configured) == "hand":
        message = "The dice are thrown by hand (source in [dice]); use --source or --port."
        raise UrpiError(message)
    if (source or configured) == "hub":
        return LiveDice(configured_port(config, port))
    from urpi.cli.dice.live_bluetooth import LiveBluetooth

    return LiveBluetooth(config)


def port_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--port` to a command."""
    return click.option(
        "--port", metavar="PORT", help="The hub's serial port in place of the configured one."
    )(command)


@click.group(cls=Group)
def dice() -> None:
    """Watch, pair and calibrate the dice, and test whether they are fair."""


def settings_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--settings` to a command."""
    return click.option(
        "--settings",
        "place",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Where to write the settings of a die with a bought board; a folder, or a file.  "
        "[default: its drive, else this folder]",
    )(command)


@dice.command()
@click.option(
    "--search",
    "scan_s",
    type=NumberIn(1, 120),
    metavar="SECONDS",
    default=8,
    show_default=True,
    help="How long to search, 1 to 120 seconds.",
)
@click.option("--with-hub", is_flag=True, help="Use the dice hub, too.")
@settings_option
@click.pass_context
def pair(ctx: click.Context, scan_s: float, with_hub: bool, place: Path | None) -> None:
    """Find dice with Bluetooth, and choose those that belong to this table.

    Each die that is found blinks, and you enter its number, and whose it is: of both players, of
    light or of dark. The choice is written to the configuration file. A die with a bought board
    does not blink; it gets a file with its number and a key.

    For example: urpi dice pair
    """
    from functools import partial

    from urpi.cli.dice.pair import pair as pair_dice
    from urpi.cli.dice.settings_place import SettingsPlace
    from urpi.hardware import open_radio
    from urpi.show.words import words_for

    settings = settings_of(ctx)
    config = settings.config
    words = words_for(config.table.language)
    paired = pair_dice(
        config.dice,
        settings.file or Path("~/.config/urpi/config.toml").expanduser(),
        words,
        scan_s=scan_s,
        with_hub=with_hub,
        open_radio=partial(open_radio, config.dice.adapter),
        place=SettingsPlace(words, place),
    )
    ctx.exit(0 if paired else 1)


@dice.command()
@port_option
@source_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object for every change.")
@click.pass_context
def watch(ctx: click.Context, port: str | None, source: str | None, as_json: bool) -> None:
    """Show every die live: state, face, angle, battery and link. Ctrl-C ends it.

    For example: urpi dice watch
    """
    from urpi.cli.dice.watch import watch_dice
    from urpi.show.words import words_for

    config = settings_of(ctx).config
    with _live(config, port, source) as live:
        live.wait_for_port()
        watch_dice(live, words_for(config.table.language), as_json=as_json)


@dice.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--firmware",
    metavar="VERSION",
    default="",
    help="That of GoDice, the end of the name that `urpi dice pair` shows, such as v04.",
)
@click.pass_context
def record(ctx: click.Context, file: Path, firmware: str) -> None:
    """Write what the paired dice with Bluetooth send to a new file, to attach it to a report.

    In a terminal you are asked what a die shows when it comes to rest. The file contains neither
    names nor addresses. Ctrl-C ends it.

    For example: urpi dice record pixels.jsonl
    """
    import sys

    from urpi.cli.dice.record import about_recording
    from urpi.cli.dice.record import record as record_dice

    today = local_now().date().isoformat()
    about = about_recording(today, firmware)
    record_dice(settings_of(ctx).config, file, about, ask=sys.stdin.isatty())


@dice.command()
@click.argument("file", type=click.Path(path_type=Path))
@rules_option
@AS_JSON
@click.pass_context
def replay(ctx: click.Context, file: Path, rules: "RuleSet", as_json: bool) -> None:
    """Show what the program and the referee read in a recording.

    The exit status is 1 if a die showed another number than was read.

    For example: urpi dice replay pixels.jsonl --rules finkel
    """
    from urpi.cli.dice.replay import print_replay, read_recording

    config = settings_of(ctx).config
    ctx.exit(0 if print_replay(read_recording(file), rules, config, as_json=as_json) else 1)


@dice.command()
@port_option
@click.option("--die", type=DIE, required=True, help="The die's number.")
@click.option(
    "--cell",
    "cell_v",
    metavar="VOLTS",
    type=NumberIn(3.0, 4.3),
    help="Calibrate the battery measurement instead, by the cell's voltage, 3.0 to 4.3.",
)
@settings_option
@click.pass_context
def calibrate(
    ctx: click.Context, port: str | None, die: int, cell_v: float | None, place: Path | None
) -> None:
    """Calibrate the faces of a die one after the other, and check them.

    A die with a bought board gets a file with them, as from `urpi dice pair`.

    For example: urpi dice calibrate --die 1
    """
    from urpi.cli.dice.calibrate import Calibration
    from urpi.cli.dice.live_dice import LiveDice, configured_port
    from urpi.show.words import words_for

    config = settings_of(ctx).config
    paired = config.dice.paired.get(die)
    if config.dice.source in {"bluetooth", "both"} and port is None and paired is not None:
        if paired["brand"] == "urpi" and cell_v is None:
            _calibrate_built(config, die, place)
            return
        message = (
            f"Die {die} was calibrated by its maker; if it reports wrong faces, use the app of the "
            "maker. Which face is gold is set in [hub.faces]."
        )
        if paired["brand"] == "urpi":
            message = f"Die {die} measures its cell well enough; leave out --cell."
        raise UrpiError(message)
    with LiveDice(configured_port(config, port)) as live:
        dialogue = Calibration(live, die, words_for(config.table.language))
        right = dialogue.run() if cell_v is None else dialogue.run_battery(round(1000 * cell_v))
    ctx.exit(0 if right else 1)


def _calibrate_built(config: "Config", die: int, place: Path | None) -> None:
    from functools import partial

    from urpi.cli.dice.calibrate_built import calibrate_built
    from urpi.cli.dice.settings_place import SettingsPlace
    from urpi.hardware import open_radio
    from urpi.hardware.configured import advertised_dice, configured_faces
    from urpi.show.words import words_for

    words = words_for(config.table.language)
    (own,) = (one for one in advertised_dice(config.dice) if one.number == die)
    radio = partial(open_radio, config.dice.adapter)
    calibrate_built(own, radio, configured_faces(config.hub), words, SettingsPlace(words, place))


@dice.command()
@click.option(
    "--search",
    "within_s",
    type=NumberIn(1, 300),
    metavar="SECONDS",
    default=40,
    show_default=True,
    help="How long to listen, 1 to 300 seconds. A die at rest is heard every 32 s.",
)
@AS_JSON
@click.pass_context
def update(ctx: click.Context, within_s: float, as_json: bool) -> None:
    """Show which dice with a bought board have older firmware, and how to update them.

    Listed are the paired dice, and those in range that have no settings. The exit status is 1 if
    one has older firmware or was not heard.

    For example: urpi dice update
    """
    from urpi.cli.dice.pair import as_sentence
    from urpi.cli.dice.update import found_firmware, print_update
    from urpi.hardware import open_radio
    from urpi.hardware.bluetooth_dice import RadioError
    from urpi.hardware.configured import advertised_dice, paired_dice

    settings = settings_of(ctx).config.dice
    try:
        radio = open_radio(settings.adapter)
    except RadioError as error:
        raise as_sentence(error) from error
    built = {die.number: die.address for die in advertised_dice(settings)}
    dice_ = found_firmware(radio, built, paired_dice(settings), within_s)
    ctx.exit(0 if print_update(dice_, within_s, as_json=as_json) else 1)


@dice.command()
@port_option
@click.argument("die", type=DIE)
@click.pass_context
def forget(ctx: click.Context, port: str | None, die: int) -> None:
    """Accept die number DIE again after its chip was exchanged.

    Only a hub with a key rejects it before. Reports that were recorded from the former chip remain
    invalid. The exit status is 1 if the die does not report within two minutes.

    For example: urpi dice forget 3
    """
    from urpi.cli.dice.forget import forget as forget_chip
    from urpi.cli.dice.live_dice import LiveDice, configured_port
    from urpi.show.words import words_for

    config = settings_of(ctx).config
    if config.dice.source in {"bluetooth", "both"} and port is None and die in config.dice.paired:
        message = f"Die {die} has Bluetooth, which the hub does not receive; use `urpi dice pair`."
        raise UrpiError(message)
    with LiveDice(configured_port(config, port)) as live:
        accepted = forget_chip(live, die, words_for(config.table.language))
    ctx.exit(0 if accepted else 1)


@dice.command()
@port_option
@source_option
@click.option(
    "--throws",
    type=click.IntRange(1, MAX_THROWS),
    default=300,
    show_default=True,
    help="Number of throws of each die.",
)
@click.option("--die", type=DIE, help="Only this die.  [default: every die in range]")
@click.option(
    "--from",
    "files",
    metavar="FILE",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Analyse the counts stored in this file; if repeated, they are added up.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print a JSON object for each die, to be stored."
)
@click.pass_context
def test(  # noqa: PLR0913, PLR0917 - one for every option
    ctx: click.Context,
    port: str | None,
    source: str | None,
    throws: int,
    die: int | None,
    files: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Count many throws of the dice, and report what they prove and what they cannot.

    For example: urpi dice test
    """
    from urpi.cli.dice.verdict import print_verdicts
    from urpi.show.words import words_for

    config = settings_of(ctx).config
    words = words_for(config.table.language)
    if files:
        from urpi.cli.dice.verdict import read_counts

        tallies = read_counts(files, die)
    else:
        from urpi.cli.dice.collect import Collection

        with _live(config, port, source) as live:
            live.check_testable(die)
            tallies = Collection(live, throws, die, words).run()
    print_verdicts(tallies, words, as_json=as_json)
