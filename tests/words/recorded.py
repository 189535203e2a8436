"""Recorded words: a language's words that note which messages they were asked for."""

import gettext

from urpi.words import Words, words_for


class Recorder(gettext.NullTranslations):
    """Hands every message on to a catalogue, and notes it."""

    def __init__(self, catalogue: gettext.NullTranslations) -> None:
        super().__init__()
        self._catalogue = catalogue
        self.asked: set[str] = set()
        """Of a plural, its wording for one."""

    def gettext(self, message: str) -> str:
        self.asked.add(message)
        return self._catalogue.gettext(message)

    def ngettext(self, one: str, many: str, number: int) -> str:
        self.asked.add(one)
        return self._catalogue.ngettext(one, many, number)


def recorded_words(language: str) -> tuple[Words, Recorder]:
    """The language's words, and what notes the messages that they are asked for."""
    recorder = Recorder(words_for(language)._catalogue)
    return Words(language, recorder), recorder
