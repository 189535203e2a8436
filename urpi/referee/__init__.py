"""The referee, pure: facts in, decisions out. No clock, files, randomness or hardware."""

from urpi.referee.settings import Settings, Timing
from urpi.referee.snapshot import Phase, Snapshot
from urpi.referee.state import State
from urpi.referee.step import begin, next_due, step
from urpi.referee.telling import snapshot

__all__ = [
    "Phase",
    "Settings",
    "Snapshot",
    "State",
    "Timing",
    "begin",
    "next_due",
    "snapshot",
    "step",
]
