"""Starts of the service that have failed one after the other, and why.

They are in a file of the service's runtime folder. systemd keeps it while it restarts the service,
and removes it when the service is stopped or the machine is switched off.
"""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from urpi.install.systemd import RUN

MAX_QUICK: Final = 5
"""Failed starts after which the service waits, instead of trying again at once."""
WAIT_S: Final = 600.0
"""Time in seconds until it tries again then."""
STARTED_S: Final = 60.0
"""Time in seconds after which a start has not failed, whatever happens then."""
NAME: Final = "failed-starts"
PATH: Final = RUN / NAME


@dataclass(frozen=True, slots=True)
class FailedStarts:
    """The number of failed starts in a row, and the reason of the last one in one line."""

    count: int = 0
    reason: str = ""

    @classmethod
    def parse(cls, text: str) -> "FailedStarts":
        """What the file contains, none if it is invalid."""
        count, _, reason = text.partition(" ")
        return cls(int(count), reason) if count.isascii() and count.isdigit() else cls()

    def after(self, reason: str, ran_s: float) -> "FailedStarts":
        """The failed starts after another one, which ended after `ran_s` seconds."""
        return FailedStarts(self.count + 1 if ran_s < STARTED_S else 1, " ".join(reason.split()))

    @property
    def must_wait(self) -> bool:
        """Whether another start would most likely fail as well."""
        return self.count >= MAX_QUICK


NO_FAILED_STARTS: Final = FailedStarts()


def count_failed_start(folder: str | None, reason: str, ran_s: float) -> FailedStarts:
    """Count a failed start in systemd's runtime folder, and return all; without one, none."""
    if not folder:
        return FailedStarts()
    file = Path(folder) / NAME
    try:
        before = FailedStarts.parse(file.read_text("utf-8"))
    except (OSError, ValueError):
        before = FailedStarts()
    found = before.after(reason, ran_s)
    # Without the file the service goes on trying.
    with suppress(OSError):
        file.write_text(f"{found.count} {found.reason}", "utf-8")
        # `urpi doctor` reads it, as any user.
        file.chmod(0o644)
    return found
