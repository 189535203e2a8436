"""The doctor: probes find out what a machine is, pure functions say what it means and cures."""

from urpi.doctor.examine import Openers, examine, findings, this_machine
from urpi.doctor.facts import Facts
from urpi.doctor.finding import Finding, Level, status
from urpi.doctor.squares import Result, Session, Step, Verdict
from urpi.doctor.telling import as_json, finding_lines, lines

__all__ = [
    "Facts",
    "Finding",
    "Level",
    "Openers",
    "Result",
    "Session",
    "Step",
    "Verdict",
    "as_json",
    "examine",
    "finding_lines",
    "findings",
    "lines",
    "status",
    "this_machine",
]
