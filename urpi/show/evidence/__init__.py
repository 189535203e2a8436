"""Disputes: reports of everything that the board detected during a part of a game."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.show.evidence.as_json import dispute_json
    from urpi.show.evidence.as_text import dispute_text
    from urpi.show.evidence.dispute import LAST_MINUTE_MS, Dispute, dispute_minute, dispute_turn
    from urpi.show.evidence.page import dispute_page
    from urpi.show.evidence.story_builder import story_of
    from urpi.show.evidence.wording import Wording
else:
    export(
        __name__,
        {
            "as_json": ("dispute_json",),
            "as_text": ("dispute_text",),
            "dispute": ("LAST_MINUTE_MS", "Dispute", "dispute_minute", "dispute_turn"),
            "page": ("dispute_page",),
            "story_builder": ("story_of",),
            "wording": ("Wording",),
        },
    )

__all__ = [
    "LAST_MINUTE_MS",
    "Dispute",
    "Wording",
    "dispute_json",
    "dispute_minute",
    "dispute_page",
    "dispute_text",
    "dispute_turn",
    "story_of",
]
