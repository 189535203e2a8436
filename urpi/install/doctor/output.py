"""Findings as text, one line each with its cure below, or as one JSON object."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any, Final

from urpi.hardware.finding import Finding, Level, exit_status
from urpi.install.doctor.facts import Facts

MARKS: Final = {Level.RIGHT: "ok  ", Level.POOR: "poor", Level.BROKEN: "BAD "}
_SUMMARIES: Final = (
    "No problems found.",
    "Everything works, but some findings are poor.",
    "Something does not work.",
)
"""Last line of the output, by exit status."""


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
        # A set has no order, and the output is compared between two runs.
        return sorted(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
