"""Findings on paper: a line each with its cure below, or one JSON object."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any, Final

from urpi.doctor.facts import Facts
from urpi.doctor.finding import Finding, Level, status

MARKS: Final = {Level.RIGHT: "ok  ", Level.POOR: "poor", Level.BROKEN: "BAD "}
_ENDINGS: Final = (
    "All is right.",
    "It works, but something is poor.",
    "Something does not work.",
)


def lines(findings: Sequence[Finding]) -> Iterator[str]:
    """A line a finding, and its cure below it; the last line sums up."""
    for finding in findings:
        yield from finding_lines(finding)
    yield _ENDINGS[status(findings)]


def finding_lines(finding: Finding) -> Iterator[str]:
    """One finding's lines."""
    yield f"{MARKS[finding.level]}  {finding.area:<10} {finding.found}"
    if finding.cure:
        yield f"{'':17}-> {finding.cure}"


def as_json(facts: Facts, findings: Sequence[Finding]) -> str:
    """All of it as one JSON object: `status`, `findings`, and the `facts` behind them."""
    return json.dumps(
        {
            "status": status(findings),
            "findings": [
                {**asdict(finding), "level": finding.level.name.lower()} for finding in findings
            ],
            "facts": _plain(facts),
        },
        ensure_ascii=False,
        indent=2,
    )


def _plain(value: Any) -> Any:
    """What JSON knows: sets become sorted lists, values become objects."""
    if is_dataclass(value):
        return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
