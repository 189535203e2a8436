"""Settings: the times the referee waits, and where its sentences come from. Given, never read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from urpi.rules.refusals import Details

Say: TypeAlias = Callable[[str, Details], str]
"""The sentence of a code with its details, in the table's language."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How long the referee waits, all in milliseconds (DESIGN.md, How the referee knows a move)."""

    contact_stable_ms: int = 5
    """A contact counts when it has kept its level so long."""
    still_ms: int = 150
    """A picture counts when no edge has come so long."""
    hover_ms: int = 400
    """The same where the piece may still go to another legal square: a hand may hold it there."""
    bear_off_ms: int = 1000
    """A bear-off without a chute seems made after so long."""
    capture_ms: int = 3000
    """A landing that no switch showed seems made after so long."""
    seems_ms: int = 12000
    """What seems made is a move after so long."""
    win_ms: int = 12000
    """What seems to be the only legal move, and wins, is a move after so long."""
    warning_ms: int = 2500
    """A wrong picture is warned of after so long."""
    lifted_ms: int = 12000
    """A piece that is merely lifted may be in a hand so long."""
    stuck_ms: int = 12000
    """A warning that nobody mends so long makes the referee doubt the switch."""
    cocked_ms: int = 1000
    """A die that leans on something is refused after so long."""
    missing_die_ms: int = 5000
    """A die that did not come with the others is asked for after so long."""
    pending_ms: int = 60000
    """A throw made while a move is asked for counts if the answer comes in this time."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a referee is made with."""

    say: Say
    timing: Timing = Timing()
