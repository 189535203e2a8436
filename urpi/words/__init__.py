"""The one place for everything a player reads (gettext)."""

from urpi.words.best_language import best_language
from urpi.words.words import Words, languages, words_for

__all__ = ["Words", "best_language", "languages", "words_for"]
