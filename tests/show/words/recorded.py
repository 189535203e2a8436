"""Words of a language that record the messages which are looked up."""

import gettext

from urpi.show.words import Words, words_for


class Recorder(gettext.NullTranslations):
    """A catalogue that records every message and forwards it to another catalogue."""

    def __init__(self, catalogue: gettext.NullTranslations) -> None:
        super().__init__()
        self._catalogue = catalogue
        self.requested: set[str] = set()
        """The messages looked up, of a plural the singular wording."""

    def gettext(self, message: str) -> str:
        self.requested.add(message)
        return self._catalogue.gettext(message)

    def ngettext(self, one: str, many: str, number: int) -> str:
        self.requested.add(one)
        return self._catalogue.ngettext(one, many, number)


def recorded_words(language: str) -> tuple[Words, Recorder]:
    """Return the words of a language, and the recorder of the messages that are looked up."""
    recorder = Recorder(words_for(language)._catalogue)
    return Words(language, recorder), recorder
