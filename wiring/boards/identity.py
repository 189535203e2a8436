"""The identifiers by which KiCad connects schematic and board, always the same for a name."""

from typing import Final
from uuid import UUID, uuid5

_SPACE: Final = UUID("6f4f0c86-61f4-5c7c-9d53-3f0f5d2b6a11")


def unique(*names: str) -> str:
    """Return the identifier of the thing that `names` lead to."""
    return str(uuid5(_SPACE, "/".join(names)))
