"""Pictures of positions and of whole games, as pixels."""

from typing import TYPE_CHECKING

from urpi.lazy import export

if TYPE_CHECKING:
    from urpi.pictures.animation import write_animation
    from urpi.pictures.card import Card, CardPainter, Labels
else:
    export(
        __name__,
        {
            "animation": ("write_animation",),
            "card": ("Card", "CardPainter", "Labels"),
        },
    )

__all__ = ["Card", "CardPainter", "Labels", "write_animation"]
