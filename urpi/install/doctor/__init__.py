"""The doctor: probes that examine a machine, and pure functions that diagnose what they found."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.install.doctor.examine import System, diagnose, examine, this_system
    from urpi.install.doctor.facts import Facts
    from urpi.install.doctor.finding import Finding, Level, exit_status
    from urpi.install.doctor.output import as_json, finding_lines, lines
    from urpi.install.doctor.square_session import Result, Session, SquareStep, SquareVerdict
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
