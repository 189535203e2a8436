"""`urpi dice pair`: find dice with Bluetooth, let each blink, and write whose they are."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol

import click

from urpi.config import DiceSection
from urpi.config.editing import Paired, check_writable, write_paired_dice
from urpi.config.kinds import FACES, MAX_DICE, OWNERS
from urpi.core.errors import UrpiError
from urpi.hardware import godice, pixels
from urpi.hardware.bleak_radio import BRAND_NAMES, Advertised
from urpi.hardware.bluetooth_dice import Connection, Radio, RadioError
from urpi.hardware.bluetooth_link import PairedDie
from urpi.hardware.die_reports import RECORDED, Identity
from urpi.show.words import Words
from urpi.show.words import dice_sentences as sentences

BLINKS: Final = 20
"""Number of times that a die blinks; it is enough to find it on the table."""
FIND_S: Final = 5.0
"""Longest time in seconds until a die that was found advertises again."""
IDENTITY_S: Final = 3.0
"""Default for the time in seconds that a Pixels die has to report its number of faces."""
UNPAIRED: Final = 0
"""The number that leaves a die out."""


class SearchingRadio(Radio, Protocol):
    """A radio that also finds dice that are not paired."""

    async def candidates(self, within_s: float) -> tuple[Advertised, ...]:
        """The devices that advertise like a die within a time, the nearest first."""


class Pairing:
    """The dialogue in the terminal.

    Args:
        radio: The Bluetooth adapter.
        settings: The dice paired so far.
        words: The texts in the players' language.
        runner: The event loop in which the radio is used.
        identity_s: Longest time that a Pixels die has to report its number of faces, in seconds.
    """

    def __init__(
        self,
        radio: SearchingRadio,
        settings: DiceSection,
        words: Words,
        runner: asyncio.Runner,
        *,
        identity_s: float = IDENTITY_S,
    ) -> None:
        self._radio, self._words, self._runner = radio, words, runner
        self._identity_s = identity_s
        self.paired: dict[int, dict[str, str | int]] = {
            number: dict(die) for number, die in settings.paired.items()
        }
        """The dice paired before and now."""

    def run(self, scan_s: float) -> bool:
        """Search, and ask about each die that is found; return whether any was paired.

        Raises:
            RadioError: If Bluetooth is unavailable.
            UrpiError: If no die is found.
        """
        self._print(sentences.PAIR_SEARCHING, seconds=f"{scan_s:g}")
        found = self._runner.run(self._radio.candidates(scan_s))
        if not found:
            message = (
                "No die with Bluetooth was found; wake the dice, bring them closer, and close "
                "other programs that use them, such as `urpi serve` and the vendor's app."
            )
            raise UrpiError(message)
        return sum(self._consider(one) for one in found) > 0

    def _consider(self, found: Advertised) -> bool:
        brand = BRAND_NAMES[found.brand]
        known = next((n for n, die in self.paired.items() if die["address"] == found.address), None)
        if known is not None:
            self._print(sentences.PAIR_KNOWN, name=found.name, address=found.address, die=known)
            return False
        try:
            connection, faces = self._runner.run(self._blink(found))
        except RadioError as error:
            self._print(sentences.PAIR_FAILED, name=found.name, address=found.address, error=error)
            return False
        try:
            self._print(sentences.PAIR_BLINKS, name=found.name, address=found.address, brand=brand)
            return self._ask(found, faces)
        finally:
            self._runner.run(connection.close())

    def _ask(self, found: Advertised, faces: int | None) -> bool:
        number = self._number()
        if number == UNPAIRED:
            return False
        if faces is None:
            choices = click.Choice([str(each) for each in FACES])
            text = self._words.text(sentences.PAIR_FACES)
            faces = int(click.prompt(text, default="6", type=choices))
        if (found.brand, faces) not in RECORDED:
            self._print(sentences.PAIR_UNTRIED, brand=BRAND_NAMES[found.brand], faces=faces)
        owners = click.Choice(OWNERS)
        owner = click.prompt(self._words.text(sentences.PAIR_OWNER), default="both", type=owners)
        self.paired[number] = {
            "address": found.address,
            "brand": found.brand,
            "faces": faces,
            "owner": owner,
        }
        return True

    def _number(self) -> int:
        free = next(n for n in range(1, MAX_DICE + 2) if n not in self.paired)
        text, numbers = self._words.text(sentences.PAIR_NUMBER), click.IntRange(UNPAIRED, MAX_DICE)
        while True:
            number: int = click.prompt(text, default=free, type=numbers)
            if number not in self.paired:
                return number
            self._print(sentences.PAIR_TAKEN, die=number)

    async def _blink(self, found: Advertised) -> tuple[Connection, int | None]:
        """Connect, and let the die blink; return the connection and the number of faces."""
        die = PairedDie(UNPAIRED, found.brand, found.address, 6)
        # While a person answers, bluetoothd forgets the devices of a search that has ended.
        devices = await self._radio.find(frozenset({found.address}), FIND_S)
        if found.address not in devices:
            message = "it does not answer any more; shake it, and pair it again"
            raise RadioError(message)
        connection = await self._radio.connect(devices[found.address], die, lambda: None)
        try:
            if found.brand == "godice":
                await connection.write(godice.pulse(BLINKS))
                return connection, None
            faces = await self._faces(connection, found)
            await connection.write(pixels.blink(BLINKS))
        except RadioError:
            await connection.close()
            raise
        return connection, faces

    async def _faces(self, connection: Connection, found: Advertised) -> int:
        identity: asyncio.Future[Identity] = asyncio.get_running_loop().create_future()

        def on_data(data: bytes) -> None:
            for report in pixels.parse(data, 6):
                if isinstance(report, Identity) and not identity.done():
                    identity.set_result(report)

        await connection.notify(on_data)
        await connection.write(pixels.WHO_ARE_YOU)
        with suppress(TimeoutError):
            faces = (await asyncio.wait_for(identity, self._identity_s)).faces
            if faces is not None:
                return faces
        message = f"{found.name} is not a die that can be used; it has to have {_or(FACES)} faces"
        raise RadioError(message)

    def _print(self, sentence: str, **values: object) -> None:
        click.echo(self._words.text(sentence).format(**values))


def pair(  # noqa: PLR0913 - what varies is passed in
    settings: DiceSection,
    file: Path,
    words: Words,
    *,
    scan_s: float,
    with_hub: bool,
    open_radio: Callable[[], Any],
    identity_s: float = IDENTITY_S,
) -> bool:
    """Pair dice, and write them to the configuration; return whether any was paired.

    Args:
        settings: The section [dice] of the configuration in use.
        file: The configuration file to write.
        words: The texts in the players' language.
        scan_s: How long to search, in seconds.
        with_hub: Whether the dice hub is used besides Bluetooth.
        open_radio: Opens the Bluetooth adapter.
        identity_s: Longest time that a Pixels die has to report its number of faces, in seconds.

    Raises:
        UrpiError: If the file cannot be written, Bluetooth is unavailable, or no die is found.
    """
    check_writable(file)
    with asyncio.Runner() as runner:
        try:
            pairing = Pairing(open_radio(), settings, words, runner, identity_s=identity_s)
            changed = pairing.run(scan_s)
        except RadioError as error:
            # A clause, which the display puts into a sentence.
            text = str(error)
            message = f"{text[0].upper()}{text[1:].removesuffix('.')}."
            raise UrpiError(message) from error
    if not changed:
        click.echo(words.text(sentences.PAIR_NOTHING))
        return False
    source = "both" if with_hub or settings.source == "both" else "bluetooth"
    paired: Paired = pairing.paired
    write_paired_dice(file, source, paired)
    click.echo(words.text(sentences.PAIR_WRITTEN).format(file=file, dice=len(paired)))
    return True


def _or(values: tuple[int, ...]) -> str:
    *most, last = map(str, values)
    return f"{', '.join(most)} or {last}"
