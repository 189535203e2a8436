"""The doctor: probes that examine a machine, and pure functions that diagnose what they found."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.install.doctor.examine import System, diagnose, examine, this_system
    from urpi.install.doctor.facts import Facts
    from urpi.install.doctor.output import as_json, finding_lines, lines
    from urpi.install.doctor.square_session import Result, Session, SquareStep, SquareVerdict

export(__name__)
