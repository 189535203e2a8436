"""Findings: what is right, poor or broken, each with its cure."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum


class Level(IntEnum):
    """How bad it is; the worst one is the exit status."""

    RIGHT = 0
    POOR = 1
    """It works, but badly or not for long."""
    BROKEN = 2
    """What the configuration asks for does not work."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: what was found, and in one or two sentences what to do."""

    area: str
    level: Level
    found: str
    cure: str = ""


def right(area: str, found: str) -> Finding:
    """All is well there."""
    return Finding(area, Level.RIGHT, found)


def poor(area: str, found: str, cure: str) -> Finding:
    """It works, but."""
    return Finding(area, Level.POOR, found, cure)


def broken(area: str, found: str, cure: str) -> Finding:
    """It does not work."""
    return Finding(area, Level.BROKEN, found, cure)


def status(findings: Iterable[Finding]) -> int:
    """The exit status: 0 all right, 1 something is poor, 2 something does not work."""
    return max((finding.level for finding in findings), default=Level.RIGHT).value
