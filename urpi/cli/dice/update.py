"""`urpi dice update`: which dice with a bought board have another firmware than this release's."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

import click

from urpi import __version__
from urpi.cli.dice.hearing import first_heard
from urpi.cli.dice.pair import as_sentence
from urpi.cli.dice.settings_place import die_drive, mounted_drives
from urpi.cli.output import echo_json
from urpi.core.errors import UrpiError
from urpi.hardware.advertisement import FIRMWARE, Frame
from urpi.hardware.bleak_radio import BRAND_NAMES
from urpi.hardware.bluetooth_dice import Radio, RadioError
from urpi.hardware.bluetooth_link import PairedDie

NEW_S: Final = 3.0
"""Seconds in which a die without settings is heard; it announces itself every two seconds."""
DRIVE: Final = "XIAO-SENSE"
FILE: Final = "die.uf2"
_HOW: Final = """\
To update a die, {connect}. It keeps its settings and its faces.
{file} is in the folder `prebuilt` of the firmware's archive in the release {version} of urpi; \
`make -C firmware/ble` builds it."""

State: TypeAlias = Literal["current", "older", "newer", "unheard", "maker"]


@dataclass(frozen=True, slots=True)
class DieFirmware:
    """What is known of a die's firmware.

    `number` is None for a die without settings, `firmware` None if it was not heard, and `maker`
    the name of the brand if its maker's app updates it.
    """

    address: str
    number: int | None = None
    firmware: int | None = None
    maker: str = ""

    @property
    def state(self) -> State:
        if self.maker:
            return "maker"
        if self.firmware is None:
            return "unheard"
        if self.firmware == FIRMWARE:
            return "current"
        return "older" if self.firmware < FIRMWARE else "newer"

    def values(self) -> dict[str, object]:
        """Return the values of the JSON object; those that are unknown are left out."""
        values: dict[str, object] = {
            "die": self.number,
            "address": self.address,
            "firmware": self.firmware,
            "state": self.state,
        }
        return {key: value for key, value in values.items() if value is not None}

    def words(self, within_s: float) -> str:
        name = f"Die {self.number}" if self.number else f"The die {self.address} without settings"
        words = {
            "maker": f"is updated with the app of {self.maker}",
            "unheard": f"was not heard within {within_s:g} s; bring it closer, and shake it",
            "current": f"has firmware {self.firmware}, that of this release",
            "older": f"has firmware {self.firmware}; this release has {FIRMWARE}",
            "newer": f"has firmware {self.firmware}; this release has only {FIRMWARE}: update urpi",
        }
        return f"{name} {words[self.state]}."


async def _heard(radio: Radio, paired: Iterable[str], within_s: float) -> dict[str, Frame]:
    """Return the last frame of each paired die and each without settings, by address."""
    found: dict[str, Frame] = {}
    missing = set(paired)

    def take(address: str, frame: Frame) -> bool | None:
        if frame.is_new or address in missing:
            found[address] = frame
        return None

    def complete(address: str, frame: Frame) -> bool | None:
        take(address, frame)
        return missing <= found.keys() or None

    # It cannot be known that a die without settings is missing.
    await first_heard(radio, take, min(NEW_S, within_s))
    if not missing <= found.keys() and within_s > NEW_S:
        await first_heard(radio, complete, within_s - NEW_S)
    return found


def found_firmware(
    radio: Radio, built: Mapping[int, str], others: Iterable[PairedDie], within_s: float
) -> tuple[DieFirmware, ...]:
    """Return the firmware of all paired dice, and then of those in range without settings.

    Args:
        radio: The Bluetooth adapter.
        built: The addresses of the paired dice with a bought board, by number.
        others: The other paired dice.
        within_s: How long to listen.

    Raises:
        UrpiError: If Bluetooth is not available, or there is no die.
    """
    try:
        heard = asyncio.run(_heard(radio, built.values(), within_s))
    except RadioError as error:
        raise as_sentence(error) from error
    dice = [
        DieFirmware(address, number, heard[address].firmware if address in heard else None)
        for number, address in built.items()
    ]
    dice += [DieFirmware(die.address, die.number, None, BRAND_NAMES[die.brand]) for die in others]
    new = [
        DieFirmware(address, firmware=frame.firmware)
        for address, frame in sorted(heard.items())
        if address not in built.values()
    ]
    if not dice and not new:
        message = (
            f"No die with a bought board is paired, and none without settings was heard within "
            f"{within_s:g} s; press its button once. `urpi dice watch` shows the firmware of a hub."
        )
        raise UrpiError(message)
    return (*sorted(dice, key=lambda die: die.number or 0), *new)


def how_to_update(drives: Callable[[], Iterable[Path]] = mounted_drives) -> str:
    """Return what to do, with the drive of a board if there is one."""
    try:
        drive = die_drive(drives())
    except UrpiError:
        # It is another board's, such as that of a hub.
        drive = None
    connect = (
        f"copy {FILE} to {drive}"
        if drive
        else f"connect it by USB, press its button twice, and copy {FILE} to its drive {DRIVE}"
    )
    return _HOW.format(connect=connect, file=FILE, version=__version__)


def print_update(dice: Iterable[DieFirmware], within_s: float, *, as_json: bool) -> bool:
    """Print the dice and what to do; return whether none is older or was not heard."""
    dice = tuple(dice)
    if as_json:
        echo_json({"firmware": FIRMWARE, "dice": [die.values() for die in dice]})
    else:
        for die in dice:
            click.echo(die.words(within_s))
        if any(die.state == "older" for die in dice):
            click.echo(how_to_update())
    return not any(die.state in {"older", "unheard"} for die in dice)
