"""Where the settings of a die are written: its drive, or a file to be copied there."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import click

from urpi.core.errors import UrpiError
from urpi.hardware.die_settings import INFO, MOUNTS, drive_fault
from urpi.show.words import Words
from urpi.show.words import dice_sentences as sentences


def mounted_drives() -> tuple[Path, ...]:
    """Return the drives of boot loaders that are mounted."""
    root = Path("/")
    return tuple(
        found.parent for each in MOUNTS for found in sorted(root.glob(f"{each[1:]}/{INFO}"))
    )


def die_drive(drives: Iterable[Path]) -> Path | None:
    """Return the drive of the die's board among others, None if there is none.

    Raises:
        UrpiError: If there are drives, but each is of a board that cannot be a die.
    """
    faults = []
    for drive in drives:
        try:
            fault = drive_fault((drive / INFO).read_text("ascii", "replace"))
        except OSError:
            continue
        if fault is None:
            return drive
        faults.append(f"{drive} {fault}.")
    if faults:
        raise UrpiError(" ".join(faults))
    return None


def write_settings(place: Path, name: str, settings: bytes) -> Path:
    """Write the settings to a file, or under a name into a folder; return the file.

    Raises:
        UrpiError: If it cannot be written.
    """
    file = place / name if place.is_dir() else place
    try:
        # The file contains the key, so that only its owner may read it.
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
            out.write(settings)
            out.flush()
            if "SUDO_UID" in os.environ:
                # Who called sudo copies it. A drive has no owners.
                with suppress(OSError):
                    owner = int(os.environ["SUDO_UID"]), int(os.environ.get("SUDO_GID", "-1"))
                    os.fchown(out.fileno(), *owner)
            # A board starts as soon as it has the whole file, and its drive is gone.
            with suppress(OSError):
                os.fsync(out.fileno())
    except OSError as error:
        message = f"{file} cannot be written: {error.strerror}; choose another place (--settings)."
        raise UrpiError(message) from error
    return file


@dataclass(frozen=True, slots=True)
class SettingsPlace:
    """Where to write settings: a file or folder, or if that is None, the drive that is asked for.

    `drives` returns the drives of boot loaders that are mounted.
    """

    words: Words
    place: Path | None = None
    drives: Callable[[], Iterable[Path]] = mounted_drives

    def write(self, number: int, settings: bytes) -> Path:
        """Write the settings of a die, and print what to do next; return the file.

        Raises:
            UrpiError: If they cannot be written, or the drive is that of another board.
        """
        drive = None
        if self.place is None:
            hint = self.words.text(sentences.PAIR_CONNECT)
            click.prompt(hint, default="", show_default=False, prompt_suffix=" ")
            drive = die_drive(self.drives())
        place = self.place or drive or Path.cwd()
        file = write_settings(place, f"die-{number}-settings.uf2", settings)
        done = sentences.PAIR_FILE if drive is None else sentences.PAIR_DRIVE
        click.echo(self.words.text(done).format(die=number, file=file))
        return file
