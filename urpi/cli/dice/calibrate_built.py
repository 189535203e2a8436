"""`urpi dice calibrate` of a die with a bought board: its faces become a part of its settings.

No command reaches this die, but it advertises its acceleration at rest. The settings are written
again with the same number and key.
"""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from urpi.cli.dice.hearing import first_heard
from urpi.cli.dice.pair import as_sentence
from urpi.cli.dice.settings_place import SettingsPlace
from urpi.core.errors import UrpiError
from urpi.hardware.advertised_dice import AdvertisedDie
from urpi.hardware.advertisement import Frame, Vector
from urpi.hardware.bluetooth_dice import Radio, RadioError
from urpi.hardware.die_faces import DieFaces
from urpi.hardware.die_settings import settings_file
from urpi.hardware.godice import within
from urpi.show.words import Words
from urpi.show.words import dice_sentences as sentences

AWAKE_S: Final = 4.0
"""Seconds in which a die that was just put down is heard; it reports three times each second."""
ASLEEP_S: Final = 40.0
"""Seconds in which one is heard that lies still; it gives a sign of life every 32 s."""
SAME_DEG: Final = 45
"""Two faces are farther apart: those of a cube by 90 degrees, of a tetrahedron by 109."""
_REST_MG: Final = (700, 1300)
"""Limits of the acceleration at rest."""


class BuiltCalibration:
    """The dialogue in the terminal.

    Args:
        die: The die.
        radio: The Bluetooth adapter.
        faces: What the faces of tetrahedral dice show.
        words: The texts in the players' language.
        place: Where the settings are written.
        runner: The event loop in which the radio is used.
        waits_s: How long to wait for a die that was just put down, and for one that lies still.
    """

    def __init__(  # noqa: PLR0913, PLR0917 - what varies is passed in
        self,
        die: AdvertisedDie,
        radio: Radio,
        faces: DieFaces,
        words: Words,
        place: SettingsPlace,
        runner: asyncio.Runner,
        waits_s: tuple[float, float] = (AWAKE_S, ASLEEP_S),
    ) -> None:
        self._die, self._radio, self._faces, self._words = die, radio, faces, words
        self._place, self._runner, self._waits_s = place, runner, waits_s
        self._number = -1
        """That of the last report that was used; a die that was turned has made another."""

    def run(self) -> Path:
        """Ask for each face, and write the settings; return the file.

        Raises:
            UrpiError: If Bluetooth is not available, or the settings cannot be written.
            click.Abort: If the input has ended.
        """
        up: list[Vector] = []
        while len(up) < self._die.faces:
            self._print(sentences.PUT, face=self._name(len(up) + 1))
            if not sys.stdin.readline():
                raise click.Abort
            found = self._rest()
            if found is None:
                self._print(sentences.SILENT)
                continue
            same = [n for n, one in enumerate(up, 1) if within(one, found.rest, SAME_DEG)]
            if same:
                face, other = self._name(len(up) + 1), self._name(same[0])
                self._print(sentences.OTHER, found=other, face=face)
                continue
            self._number = found.number
            up.append(found.rest)
        die = self._die
        return self._place.write(die.number, settings_file(die.number, die.faces, die.key, up))

    def _rest(self) -> Frame | None:
        """Return a report of the die at rest, None if it is not heard."""
        awake_s, asleep_s = self._waits_s
        found = self._runner.run(first_heard(self._radio, self._usable, awake_s))
        if found is None:
            self._print(sentences.SLEEPS)
            found = self._runner.run(first_heard(self._radio, self._usable, asleep_s))
        return found

    def _usable(self, address: str, frame: Frame) -> Frame | None:
        return frame if address == self._die.address and self._is_usable(frame) else None

    def _is_usable(self, frame: Frame) -> bool:
        """Return whether a frame is a new report of the die at rest, on a face or between two."""
        if not frame.is_signed or frame.number <= self._number:
            return False
        least, most = _REST_MG
        if not least**2 <= sum(each**2 for each in frame.rest) <= most**2:
            return False
        try:
            line = frame.line(0, 0)
        except UrpiError:
            return False
        return line.state in {"settled", "cocked"} and frame.is_genuine(self._die.key)

    def _name(self, face: int) -> str:
        shows = self._faces.shown(self._die.number, self._die.faces, face)
        return sentences.face_words(self._words, face, shows)

    def _print(self, sentence: str, **values: object) -> None:
        click.echo(self._words.text(sentence).format(die=self._die.number, **values))


def calibrate_built(
    die: AdvertisedDie,
    open_radio: Callable[[], Radio],
    faces: DieFaces,
    words: Words,
    place: SettingsPlace,
) -> None:
    """Calibrate a die with a bought board.

    Raises:
        UrpiError: If Bluetooth is not available, or the settings cannot be written.
        click.Abort: If the person or the end of the input stops it.
    """
    with asyncio.Runner() as runner:
        try:
            BuiltCalibration(die, open_radio(), faces, words, place, runner).run()
        except RadioError as error:
            raise as_sentence(error) from error
