"""The faults of the running service, in a file of its runtime folder that `urpi doctor` reads.

systemd removes the file when the service is stopped. One that a killed process has left behind is
recognized by its process number. `PartsReporter` writes it, and reports to systemd.
"""

import json
import logging
import os
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from urpi.core import strict_json
from urpi.core.atomic_file import draft_of
from urpi.core.supervision import Fault, faults, set_aside
from urpi.install.systemd import RUN

if TYPE_CHECKING:
    # The doctor only reads, without the sockets of systemd.
    from urpi.install.supervisor import Supervisor

NAME: Final = "parts.json"
PATH: Final = RUN / NAME
CLUB_PATH: Final = RUN.with_name("urpi-club") / NAME
"""The file of `urpi club serve`, whose unit is in docs/operate/club.md."""


@dataclass(frozen=True, slots=True)
class RunningParts:
    """What the parts of a running service report.

    Attributes:
        pid: The number of its process, 0 if none is known.
        faults: Its faults, as clauses.
        set_aside: Kinds of things that are set aside after failures, and how many of each.
    """

    pid: int = 0
    faults: tuple[str, ...] = ()
    set_aside: tuple[tuple[str, int], ...] = ()

    @classmethod
    def parse(cls, text: str) -> "RunningParts":
        """What a file contains, nothing if it is invalid."""
        try:
            found = strict_json.parse(text)
            kinds = tuple((_line(kind), int(count)) for kind, count in found["set_aside"].items())
            return cls(int(found["pid"]), tuple(map(_line, found["faults"])), kinds)
        except (LookupError, ValueError, TypeError, AttributeError):
            return cls()

    @property
    def json(self) -> str:
        """The content of the file."""
        found = {"pid": self.pid, "faults": self.faults, "set_aside": dict(self.set_aside)}
        return json.dumps(found)


def _line(text: object) -> str:
    """A text in one line without the control characters of a device's message."""
    return "".join(letter if letter.isprintable() else " " for letter in str(text))


NO_PARTS: Final = RunningParts()


MIN_RUN_S: Final = 600.0
"""Shortest time in seconds between two starts of the program because a part hangs."""


_log: Final = logging.getLogger(__name__)


class PartsReporter:
    """Reports the faults of this process to systemd and, in its runtime folder, to the doctor.

    Args:
        supervisor: Sends them to systemd.
        folder: The folder, None or empty if systemd has not started this process. Nothing is
            written then.
        clock: Monotonic time in seconds.
    """

    def __init__(
        self, supervisor: "Supervisor", folder: str | None, clock: Callable[[], float]
    ) -> None:
        self.supervisor, self._clock, self._began = supervisor, clock, clock()
        self._path = Path(folder) / NAME if folder else None
        self._written: RunningParts | None = None
        self._hanging: AbstractSet[str] = frozenset()
        """The parts that hang, which are logged once. What fails is logged when it fails."""

    def report(self) -> Fault | None:
        """Report what has changed; return a fault for which the program must be started again.

        There is none in the first minutes, so that a device that makes its part hang at every
        start leaves the rest of the table usable, nor if systemd would not start the program.
        """
        found = faults()
        hanging = {fault.part: fault.text for fault in found if fault.hangs}
        for part in hanging.keys() - self._hanging:
            _log.error("%s", hanging[part])
        self._hanging = hanging.keys()
        self.supervisor.report_problem("; ".join(fault.text for fault in found))
        self._write(RunningParts(os.getpid(), tuple(one.text for one in found), set_aside()))
        if not self.supervisor.is_present or self._clock() - self._began < MIN_RUN_S:
            return None
        return next((fault for fault in found if fault.ends_program), None)

    def _write(self, found: RunningParts) -> None:
        if self._path is None or found == self._written:
            return
        self._written = found
        # The game goes on without it.
        with suppress(OSError), draft_of(self._path, mode=0o644) as draft:
            draft.write_text(found.json, "utf-8")
