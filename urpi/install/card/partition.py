"""The boot partition of a card: what is on it, and writing to it without leaving half of it."""

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from urpi.core.errors import UrpiError
from urpi.core.inputs import read_text, reason

BACKUP: Final = ".before-urpi"
"""Suffix of the copies of files that were replaced."""
_NEW: Final = ".urpi-new"
_FIRMWARE: Final = ("config.txt", "cmdline.txt")
_KERNELS: Final = ("kernel*.img", "bcm27*.dtb")
_CLOUD: Final = ("user-data", "meta-data")
_UNCONFIGURED: Final = "rpios-image"
"""The instance id of Raspberry Pi OS as it is published."""
# These files have a few kilobytes; a larger one is another file.
_MAX_BYTES: Final = 1024 * 1024
_SPARE_BYTES: Final = 1024 * 1024


class PartitionError(UrpiError):
    """A folder that is no boot partition of Raspberry Pi OS, or that cannot be written."""


class BootPartition:
    """The boot partition of Raspberry Pi OS as a mounted folder.

    Args:
        folder: The folder, such as ``/media/me/bootfs``.

    Raises:
        PartitionError: If typical files are missing.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not folder.is_dir():
            message = f"{folder} is no folder; give the one where the card's bootfs is mounted."
            raise PartitionError(message)
        missing = [name for name in _FIRMWARE if not (folder / name).is_file()]
        if missing or not any(any(folder.glob(pattern)) for pattern in _KERNELS):
            lack = ", ".join(missing) or "a kernel"
            message = (
                f"{folder} is no boot partition of Raspberry Pi OS: it lacks {lack}; give the "
                "folder where the card's bootfs is mounted."
            )
            raise PartitionError(message)
        missing = [name for name in _CLOUD if not (folder / name).is_file()]
        if missing:
            message = (
                f"The Raspberry Pi OS in {folder} has no cloud-init: it lacks "
                f"{', '.join(missing)}; flash one that is based on Debian 13 (Trixie)."
            )
            raise PartitionError(message)

    @property
    def release(self) -> str:
        """The first line of issue.txt, which names the release; empty if there is none."""
        file = self.folder / "issue.txt"
        return self.read("issue.txt").partition("\n")[0].strip() if file.is_file() else ""

    @property
    def is_configured(self) -> bool:
        """Whether Raspberry Pi Imager or `urpi card` has already configured the card."""
        return _UNCONFIGURED not in self.read("meta-data")

    def read(self, name: str) -> str:
        """Return the text of a file.

        Raises:
            UrpiError: If it cannot be read.
        """
        return read_text(self.folder / name, "card's file", _MAX_BYTES, "flash the card again")

    def write(
        self, texts: Mapping[str, str], folder_name: str, copies: Sequence[Path]
    ) -> list[str]:
        """Write files, all or none, and return the names of those that changed.

        Each replaced file is kept as NAME.before-urpi. The folder of the copies is replaced.

        Args:
            texts: The content of each file by its name; the last one is renamed last.
            folder_name: Name of the folder of the copies.
            copies: Files that are copied to that folder.

        Raises:
            PartitionError: If they cannot be written; then nothing has changed.
        """
        before = {name: self._bytes(name) for name in texts}
        changed = [name for name, text in texts.items() if text.encode() != before[name]]
        # The copies of what is replaced come first.
        new = {name + BACKUP: old for name in changed if (old := before[name]) is not None}
        new |= {name: texts[name].encode() for name in changed}
        there = {name: self._bytes(name) for name in new}
        self._check_space(new, copies)
        try:
            for name, content in new.items():
                self._put(name + _NEW, content)
            self._copy(folder_name + _NEW, copies)
            self._rename(there, folder_name)
        except OSError as error:
            self._remove_new(new, folder_name)
            message = (
                f"The card's folder {self.folder} cannot be written: {reason(error)}; it is as it "
                "was before."
            )
            raise PartitionError(message) from error
        return changed

    def _bytes(self, name: str) -> bytes | None:
        path = self.folder / name
        try:
            return path.read_bytes() if path.exists() else None
        except OSError as error:
            message = f"The card's file {path} cannot be read: {reason(error)}; flash it again."
            raise PartitionError(message) from error

    def _check_space(self, new: Mapping[str, bytes], copies: Sequence[Path]) -> None:
        needed = sum(path.stat().st_size for path in copies)
        needed += sum(map(len, new.values())) + _SPARE_BYTES
        free = shutil.disk_usage(self.folder).free
        if free < needed:
            message = (
                f"The card's folder {self.folder} has {free // 1024} KiB free, and "
                f"{needed // 1024} KiB are needed; remove what you copied to it."
            )
            raise PartitionError(message)

    def _put(self, name: str, content: bytes) -> None:
        with (self.folder / name).open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())

    def _copy(self, folder_name: str, copies: Sequence[Path]) -> None:
        folder = self.folder / folder_name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for path in copies:
            copy = Path(shutil.copyfile(path, folder / path.name))
            with copy.open("rb") as file:
                os.fsync(file.fileno())

    def _rename(self, old: Mapping[str, bytes | None], folder_name: str) -> None:
        """Give every file its name; if that fails, restore the old ones."""
        folder, aside = self.folder / folder_name, self.folder / (folder_name + BACKUP)
        shutil.rmtree(aside, ignore_errors=True)
        try:
            if folder.exists():
                folder.rename(aside)
            (self.folder / (folder_name + _NEW)).rename(folder)
            for name in old:
                (self.folder / (name + _NEW)).replace(self.folder / name)
        except OSError:
            self._restore(old, folder, aside)
            raise
        shutil.rmtree(aside, ignore_errors=True)

    def _restore(self, old: Mapping[str, bytes | None], folder: Path, aside: Path) -> None:
        for name, content in old.items():
            with suppress(OSError):
                if content is None:
                    (self.folder / name).unlink(missing_ok=True)
                else:
                    self._put(name, content)
        # Without it, the new folder has its final name already.
        if not folder.with_name(folder.name + _NEW).exists():
            shutil.rmtree(folder, ignore_errors=True)
        if aside.exists():
            with suppress(OSError):
                aside.rename(folder)

    def _remove_new(self, names: Iterable[str], folder_name: str) -> None:
        for name in names:
            with suppress(OSError):
                (self.folder / (name + _NEW)).unlink(missing_ok=True)
        shutil.rmtree(self.folder / (folder_name + _NEW), ignore_errors=True)
