"""Reports of the faults of this process, to systemd and to `urpi doctor`."""

import logging
import os
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from contextlib import suppress
from pathlib import Path
from typing import Final

from urpi.core.atomic_file import draft_of
from urpi.core.supervision import Fault, faults, set_aside
from urpi.install.running_parts import NAME, RunningParts
from urpi.install.supervisor import Supervisor

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
        self, supervisor: Supervisor, folder: str | None, clock: Callable[[], float]
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
