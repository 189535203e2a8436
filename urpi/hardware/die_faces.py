"""What a die's numbered face shows, such as a gold tip of a tetrahedron."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias

from urpi.core.errors import UrpiError
from urpi.rules import DiceSet


def _none() -> Mapping[int, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class DieFaces:
    """The tips of the tetrahedral dice: four letters in the faces' order, of ``g``, ``s``, ``-``.

    `tips` holds for every tetrahedron except those in `own`, which has the tips by die number. With
    the default, a calibration begins with the gold tip up.

    >>> DieFaces().shown(2, 4, 1), DieFaces(own={2: "--gs"}).shown(2, 4, 1)
    ('g', '-')
    >>> DieFaces().shown(1, 6, 5)
    '5'

    Raises:
        UrpiError: If tips are not four of ``g``, ``s`` and ``-``.
    """

    tips: str = "gs--"
    own: Mapping[int, str] = field(default_factory=_none)

    def __post_init__(self) -> None:
        for tips in (self.tips, *self.own.values()):
            if len(tips) != 4 or set(tips) - set("gs-"):
                message = f"A tetrahedron's tips must be four of g, s and -; found {tips!r}."
                raise UrpiError(message)

    def shown(self, die: int, kind: int, face: int) -> str:
        """Return what a face shows: ``g``, ``s``, ``-``, or ``1`` to ``6``.

        Args:
            die: The die's number.
            kind: The die's number of faces, 4 or 6.
            face: The face's number, from 1.
        """
        return str(face) if kind == 6 else self.own.get(die, self.tips)[face - 1]


def parity_tip(value: int) -> str:
    """Return the tip for which a die with numbers counts in rules for tetrahedral dice.

    An odd number is a mark and an even one is blank, each for half of the faces.

    >>> parity_tip(5), parity_tip(6), parity_tip(0)
    ('g', '-', '-')
    """
    return "g" if value % 2 else "-"


Use: TypeAlias = Literal["itself", "parity", "none"]
"""How a die is used: by what it shows, by parity, or not at all."""


def use_of(faces: int, dice: DiceSet) -> Use:
    """Return how a die with a number of faces is used in the rules that have these dice.

    >>> from urpi.rules import rule_set
    >>> [use_of(faces, rule_set("finkel").dice) for faces in (4, 6, 20)]
    ['itself', 'parity', 'parity']
    >>> [use_of(faces, rule_set("ravensburger").dice) for faces in (4, 6, 20)]
    ['none', 'itself', 'none']
    """
    if f"d{faces}" == dice.body:
        return "itself"
    return "parity" if dice.binary else "none"
