"""The faults of the running service, in a file of its runtime folder that `urpi doctor` reads.

systemd removes the file when the service is stopped. One that a killed process has left behind is
recognized by its process number.
"""

import json
from dataclasses import dataclass
from typing import Final

from urpi.core import strict_json
from urpi.install.systemd import RUN

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
