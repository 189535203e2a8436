"""Dice sets: the faces they can show, the value of each throw and its probability.

A tetrahedron shows its upper tip, ``g`` gold, ``s`` silver or ``-`` blank; a d6 ``1`` to
``6`` (FORMATS.md). A throw is the faces of all dice in order, or only their sum, as in records from
sources that contain no faces.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

from urpi.core.errors import UrpiError

if TYPE_CHECKING:
    from fractions import Fraction

TIP_LETTERS: Final = {"gold": "g", "silver": "s", "blank": "-"}
"""The kinds of tips of a tetrahedron, with the letter of each in a throw's faces."""


@dataclass(frozen=True, slots=True)
class Throw:
    """The faces shown by all dice of a set, and their value.

    Two throws with the same `meaning` allow the same moves.

    Attributes:
        faces: The faces of all dice, or their sum if the faces are unknown.
        value: What they count.
        meaning: What matters for the moves.
        known: Whether the faces are known.
    """

    faces: str
    value: int
    meaning: str
    known: bool = True

    @property
    def shown(self) -> str:
        """The faces, empty if they are unknown."""
        return self.faces if self.known else ""


@dataclass(frozen=True)
class DiceSet:
    """The dice of a rule set.

    Attributes:
        body: ``d4`` or ``d6``.
        count: The number of dice in a throw.
        faces: The faces of one die, each with the number of equally likely sides that show it.
        read: Returns the value and the meaning of a throw's faces.
    """

    name: str
    body: str
    count: int
    faces: Mapping[str, int]
    read: Callable[[str], tuple[int, str]]

    @property
    def binary(self) -> bool:
        """Whether only the number of marks counts, not their colours.

        >>> FOUR_BINARY.binary, TWO_COLOURED.binary, ONE_D6.binary
        (True, False, False)
        """
        return self.body == "d4" and self.read("g" * self.count) == self.read("s" * self.count)

    def throw(self, faces: str) -> Throw:
        """Return the throw with the given faces, or with the given sum if they are unknown.

        Raises:
            UrpiError: If these dice cannot show the faces or the sum, or if the sum does not
                determine the legal moves.

        >>> FOUR_BINARY.throw("2")
        Throw(faces='2', value=2, meaning='2', known=False)
        """
        if len(faces) == self.count and not set(faces) - set(self.faces):
            return Throw(faces, *self.read(faces))
        if faces in self.sums:
            return Throw(faces, int(faces), faces, known=False)
        sums = f", or is its sum: {', '.join(self.sums)}" if self.sums else ""
        message = (
            f"These dice cannot show {faces!r:.40}; a throw consists of {self.count} of the faces "
            f"{' '.join(sorted(self.faces))}{sums}."
        )
        raise UrpiError(message)

    @cached_property
    def sums(self) -> tuple[str, ...]:
        """The sums that determine the legal moves without the faces; none for a d6.

        >>> FOUR_BINARY.sums, TWO_COLOURED.sums, ONE_D6.sums
        (('0', '1', '2', '3', '4'), ('0', '1'), ())
        """
        if self.body == "d6":
            return ()
        meanings = {throw.meaning for throw in self._equally_likely}
        return tuple(sorted(meaning for meaning in meanings if meaning.isdigit()))

    @cached_property
    def each_meaning(self) -> tuple[Throw, ...]:
        """A throw of each meaning: its sum, or faces where a sum does not determine the moves.

        >>> [throw.faces for throw in TWO_COLOURED.each_meaning]
        ['0', '1', 'gg', 'gs', 'ss']
        """
        first = {throw.meaning: throw for throw in reversed(self._equally_likely)}
        texts = (each if each in self.sums else throw.faces for each, throw in first.items())
        return tuple(map(self.throw, sorted(texts)))

    @cached_property
    def outcomes(self) -> "tuple[tuple[Throw, Fraction], ...]":
        """One throw of each meaning with its exact probability; the probabilities add up to 1.

        Sorted by value, and by meaning where values are equal.

        >>> [(throw.value, str(chance)) for throw, chance in FOUR_BINARY.outcomes]
        [(0, '1/16'), (1, '1/4'), (2, '3/8'), (3, '1/4'), (4, '1/16')]
        """
        # Few commands need probabilities, and Fraction imports decimal.
        from fractions import Fraction  # noqa: PLC0415

        ways: dict[str, int] = {}
        example: dict[str, Throw] = {}
        for faces in product(self.faces, repeat=self.count):
            throw = self.throw("".join(faces))
            sides = prod(self.faces[face] for face in faces)
            ways[throw.meaning] = ways.get(throw.meaning, 0) + sides
            example.setdefault(throw.meaning, throw)
        ordered = sorted(example.values(), key=lambda throw: (throw.value, throw.meaning))
        total = sum(ways.values())
        return tuple((throw, Fraction(ways[throw.meaning], total)) for throw in ordered)

    @cached_property
    def _equally_likely(self) -> tuple[Throw, ...]:
        sides = [face for face, number in self.faces.items() for _ in range(number)]
        return tuple(self.throw("".join(faces)) for faces in product(sides, repeat=self.count))

    def roll(self, chance: float) -> Throw:
        """Return a random throw.

        Args:
            chance: A uniformly distributed random number, 0 <= chance < 1.

        >>> FOUR_BINARY.roll(0.0).faces
        'gggg'
        """
        throws = self._equally_likely
        return throws[int(chance * len(throws))]


_TETRAHEDRON: Final = {"g": 1, "s": 1, "-": 2}


def _marks(faces: str) -> int:
    return len(faces) - faces.count("-")


def _count(faces: str) -> tuple[int, str]:
    marks = _marks(faces)
    return marks, str(marks)


def _count_none_as_four(faces: str) -> tuple[int, str]:
    marks = _marks(faces) or 4
    return marks, str(marks)


def _six_is_nothing(faces: str) -> tuple[int, str]:
    value = int(faces) % 6
    return value, str(value)


def _colours(faces: str) -> tuple[int, str]:
    coloured = "".join(sorted(faces.replace("-", "")))
    return len(coloured), coloured if len(coloured) == 2 else str(len(coloured))


FOUR_BINARY: Final = DiceSet("four-binary", "d4", 4, _TETRAHEDRON, _count)
THREE_BINARY: Final = DiceSet("three-binary", "d4", 3, _TETRAHEDRON, _count)
THREE_BINARY_FOUR: Final = DiceSet("three-binary-four", "d4", 3, _TETRAHEDRON, _count_none_as_four)
ONE_D6: Final = DiceSet("d6", "d6", 1, dict.fromkeys("123456", 1), _six_is_nothing)
TWO_COLOURED: Final = DiceSet("two-coloured", "d4", 2, _TETRAHEDRON, _colours)
"""The dice of RULES.md 0."""
