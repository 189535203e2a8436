"""What `urpi doctor` prints: findings, and with `--live` changes of contacts.

Pure: raw edges and the time are passed in. All times are whole milliseconds.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any, Final

from urpi.hardware.finding import Finding, Level, exit_status
from urpi.install.doctor.facts import Facts

QUIET_MS: Final = 50
"""Time without an edge after which a change is complete. A good contact bounces for 2 ms."""


@dataclass(frozen=True, slots=True)
class ContactChange:
    """A completed change of a contact.

    Attributes:
        name: name of the contact.
        closed: its final state.
        edges: number of edges, bounces included.
        within_ms: time from the first edge to the last.
    """

    name: str
    closed: bool
    edges: int
    within_ms: int

    @property
    def text(self) -> str:
        """The change as one line.

        >>> ContactChange("A1", True, 3, 2).text
        'A1 closed (3 edges in 2 ms)'
        """
        edges = "1 edge" if self.edges == 1 else f"{self.edges} edges in {self.within_ms} ms"
        return f"{self.name} {'closed' if self.closed else 'opened'} ({edges})"


@dataclass(slots=True)
class _Burst:
    first: int
    last: int
    closed: bool
    edges: int = 1


class Changes:
    """Collects the raw edges of all contacts into completed changes."""

    def __init__(self) -> None:
        self._bursts: dict[str, _Burst] = {}

    def on_edge(self, name: str, closed: bool, t: int) -> None:
        """Record a raw edge of a contact at time `t`."""
        burst = self._bursts.get(name)
        if burst is None:
            self._bursts[name] = _Burst(t, t, closed)
        else:
            burst.last, burst.closed, burst.edges = t, closed, burst.edges + 1

    def pop_completed(self, now: int) -> Iterator[ContactChange]:
        """Yield and forget the changes whose contact has been quiet for `QUIET_MS`."""
        completed = [name for name, burst in self._bursts.items() if now - burst.last >= QUIET_MS]
        for name in completed:
            burst = self._bursts.pop(name)
            yield ContactChange(name, burst.closed, burst.edges, burst.last - burst.first)


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
