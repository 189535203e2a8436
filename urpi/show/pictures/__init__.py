"""Pictures of positions and of whole games, as pixels."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.show.pictures.animation import write_animation
    from urpi.show.pictures.card import Card, CardLabels, CardPainter

export(__name__)
