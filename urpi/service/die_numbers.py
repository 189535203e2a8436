"""The file with the numbers of the last reports of dice that advertise them.

Without it, reports that somebody recorded could be sent again after a restart of the program. It
belongs to one thread.
"""

import json
import logging
from collections import UserDict
from contextlib import suppress
from pathlib import Path

from urpi.core import strict_json
from urpi.core.atomic_file import draft_of

_log = logging.getLogger(__name__)


class DieNumbers(UserDict[str, int]):
    """The numbers by the names of the dice's keys, written to a file with each change.

    A file that is missing or damaged counts as empty. One that cannot be written is reported once.

    Args:
        file: The file; its folder is created if necessary.
    """

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file, self._reported = file, False
        with suppress(OSError, ValueError):
            found = strict_json.parse(file.read_text("utf-8"))
            if isinstance(found, dict):
                numbers = {key: value for key, value in found.items() if type(value) is int}
                self.data.update(numbers)

    def __setitem__(self, key: str, number: int) -> None:
        if self.data.get(key) == number:
            return
        self.data[key] = number
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with draft_of(self._file, mode=0o600) as draft:
                draft.write_text(json.dumps(self.data), "utf-8")
        except OSError as error:
            if not self._reported:
                _log.warning("%s cannot be written: %s", self._file, error.strerror)
            self._reported = True
