"""What throws there are, how likely each is, and what it counts."""

from fractions import Fraction
from math import comb

from .texts import parse_rules

BINARY_DICE = {
    "finkel": 4,
    "finkel3": 3,
    "murray": 3,
    "bell": 3,
    "coursework": 3,
    "skiryuk": 3,
    "masters": 3,
    "blitz": 4,
}


def none_counts(name: str, options: dict[str, str]) -> int:
    """What a binary throw without a mark counts: 0 or 4."""
    if name in {"bell", "skiryuk", "masters"}:
        return 4
    if name == "coursework":
        return int(options["zero"])
    return 0


def value(name: str, options: dict[str, str], faces: str) -> int:
    """What a throw counts in steps; the coloured tips in `freecompany`, a d6's 6 is 0."""
    if name == "ravensburger":
        if faces not in list("123456"):
            raise ValueError(f"not one d6: {faces!r}")
        return 0 if faces == "6" else int(faces)
    dice = 2 if name == "freecompany" else BINARY_DICE[name]
    if len(faces) != dice or any(face not in "gs-" for face in faces):
        raise ValueError(f"not {dice} tetrahedra: {faces!r}")
    marks = dice - faces.count("-")
    if marks == 0 and name != "freecompany":
        return none_counts(name, options)
    return marks


def throws(rules: str) -> list[tuple[str, Fraction]]:
    """One throw for each different meaning, with the probability of that meaning.

    A binary throw of v marks shows them first, as silver; they are sorted by what they count.
    """
    name, options = parse_rules(rules)
    if name == "ravensburger":
        return [(face, Fraction(1, 6)) for face in "123456"]
    if name == "freecompany":
        return [
            ("--", Fraction(1, 4)),
            ("g-", Fraction(1, 2)),
            ("gs", Fraction(1, 8)),
            ("ss", Fraction(1, 16)),
            ("gg", Fraction(1, 16)),
        ]
    dice = BINARY_DICE[name]
    found = [
        ("s" * marks + "-" * (dice - marks), Fraction(comb(dice, marks), 2**dice))
        for marks in range(dice + 1)
    ]
    return sorted(found, key=lambda throw: value(name, options, throw[0]))
