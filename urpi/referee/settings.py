"""Settings: the referee's waiting times, and the source of its sentences."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from urpi.rules.refusals import Details

Sentence: TypeAlias = Callable[[str, Details], str]
"""Returns the sentence for a code and its details, in the table's language."""


@dataclass(frozen=True, slots=True)
class FixedTiming:
    """Limits by which the referee reads contacts and dice; they are not configurable.

    They are stored with every game like the waiting times of `Timing`, because a game must be
    replayed with the limits that it was played with.
    """

    knock_ms: int = 150
    """Time within which squares that blink together were knocked rather than emptied by a hand."""
    foresight_ms: int = 600
    """Time by which players may see a throw before the dice report it.

    Dice report when they have come to rest for a while, and the radio may have to retry.
    """
    rest_ms: int = 150
    """Time without an edge after which the edges of a contact are counted from one again.

    A contact that bounces under a hand rests for that time sooner or later.
    """
    flicker_ms: int = 1500
    """Time over which a contact must change without rest, `flicker_edges` times, to flicker."""
    flicker_edges: int = 12
    restless_ms: int = 6000
    """Time within which a contact must change `restless_changes` times to flicker.

    No hand moves pieces that quickly.
    """
    restless_changes: int = 14
    calm_ms: int = 10_000
    """Time without an edge after which a switch that flickered is trusted again."""
    unread_ms: int = 500
    """Time for which a short press is for the question that the display showed before.

    Somebody who is pressing already needs 200 ms to react to a change, and longer to choose.
    """
    unseen_factor: int = 5
    """Multiple of `seems_ms` after which a move that no switch shows is asked for.

    It applies while another move would be seen: the player may still be thinking.
    """


@dataclass(frozen=True, slots=True)
class Timing(FixedTiming):
    """The referee's waiting times in milliseconds (DESIGN.md, How the referee knows a move).

    The defaults are those of [timing] in the configuration.
    """

    contact_stable_ms: int = 5
    """Time without an edge after which a contact counts."""
    still_ms: int = 150
    """Time without an edge after which an occupancy counts."""
    hover_ms: int = 400
    """As `still_ms`, where a hand may be passing through: at a take-back, or between moves."""
    final_ms: int = 1000
    """Time after which a landing is final from which the piece may still be moved on.

    It seems made after `still_ms`. With 0 it is neither before `hover_ms`.
    """
    bear_off_ms: int = 1000
    """Time after which a bear-off without a chute seems made."""
    capture_ms: int = 3000
    """Time after which a landing that no switch showed seems made."""
    seems_ms: int = 12000
    """Time after which a move that seems made is committed."""
    win_ms: int = 12000
    """As `seems_ms`, for a winning move that is the only legal one."""
    warning_ms: int = 2500
    """Time after which a wrong occupancy causes a warning."""
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

    sentence: Sentence
    timing: Timing = Timing()
