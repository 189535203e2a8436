"""What a die's numbered face shows: which tip of a tetrahedron is gold, silver or blank."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from urpi.errors import UrpiError


def _none() -> Mapping[int, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class DieFaces:
    """The four tips of every tetrahedron in order, ``g s -``; `own` are those that differ.

    >>> DieFaces().shown(2, 4, 1), DieFaces(own={2: "--gs"}).shown(2, 4, 1)
    ('g', '-')
    >>> DieFaces().shown(1, 6, 5)
    '5'

    Raises:
        UrpiError: when tips are not four of ``g s -``.
    """

    tips: str = "gs--"
    own: Mapping[int, str] = field(default_factory=_none)

    def __post_init__(self) -> None:
        for tips in (self.tips, *self.own.values()):
            if len(tips) != 4 or set(tips) - set("gs-"):
                message = f"A tetrahedron's tips are four of g, s and -; found {tips!r}."
                raise UrpiError(message)

    def shown(self, die: int, kind: int, face: int) -> str:
        """What face number `face` (from 1) of a die of `kind` (4 or 6) faces shows."""
        return str(face) if kind == 6 else self.own.get(die, self.tips)[face - 1]
