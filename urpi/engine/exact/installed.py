"""The installed tables of exact values: files in one folder, named after their rule set.

The checksum of a table is verified when it is installed. Opening one compares only its size, its
time of change and its header with what was verified then, since reading hundreds of megabytes takes
seconds on a Raspberry Pi.
"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from urpi.core.atomic_file import draft_of
from urpi.core.errors import UrpiError
from urpi.engine.exact.values import ExactValues, ValuesHeader, check, read_header
from urpi.rules import RuleSet

SUFFIX: Final = ".table"


def file_name(rules: str) -> str:
    """Return the file name of a rule set's table.

    >>> file_name("finkel[pieces=5;safe_rosettes=no]")
    'finkel-pieces-5-safe_rosettes-no.table'
    """
    return rules.replace("[", "-").replace("]", "").replace("=", "-").replace(";", "-") + SUFFIX


class Installed:
    """The tables in a folder, which need not exist."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path_of(self, rules: RuleSet) -> Path:
        """Return the file of a rule set's table, which need not exist."""
        return self.folder / file_name(rules.played_as)

    def files(self) -> Iterator[Path]:
        """Yield the files in the order of their names."""
        yield from sorted(self.folder.glob(f"*{SUFFIX}"))

    def open(self, rules: RuleSet) -> ExactValues | None:
        """Return the table of a rule set, None if none is installed.

        Raises:
            UrpiError: If it is not the table that was installed, or is for another rule set.
        """
        path = self.path_of(rules)
        if not path.exists():
            return None
        if self._stamp(path) != self._verified(path):
            check(path)
            self._store_stamp(path)
        table = ExactValues(path)
        if table.rules.text != rules.played_as:
            table.close()
            message = (
                f"The table of exact values {path} is for {table.header.rules}, not for "
                f"{rules.played_as}; remove it and install the right one."
            )
            raise UrpiError(message)
        return table

    def install(self, source: Path) -> ValuesHeader:
        """Verify a table, copy it into the folder, and return its header.

        Raises:
            UrpiError: If it is no valid table, or cannot be copied.
        """
        header = check(source)
        target = self.path_of(header.rule_set())
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._check_space(source.stat().st_size)
            with draft_of(target) as draft:
                shutil.copyfile(source, draft)
                check(draft)
            self._store_stamp(target)
        except OSError as error:
            message = (
                f"The table of exact values {target} cannot be written: {error.strerror}; "
                "make the folder writable."
            )
            raise UrpiError(message) from error
        return header

    def remove(self, rules: RuleSet) -> None:
        """Delete the table of a rule set.

        Raises:
            UrpiError: If none is installed.
        """
        path = self.path_of(rules)
        if not path.exists():
            message = (
                f"No table of exact values for {rules.text} is installed; `urpi tables list` lists "
                "the others."
            )
            raise UrpiError(message)
        path.unlink()
        self._stamp_file(path).unlink(missing_ok=True)

    def _check_space(self, needed: int) -> None:
        free = shutil.disk_usage(self.folder).free
        if free < needed:
            message = (
                f"The table of exact values needs {needed // 10**6} MB in {self.folder}, where "
                f"{free // 10**6} MB are free; make room first."
            )
            raise UrpiError(message)

    @staticmethod
    def _stamp(path: Path) -> dict[str, object]:
        status = path.stat()
        header = read_header(path)
        return {"size": status.st_size, "changed": status.st_mtime_ns, "sha256": header.sha256}

    @staticmethod
    def _stamp_file(path: Path) -> Path:
        return path.with_suffix(".verified")

    def _verified(self, path: Path) -> object:
        try:
            return json.loads(self._stamp_file(path).read_text("utf-8"))
        except (OSError, ValueError):
            return None

    def _store_stamp(self, path: Path) -> None:
        try:
            self._stamp_file(path).write_text(json.dumps(self._stamp(path)), "utf-8")
        except OSError:
            return  # The folder is read-only; then every opening verifies the table.
