"""Counts of a die's outcomes, as a value and as a line of text (FORMATS.md, Dice counts)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from urpi.core.errors import UrpiError
from urpi.core.names import LAST_DIE

MARKS: Final = "gs"
MAX_THROWS: Final = 1_000_000
"""Maximum number of throws of a die to be judged, which takes well under a second."""
_TIPS: Final = frozenset("gs-")
_FACES: Final = frozenset("123456")
_MAX_FACES: Final = 6


@dataclass(frozen=True, slots=True)
class Tally:
    """The throws of one die.

    Attributes:
        die: number of the die, from 1.
        outcomes: a text for each outcome, with a letter for each face that it includes: ``g s - -``
            if the tips of a tetrahedron are counted separately, ``g s --`` if its blank tips are
            counted together, ``1`` to ``6`` for a d6.
        counts: number of throws for each outcome.

    Raises:
        UrpiError: if the outcomes are neither tips nor faces, or the counts do not match them.

    >>> Tally(2, ("g", "s", "--"), (3, 4, 9)).throws
    16
    """

    die: int
    outcomes: tuple[str, ...]
    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 1 <= self.die <= LAST_DIE:
            message = f"A die's number must be from 1 to {LAST_DIE}; found {self.die!r:.20}."
            raise UrpiError(message)
        self._check_outcomes(set("".join(self.outcomes)))
        if len(self.counts) != len(self.outcomes) or min(self.counts) < 0:
            allowed = f"{len(self.outcomes)} numbers from 0 on"
            raise _error(self.die, f"counts {_brief(self.counts)}", allowed)

    def _check_outcomes(self, letters: set[str]) -> None:
        found = f"outcomes {_brief(self.outcomes)}"
        if len(self.outcomes) < 2 or not all(self.outcomes):
            raise _error(self.die, found, "two or more, none empty")
        if sum(self.weights) > _MAX_FACES:
            raise _error(self.die, found, f"at most {_MAX_FACES} faces")
        if not letters <= _TIPS and not letters <= _FACES:
            raise _error(self.die, found, "tips of g s - or faces 1-6")

    @property
    def throws(self) -> int:
        return sum(self.counts)

    @property
    def weights(self) -> tuple[int, ...]:
        """Number of faces of each outcome, to which the counts of a fair die are proportional."""
        return tuple(map(len, self.outcomes))

    @property
    def marked(self) -> int:
        """Number of throws that showed a gold or silver tip."""
        return sum(n for n, shown in zip(self.counts, self.outcomes, strict=True) if _marked(shown))

    @property
    def fair_share(self) -> float:
        """Share of marked faces: the expected share of marks of a fair die."""
        return sum(map(len, filter(_marked, self.outcomes))) / sum(self.weights)

    def with_throw(self, outcome: int) -> "Tally":
        """The tally with one more throw of the outcome with that index."""
        counts = list(self.counts)
        counts[outcome] += 1
        return Tally(self.die, self.outcomes, tuple(counts))


def empty_tally(die: int, shows: str) -> Tally:
    """A tally without throws for a die with those faces, such as ``gs--`` or ``123456``."""
    return Tally(die, tuple(shows), (0,) * len(shows))


def tally_of(die: int, shows: str, seen: Mapping[str, int]) -> Tally:
    """A tally of counted faces, with equal faces as one outcome.

    Args:
        die: number of the die.
        shows: its faces, a letter for each.
        seen: number of throws for each letter.

    Raises:
        UrpiError: if a letter is not one of its faces.

    >>> tally_of(2, "gs--", {"g": 3, "-": 9}).counts
    (3, 0, 9)
    """
    strange = set(seen) - set(shows)
    if strange:
        raise _error(die, f"{sorted(strange)} seen", f"its faces, {shows}")
    alike = dict.fromkeys(shows)
    outcomes = tuple(one * shows.count(one) for one in alike)
    return Tally(die, outcomes, tuple(seen.get(one, 0) for one in alike))


def _marked(outcome: str) -> bool:
    return outcome[0] in MARKS


def _brief(found: object) -> str:
    """An invalid value as text, shortened for an error message."""
    return f"{list(found) if isinstance(found, tuple) else found!r:.80}"


def _error(die: int, found: str, allowed: str) -> UrpiError:
    return UrpiError(f"The counts of die {_brief(die)} have {found}; allowed are {allowed}.")


def tally_values(tally: Tally) -> dict[str, Any]:
    """The keys and values of a tally's line."""
    return {
        "die": tally.die,
        "outcomes": list(tally.outcomes),
        "counts": list(tally.counts),
    }


def parse_tally(line: str) -> Tally:
    """The tally of a line. Unknown keys are ignored.

    Raises:
        UrpiError: if it is not a JSON object, lacks a key, or has an invalid value.

    >>> parse_tally('{"die":2,"outcomes":["g","s","-","-"],"counts":[1,2,3,4]}').throws
    10
    """
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        message = f"A die's counts must be a JSON object; found {line.strip()[:40]!r}."
        raise UrpiError(message)
    die = _integers([found.get("die")], "die")[0]
    outcomes = found.get("outcomes")
    if not isinstance(outcomes, list) or not all(isinstance(one, str) for one in outcomes):
        raise _error(die, f"outcomes {_brief(outcomes)}", 'texts such as "g"')
    return Tally(die, tuple(outcomes), _integers(found.get("counts"), "counts"))


def _integers(found: object, key: str) -> tuple[int, ...]:
    if isinstance(found, list) and all(type(one) is int for one in found):
        return tuple(found)
    message = f"{key} in a die's counts is {_brief(found)}; allowed are whole numbers."
    raise UrpiError(message)
