"""A finding of the doctor: what was found, how severe it is, and the cure; as text or JSON."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from enum import IntEnum
from typing import Any, Final

from urpi.install.doctor.facts import Facts

_SUMMARIES: Final = (
    "No problems found.",
    "Everything works, but some findings are poor.",
    "Something does not work.",
)
"""Last line of the output, by exit status."""


class Level(IntEnum):
    """Severity of a finding. The highest one becomes the exit status."""

    RIGHT = 0
    POOR = 1
    """It works, but badly or not for long."""
    BROKEN = 2
    """Something that the configuration requires does not work."""


MARKS: Final = {Level.RIGHT: "ok  ", Level.POOR: "poor", Level.BROKEN: "BAD "}


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


def lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the lines of all findings, and a summary."""
    for finding in findings:
        yield from finding_lines(finding)
    yield _SUMMARIES[exit_status(findings)]


def finding_lines(finding: Finding) -> Iterator[str]:
    """Yield the line of one finding and, below it, its cure."""
    yield f"{MARKS[finding.level]}  {finding.area:<10} {finding.found}"
    if finding.cure:
        yield f"{'':17}-> {finding.cure}"


def as_json(facts: Facts, findings: Sequence[Finding]) -> str:
    """Return a JSON object of the exit `status`, the `findings`, and the `facts` they rest on."""
    return json.dumps(
        {
            "status": exit_status(findings),
            "findings": [
                {**asdict(finding), "level": finding.level.name.lower()} for finding in findings
            ],
            "facts": _plain(facts),
        },
        ensure_ascii=False,
        indent=2,
    )


def _plain(value: Any) -> Any:
    """Convert a value to what JSON can hold: sets to sorted lists, dataclasses to objects."""
    # dataclasses.asdict would keep the frozen sets, which json cannot encode.
    if is_dataclass(value):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
