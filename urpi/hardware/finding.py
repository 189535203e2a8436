"""A finding of the doctor: what was found, how severe it is, and the cure."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum


class Level(IntEnum):
    """Severity of a finding. The highest one becomes the exit status."""

    RIGHT = 0
    POOR = 1
    """It works, but badly or not for long."""
    BROKEN = 2
    """Something that the configuration requires does not work."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check.

    Attributes:
        area: part of the machine, such as `hub`.
        level: severity.
        found: what was found, without a full stop.
        cure: one or two sentences on how to correct it, empty if nothing is wrong.
    """

    area: str
    level: Level
    found: str
    cure: str = ""


def right(area: str, found: str) -> Finding:
    """Return a finding that needs no cure."""
    return Finding(area, Level.RIGHT, found)


def poor(area: str, found: str, cure: str) -> Finding:
    """Return a finding about something that works, but badly or not for long."""
    return Finding(area, Level.POOR, found, cure)


def broken(area: str, found: str, cure: str) -> Finding:
    """Return a finding about something that does not work."""
    return Finding(area, Level.BROKEN, found, cure)


def exit_status(findings: Iterable[Finding]) -> int:
    """Return the exit status: 0 all right, 1 something is poor, 2 something does not work."""
    return max((finding.level for finding in findings), default=Level.RIGHT).value
