"""The referee: facts in, decisions out. Pure: no clock, files, randomness or hardware."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.referee.make_snapshot import snapshot
    from urpi.referee.settings import Settings, Timing
    from urpi.referee.snapshot import Phase, Snapshot
    from urpi.referee.state import State
    from urpi.referee.step import begin, next_due, step

export(__name__)
