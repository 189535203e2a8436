"""Settings: the referee's waiting times, and the source of its sentences."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from urpi.rules.refusals import Details

Say: TypeAlias = Callable[[str, Details], str]
"""The sentence of a code with its details, in the table's language."""


@dataclass(frozen=True, slots=True)
class Timing:
    """The referee's waiting times in milliseconds (DESIGN.md, How the referee knows a move)."""

    contact_stable_ms: int = 5
    """Time without an edge after which a contact counts."""
    still_ms: int = 150
    """Time without an edge after which a picture counts."""
    hover_ms: int = 400
    """As `still_ms`, where the piece may still be moved on to another legal square."""
    bear_off_ms: int = 1000
    """Time after which a bear-off without a chute seems made."""
    capture_ms: int = 3000
    """Time after which a landing that no switch showed seems made."""
    seems_ms: int = 12000
    """Time after which a move that seems made is committed."""
    win_ms: int = 12000
    """As `seems_ms`, for a winning move that is the only legal one."""
    warning_ms: int = 2500
    """Time after which a wrong picture causes a warning."""
    lifted_ms: int = 12000
    """Time for which a lifted piece may be in a player's hand."""
    stuck_ms: int = 12000
    """Time after which an uncorrected square makes the referee doubt its switch."""
    cocked_ms: int = 1000
    """Time after which a leaning die is refused."""
    missing_die_ms: int = 5000
    """Time after the last settled die at which a missing one is requested."""
    pending_ms: int = 60000
    """Time for which a throw is kept while a player is asked for a move; 0: it is refused."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a referee."""

    say: Say
    timing: Timing = Timing()
