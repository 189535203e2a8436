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

export(__name__)
