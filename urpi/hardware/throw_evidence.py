"""The evidence that a die sends with its report, and the table's decision whether it was thrown.

FORMATS.md, Serial lines. firmware/README.md (The verdict) lists what the limits accept and reject.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, assert_never

from urpi.hardware.protocol import DieLine
from urpi.referee.facts import NotThrown

Strictness: TypeAlias = Literal["home", "club"]
"""How strictly a table judges.

At home, a die that a hand held steadily until it fell counts if it ended turned against the hold or
rolled over edges; at a club, only if it rolled over as many as no hand can plan.
"""

HOME_TURNED_DEG: Final = 45
HOME_EDGES: Final = 2
CLUB_EDGES: Final = 3
CLUB_FLIGHT_MS: Final = 75
"""A fall of 2.8 cm. A die tipped over its edge hops for up to 60 ms, and one that a hand sets down
fast is without weight for mostly less than 75 ms."""
FLIGHT_MS: Final = 60
"""The shortest flight that is evidence. A longer fall without evidence ended in the hand."""
ROLLED_FACES: Final = 2
"""A die set down on an edge passes one face; one that rolls without a fall passes more."""
_MARK_DEG: Final = 16
"""What a die adds to its angle if it sends evidence: a settled one leans by at most 15 degrees."""
_EDGES: Final = 4
_STEP_DEG: Final = 3
_NOT_HELD_DEG: Final = 180


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the die did.

    Attributes:
        flight_ms: Its longest flight after the release, 60 ms or longer.
        edges: The number of edges that it rolled over on the table, up to 3.
        turned_deg: The angle by which it ended turned against the hold before the release, in
            degrees. None if no hand held it steadily until then.
    """

    flight_ms: int
    edges: int
    turned_deg: int | None

    def is_throw(self, strictness: Strictness) -> bool:
        return self.refusal(strictness) is None

    def refusal(self, strictness: Strictness) -> NotThrown | None:
        """Return why this is no throw on a table of this strictness, None if it is one."""
        turned = self.turned_deg is None or self.turned_deg >= HOME_TURNED_DEG
        if not turned and self.edges < HOME_EDGES:
            return "dropped"
        match strictness:
            case "home":
                return None
            case "club":
                if self.turned_deg is not None and self.edges < CLUB_EDGES:
                    return "held"
                return "gentle" if self.flight_ms < CLUB_FLIGHT_MS else None
            case _:
                assert_never(strictness)


def evidence_of(line: DieLine) -> Evidence | None:
    """Return a settled die's evidence, None if it did not fly or has older firmware."""
    if line.state != "settled" or line.thrown is None or (line.angle_deg or 0) < _MARK_DEG:
        return None
    # Packed into one number, because older hubs pass on no other key.
    steps, edges = divmod(line.tumbles or 0, _EDGES)
    turned = steps * _STEP_DEG
    held = turned < _NOT_HELD_DEG
    return Evidence(line.fall_ms or 0, edges, turned if held else None)


def motion_refusal(line: DieLine) -> NotThrown | None:
    """Return why a settled die did not fly, None if it is unknown.

    Dice with the firmware of 0.1.0 send no verdict, and so no reason.
    """
    if line.thrown != 0 or line.fall_ms is None or line.fall_ms >= FLIGHT_MS:
        return None
    return "gentle" if (line.tumbles or 0) >= ROLLED_FACES else "by-hand"


def angle_of(line: DieLine) -> int | None:
    """Return a die's tilt from its face in degrees, None if its line has none."""
    angle = line.angle_deg
    return angle - _MARK_DEG if angle is not None and evidence_of(line) else angle
