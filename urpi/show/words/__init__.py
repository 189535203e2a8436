"""All texts for players, and their translations by gettext."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.show.words.best_language import best_language
    from urpi.show.words.words import (
        Words,
        check_display_language,
        display_languages,
        languages,
        page_messages,
        words_for,
    )

export(__name__)
