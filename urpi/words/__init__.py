"""The one place for everything a player reads (gettext)."""

from urpi.words.words import Words, languages, words_for

__all__ = ["Words", "languages", "words_for"]
