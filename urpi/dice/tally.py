"""How often a die came up how, as a value and as a line of text (FORMATS.md, Dice counts)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from urpi.errors import UrpiError

MARKS: Final = "gs"
MOST_THROWS: Final = 1_000_000
"""Of one die, where throws are to be judged: that takes well under a second."""
_TIPS: Final = frozenset("gs-")
_FACES: Final = frozenset("123456")
_MOST_FACES: Final = 6
"""The larger of the two kinds of dice: a tetrahedron has four."""
_MOST_DICE: Final = 8
"""As the hub's protocol numbers them."""


@dataclass(frozen=True, slots=True)
class Tally:
    """One die's throws.

    An outcome is a letter for each of its faces that is counted there: ``g s - -`` when every
    tip of a tetrahedron is counted by itself, ``g s --`` when nobody told its blank tips apart,
    ``1`` to ``6`` for a d6. `counts` are how often each came up.

    Raises:
        UrpiError: when the outcomes are neither tips nor faces, or the counts do not fit them.

    >>> Tally(2, ("g", "s", "--"), (3, 4, 9)).throws
    16
    """

    die: int
    outcomes: tuple[str, ...]
    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 1 <= self.die <= _MOST_DICE:
            message = f"A die's number is from 1 to {_MOST_DICE}; found {self.die!r:.20}."
            raise UrpiError(message)
        self._check_outcomes(set("".join(self.outcomes)))
        if len(self.counts) != len(self.outcomes) or min(self.counts) < 0:
            allowed = f"{len(self.outcomes)} from 0 on"
            raise _wrong(self.die, f"counts {_shown(self.counts)}", allowed)

    def _check_outcomes(self, letters: set[str]) -> None:
        found = f"outcomes {_shown(self.outcomes)}"
        if len(self.outcomes) < 2 or not all(self.outcomes):
            raise _wrong(self.die, found, "two or more, none empty")
        if sum(self.weights) > _MOST_FACES:
            raise _wrong(self.die, found, f"at most {_MOST_FACES} faces")
        if not letters <= _TIPS and not letters <= _FACES:
            raise _wrong(self.die, found, "tips of g s - or faces 1-6")

    @property
    def throws(self) -> int:
        """How often the die was thrown."""
        return sum(self.counts)

    @property
    def weights(self) -> tuple[int, ...]:
        """How many faces each outcome has: what a fair die's counts are in proportion to."""
        return tuple(map(len, self.outcomes))

    @property
    def marked(self) -> int:
        """How often a gold or silver tip was up."""
        return sum(n for n, shown in zip(self.counts, self.outcomes, strict=True) if _marked(shown))

    @property
    def fair_share(self) -> float:
        """The share of marks that a fair die has; 0 or 1 for one that always shows alike."""
        return sum(map(len, filter(_marked, self.outcomes))) / sum(self.weights)

    def with_throw(self, outcome: int) -> "Tally":
        """The tally after one more throw, which came up as that outcome (from 0)."""
        counts = list(self.counts)
        counts[outcome] += 1
        return Tally(self.die, self.outcomes, tuple(counts))


def empty(die: int, shows: str) -> Tally:
    """No throw yet of a die that shows those, a letter a face: ``gs--`` or ``123456``."""
    return Tally(die, tuple(shows), (0,) * len(shows))


def of_shown(die: int, shows: str, seen: Mapping[str, int]) -> Tally:
    """A tally of what was seen, such as a journal keeps, where faces that look alike are one.

    Raises:
        UrpiError: when something was seen that the die does not show.

    >>> of_shown(2, "gs--", {"g": 3, "-": 9}).counts
    (3, 0, 9)
    """
    strange = set(seen) - set(shows)
    if strange:
        raise _wrong(die, f"{sorted(strange)} seen", f"what it shows, {shows}")
    alike = dict.fromkeys(shows)
    outcomes = tuple(one * shows.count(one) for one in alike)
    return Tally(die, outcomes, tuple(seen.get(one, 0) for one in alike))


def _marked(outcome: str) -> bool:
    return outcome[0] in MARKS


def _shown(found: object) -> str:
    """What was found, at a length that fits a message."""
    return f"{list(found) if isinstance(found, tuple) else found!r:.80}"


def _wrong(die: int, found: str, allowed: str) -> UrpiError:
    return UrpiError(f"The counts of die {die} have {found}; allowed are {allowed}.")


def tally_values(tally: Tally) -> dict[str, Any]:
    """The keys and values of a tally's line."""
    return {
        "die": tally.die,
        "outcomes": list(tally.outcomes),
        "counts": list(tally.counts),
    }


def tally_line(tally: Tally) -> str:
    """A tally as one JSON object, without the line end."""
    return json.dumps(tally_values(tally), separators=(",", ":"))


def parse_tally(line: str) -> Tally:
    """The tally of a line; keys that it does not know are passed over.

    Raises:
        UrpiError: when it is no JSON object, lacks a key, or has a wrong value.

    >>> parse_tally('{"die":2,"outcomes":["g","s","-","-"],"counts":[1,2,3,4]}').throws
    10
    """
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        message = f"A die's counts are a JSON object; found {line.strip()[:40]!r}."
        raise UrpiError(message)
    die = _whole_numbers([found.get("die")], "die")[0]
    outcomes = found.get("outcomes")
    if not isinstance(outcomes, list) or not all(isinstance(one, str) for one in outcomes):
        raise _wrong(die, f"outcomes {_shown(outcomes)}", 'texts such as "g"')
    return Tally(die, tuple(outcomes), _whole_numbers(found.get("counts"), "counts"))


def _whole_numbers(found: object, key: str) -> tuple[int, ...]:
    if isinstance(found, list) and all(type(one) is int for one in found):
        return tuple(found)
    message = f"{key} in a die's counts is {_shown(found)}; allowed are whole numbers."
    raise UrpiError(message)
