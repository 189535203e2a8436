"""`urpi card`: prepare a card with Raspberry Pi OS that installs and configures urpi itself."""

from pathlib import Path
from typing import Any, Final

import click

from urpi.cli.output import FILE

OLEDS: Final = ("ssd1306", "ssd1309", "sh1106", "none")
WIRINGS: Final = ("header", "expander")
DICE: Final = ("hub", "bluetooth", "both", "hand")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=True))
@click.option(
    "--package",
    "packages",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="The Debian package, urpi_VERSION_all.deb; repeat it for packages that it depends on.",
)
@click.option("--ssid", metavar="NAME", help="The Wi-Fi's name.")
@click.option(
    "--passphrase-file", type=FILE, metavar="FILE", help="A file with the Wi-Fi's passphrase."
)
@click.option("--open", "is_open", is_flag=True, help="The Wi-Fi has no passphrase.")
@click.option("--hidden", is_flag=True, help="The Wi-Fi does not announce its name.")
@click.option("--country", metavar="CODE", help="The country of the Wi-Fi, such as GB or HU.")
@click.option("--no-wifi", is_flag=True, help="The Pi is connected by a cable, or not at all.")
@click.option("--hostname", metavar="NAME", help="The Pi's name in the network.  [default: urpi]")
@click.option("--user", metavar="NAME", help="The user who logs in over SSH.  [default: pi]")
@click.option(
    "--ssh-key", type=FILE, metavar="FILE", help="The public key of that user, such as id.pub."
)
@click.option("--time-zone", metavar="NAME", help="Such as Europe/Budapest.  [default: UTC]")
@click.option("--language", metavar="CODE", help="Of display and page.  [default: en]")
@click.option("--rules", metavar="ID", help="The rule set.  [default: finkel]")
@click.option("--wiring", metavar="|".join(WIRINGS), help="Of the squares.  [default: header]")
@click.option("--oled", metavar="|".join(OLEDS), help="The display.  [default: ssd1306]")
@click.option(
    "--dice", metavar="|".join(DICE), help="The dice; hand for ordinary ones.  [default: hub]"
)
@click.option("--chutes", is_flag=True, help="The board has finish chutes.")
@click.option("--open-page", is_flag=True, help="Open the page to the network, for watching.")
@click.option("--force", is_flag=True, help="Replace what has already configured the card.")
def card(folder: Path, packages: tuple[Path, ...], *, force: bool, **given: Any) -> None:
    """Prepare a card for its first boot: FOLDER is its boot partition, mounted.

    The card must contain Raspberry Pi OS based on Debian 13 (Trixie). What is not given as an
    option is asked for if a terminal is attached. Replaced files are kept as NAME.before-urpi.

    For example: urpi card /media/ann/bootfs
    """
    # Imported here, because the help needs none of it.
    from urpi.cli.card_writing import prepare

    for line in prepare(folder, packages, given, force=force):
        click.echo(line)
