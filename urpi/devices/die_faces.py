"""What a die's numbered face shows, such as a gold tip of a tetrahedron."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from urpi.errors import UrpiError


def _none() -> Mapping[int, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class DieFaces:
    """The tips of the tetrahedral dice: four letters in the faces' order, of ``g``, ``s``, ``-``.

    `tips` holds for every tetrahedron except those in `own`, which has the tips by die number.

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
