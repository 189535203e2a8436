"""The state of a table's connection to its club."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClubStatus:
    """The state of the connection.

    Attributes:
        connected: Whether the broker is connected.
        rejected: Whether the club does not accept a game.
        problem: Why it is not connected, or what was rejected, in English; empty if all is well.
        waiting: Number of games of which something is not acknowledged.
    """

    connected: bool = False
    rejected: bool = False
    problem: str = ""
    waiting: int = 0
