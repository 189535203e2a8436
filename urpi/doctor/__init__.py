"""The doctor: probes that examine a machine, and pure functions that diagnose what they found."""

from typing import TYPE_CHECKING

from urpi.lazy import export

if TYPE_CHECKING:
    from urpi.doctor.examine import System, diagnose, examine, this_system
    from urpi.doctor.facts import Facts
    from urpi.doctor.finding import Finding, Level, exit_status
    from urpi.doctor.output import as_json, finding_lines, lines
    from urpi.doctor.square_session import Result, Session, SquareStep, SquareVerdict
else:
    export(
        __name__,
        {
            "examine": ("System", "diagnose", "examine", "this_system"),
            "facts": ("Facts",),
            "finding": ("Finding", "Level", "exit_status"),
            "output": ("as_json", "finding_lines", "lines"),
            "square_session": ("Result", "Session", "SquareStep", "SquareVerdict"),
        },
    )

__all__ = [
    "Facts",
    "Finding",
    "Level",
    "Result",
    "Session",
    "SquareStep",
    "SquareVerdict",
    "System",
    "as_json",
    "diagnose",
    "examine",
    "exit_status",
    "finding_lines",
    "lines",
    "this_system",
]
