"""The words of a language as they stand in its .po file, which need not be compiled."""

import gettext
from io import BytesIO
from pathlib import Path

from tools.catalogues.__main__ import LOCALE
from tools.catalogues.catalogue import DOMAIN, catalogue_at
from urpi.show.words import Words, words_for
from urpi.show.words.words import ENGLISH


def po_file(language: str, locale: Path = LOCALE) -> Path:
    """Return the path of a language's catalogue."""
    return locale / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def words_of_po(language: str, locale: Path = LOCALE) -> Words:
    """Return the words of a language from its .po file; fuzzy texts stay English.

    Raises:
        OSError: If there is no such file.
        PoFileError: If it is not one; translators save unfinished files.
    """
    if language == ENGLISH:
        return words_for(ENGLISH)
    compiled = catalogue_at(po_file(language, locale)).compiled
    return Words(language, gettext.GNUTranslations(BytesIO(compiled)))
