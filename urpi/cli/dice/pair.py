"""`urpi dice pair`: find dice with Bluetooth, let each blink, and write whose they are."""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol

import click

from urpi.cli.dice.settings_place import SettingsPlace
from urpi.config import DiceSection
from urpi.config.editing import Paired, check_writable, write_paired_dice
from urpi.config.kinds import BUILT_FACES, FACES, MAX_BUILT, OWNERS
from urpi.core.errors import UrpiError
from urpi.core.names import LAST_DIE
from urpi.hardware import godice, pixels
from urpi.hardware.advertisement import KEY_BYTES
from urpi.hardware.bleak_radio import BRAND_NAMES, Advertised
from urpi.hardware.bluetooth_dice import Connection, Radio, RadioError
from urpi.hardware.bluetooth_link import PairedDie
from urpi.hardware.die_reports import RECORDED, Brand, Identity
from urpi.hardware.die_settings import settings_file
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
        place: Where the settings of a die with a bought board are written.
        identity_s: Longest time that a Pixels die has to report its number of faces, in seconds.
    """

    def __init__(  # noqa: PLR0913 - what varies is passed in
        self,
        radio: SearchingRadio,
        settings: DiceSection,
        words: Words,
        runner: asyncio.Runner,
        *,
        place: SettingsPlace,
        identity_s: float = IDENTITY_S,
    ) -> None:
        self._radio, self._words, self._runner = radio, words, runner
        self._place = place
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
        new = [one for one in found if one.is_new]
        if len(new) > 1:
            # Which of them gets the settings could not be known.
            self._print(sentences.PAIR_ONE_NEW, count=len(new))
            found = tuple(one for one in found if not one.is_new)
        return sum(self._consider(one) for one in found) > 0

    def _consider(self, found: Advertised) -> bool:
        known = next((n for n, die in self.paired.items() if die["address"] == found.address), None)
        if known is not None and not found.is_new:
            self._print(sentences.PAIR_KNOWN, name=found.name, address=found.address, die=known)
            return False
        if found.brand == "urpi":
            return self._consider_built(found, known)
        return self._consider_bought(found, found.brand)

    def _consider_built(self, found: Advertised, known: int | None) -> bool:
        """Write the settings of a die with a bought board."""
        sentence = sentences.PAIR_BUILT if found.is_new else sentences.PAIR_OTHERS
        self._print(sentence, address=found.address)
        if known is None or self.paired[known]["brand"] != "urpi":
            number = self._number(MAX_BUILT)
            if number == UNPAIRED:
                return False
            die: dict[str, str | int] = {
                "address": found.address,
                "brand": "urpi",
                "faces": self._faces_asked(BUILT_FACES, "4"),
                "owner": self._owner(),
            }
        else:
            # It has lost its settings.
            number, die = known, self.paired[known]
        # Another one each time, so that a die whose numbers begin again is accepted.
        key = secrets.token_bytes(KEY_BYTES)
        self._place.write(number, settings_file(number, int(die["faces"]), key))
        self.paired[number] = die | {"key": key.hex()}
        return True

    def _consider_bought(self, found: Advertised, brand: Brand) -> bool:
        try:
            connection, faces = self._runner.run(self._blink(found, brand))
        except RadioError as error:
            self._print(sentences.PAIR_FAILED, name=found.name, address=found.address, error=error)
            return False
        try:
            self._print(
                sentences.PAIR_BLINKS,
                name=found.name,
                address=found.address,
                brand=BRAND_NAMES[brand],
            )
            return self._ask(found, brand, faces)
        finally:
            self._runner.run(connection.close())

    def _ask(self, found: Advertised, brand: Brand, faces: int | None) -> bool:
        number = self._number(LAST_DIE)
        if number == UNPAIRED:
            return False
        if faces is None:
            faces = self._faces_asked(FACES, "6")
        if (brand, faces) not in RECORDED:
            self._print(sentences.PAIR_UNTRIED, brand=BRAND_NAMES[brand], faces=faces)
        self.paired[number] = {
            "address": found.address,
            "brand": brand,
            "faces": faces,
            "owner": self._owner(),
        }
        return True

    def _faces_asked(self, faces: tuple[int, ...], default: str) -> int:
        choices = click.Choice([str(each) for each in faces])
        text = self._words.text(sentences.PAIR_FACES)
        return int(click.prompt(text, default=default, type=choices))

    def _owner(self) -> str:
        owners = click.Choice(OWNERS)
        text = self._words.text(sentences.PAIR_OWNER)
        return str(click.prompt(text, default="both", type=owners))

    def _number(self, most: int) -> int:
        free = next(n for n in range(1, LAST_DIE + 2) if n not in self.paired)
        text, numbers = self._words.text(sentences.PAIR_NUMBER), click.IntRange(UNPAIRED, most)
        while True:
            number: int = click.prompt(text, default=min(free, most), type=numbers)
            if number not in self.paired:
                return number
            self._print(sentences.PAIR_TAKEN, die=number)

    async def _blink(self, found: Advertised, brand: Brand) -> tuple[Connection, int | None]:
        """Connect, and let the die blink; return the connection and the number of faces."""
        die = PairedDie(UNPAIRED, brand, found.address, 6)
        # While a person answers, bluetoothd forgets the devices of a search that has ended.
        devices = await self._radio.find(frozenset({found.address}), FIND_S)
        if found.address not in devices:
            message = "it does not answer any more; shake it, and pair it again"
            raise RadioError(message)
        connection = await self._radio.connect(devices[found.address], die, lambda: None)
        try:
            if brand == "godice":
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
    place: SettingsPlace,
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
        place: Where the settings of a die with a bought board are written.
        identity_s: Longest time that a Pixels die has to report its number of faces, in seconds.

    Raises:
        UrpiError: If the file cannot be written, Bluetooth is unavailable, or no die is found.
    """
    check_writable(file)
    with asyncio.Runner() as runner:
        try:
            pairing = Pairing(
                open_radio(),
                settings,
                words,
                runner,
                place=place,
                identity_s=identity_s,
            )
            changed = pairing.run(scan_s)
        except RadioError as error:
            raise as_sentence(error) from error
    if not changed:
        click.echo(words.text(sentences.PAIR_NOTHING))
        return False
    source = "both" if with_hub or settings.source == "both" else "bluetooth"
    paired: Paired = pairing.paired
    write_paired_dice(file, source, paired)
    click.echo(words.text(sentences.PAIR_WRITTEN).format(file=file, dice=len(paired)))
    return True


def as_sentence(error: RadioError) -> UrpiError:
    """Return the error with a sentence of its own; a radio's is a clause for the display."""
    text = str(error)
    return UrpiError(f"{text[0].upper()}{text[1:].removesuffix('.')}.")


def _or(values: tuple[int, ...]) -> str:
    *most, last = map(str, values)
    return f"{', '.join(most)} or {last}"
