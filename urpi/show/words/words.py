"""The texts of one language: sentences, labels, plurals, dates and numbers.

Translations are gettext catalogues, ``locale/LANGUAGE/LC_MESSAGES/urpi.mo`` next to this module;
English needs none.
"""

import datetime as dt
import gettext
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

from urpi.core.errors import UrpiError
from urpi.rules import Side
from urpi.show.words.sentences import CONTEXT_END, N_, TABLES, Several

ENGLISH: Final = "en"
DOMAIN: Final = "urpi"
RIGHT_TO_LEFT: Final = frozenset({"ar"})
"""The languages that are written from right to left."""

Details: TypeAlias = Mapping[str, str | int]
NO_DETAILS: Final[Details] = MappingProxyType({})
# Translators: One and a half, with the decimal sign of the language between the digits.
ONE_AND_A_HALF: Final = N_("1.5")
"""One and a half as written in the language: the decimal sign is between its digits."""
# Translators: A percentage, with the space that the language writes before the sign (a no-break
# one).
PERCENT: Final = N_("{number}%")
# Translators: A date in figures, in the order and with the signs of the language.
DATE: Final = N_("{year}-{month}-{day}")
MOMENT: Final = N_("{date} {time}")

# Translators: The two players: with a capital where a name would be.
SIDES: Final = {Side.LIGHT: N_("Light"), Side.DARK: N_("Dark")}
# Translators: What a die shows: the colour of the tip that points up, of which a blank one has no
# mark.
TIPS: Final = {"g": N_("gold"), "s": N_("silver"), "-": N_("blank")}
"""The names of a tetrahedron's tips, by the letters of `urpi.rules.dice`."""
# Translators: A part that does not work, at the beginning of a sentence.
DEVICES: Final = {"die": N_("Die {number}"), "hub": N_("The dice hub"), "oled": N_("The display")}
# Translators: The name of a rule set: at most 21 letters. Names of persons and products stay.
RULES: Final = {
    "finkel": N_("Finkel, four dice"),
    "finkel3": N_("Finkel, three dice"),
    "murray": N_("Murray"),
    "bell": N_("Bell"),
    "coursework": N_("Jogo Real UR"),
    "skiryuk": N_("Skiryuk"),
    "ravensburger": N_("Ravensburger"),
    "freecompany": N_("UR: Royal Game"),
    "masters": N_("Masters"),
    "blitz": N_("Blitz"),
}


_ARABIC_MARKS: Final = str.maketrans(",;", "\N{ARABIC COMMA}\N{ARABIC SEMICOLON}")
# A field, with the sign of its number and the unit after it.
_FIELD: Final = re.compile(r"[+\u2212±]?\{[^{}]+\}[%°]?")


class _RightToLeft(gettext.GNUTranslations):
    """Translations in which everything filled in keeps its direction: moves, names, numbers.

    The characters around a field are those of Unicode's bidirectional algorithm (UAX 9) for a
    first strong isolate.
    """

    def gettext(self, message: str) -> str:
        return _isolated(super().gettext(message))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return _isolated(super().ngettext(msgid1, msgid2, n))


def _isolated(text: str) -> str:
    return _FIELD.sub("\u2068\\g<0>\u2069", text)


class _TwoDigits(int):
    """A number with at least two digits, unless a text asks for another format."""

    def __format__(self, spec: str) -> str:
        return int.__format__(self, spec or "02")


class Plural(NamedTuple):
    """The wordings of a plural."""

    forms: str
    """For each number below 200 the index of its wording, as a digit."""
    texts: tuple[str, ...]


@dataclass(frozen=True)
class Words:
    """All texts for players in one language."""

    language: str
    _catalogue: gettext.NullTranslations = field(repr=False, compare=False)

    @property
    def direction(self) -> Literal["ltr", "rtl"]:
        """The direction of the writing, as in HTML."""
        return "rtl" if self.language in RIGHT_TO_LEFT else "ltr"

    def text(self, message: str) -> str:
        """Return a label's translation."""
        # Without a translation gettext returns the message, with its context.
        return self._catalogue.gettext(message).rpartition(CONTEXT_END)[2]

    def count(self, one: str, many: str, number: int, **texts: str) -> str:
        """Return the wording for a number of things, with ``{number}`` and the texts filled in."""
        return self._catalogue.ngettext(one, many, number).format(number=number, **texts)

    def joined(self, parts: Iterable[str], mark: str = ", ") -> str:
        """Join parts of a sentence; Arabic has a comma and a semicolon of its own."""
        return (mark.translate(_ARABIC_MARKS) if self.direction == "rtl" else mark).join(parts)

    def plural(self, one: str, many: str) -> Plural:
        """Return all wordings for a number of things, for a program that fills them in."""
        # Every language repeats its wordings after a hundred, from 100 on.
        each = [self._catalogue.ngettext(one, many, number) for number in range(200)]
        texts = tuple(dict.fromkeys(each))
        return Plural("".join(str(texts.index(text)) for text in each), texts)

    def number(self, value: float, decimals: int) -> str:
        """Format a number with a number of decimals and the language's decimal sign.

        >>> words_for("en").number(2.25, 1), words_for("fr").number(2.25, 2)
        ('2.2', '2,25')
        """
        return f"{value:.{decimals}f}".replace(".", self.decimal_sign)

    def percent(self, value: float, decimals: int = 0) -> str:
        r"""Format a number of hundredths with the language's space before the sign.

        >>> words_for("en").percent(8), words_for("fr").percent(2.25, 1)
        ('8%', '2,2\xa0%')
        """
        return self.with_percent_sign(self.number(value, decimals))

    def with_percent_sign(self, number: str) -> str:
        """Return a number that is a text, such as ``+2`` or a range, as a percentage."""
        return self.text(PERCENT).format(number=number)

    @property
    def decimal_sign(self) -> str:
        """The sign between a number's whole part and its decimals."""
        return self.text(ONE_AND_A_HALF)[1:-1]

    def date(self, day: dt.date) -> str:
        """Format a date in figures in the language's order; ``{day:d}`` has no leading zero.

        >>> from datetime import date
        >>> words_for("en").date(date(2026, 3, 9)), words_for("sl").date(date(2026, 3, 9))
        ('2026-03-09', '9. 3. 2026')
        """
        return self.text(DATE).format(
            year=f"{day.year:04}", month=_TwoDigits(day.month), day=_TwoDigits(day.day)
        )

    def moment(self, moment: dt.datetime, *, seconds: bool = False) -> str:
        """Format a date and its time of 24 hours, with `seconds` also these and the UTC offset.

        >>> from datetime import UTC, datetime
        >>> words_for("pt").moment(datetime(2026, 3, 9, 18, 5, tzinfo=UTC))
        '09/03/2026 18:05'
        """
        time = f"{moment:%H:%M:%S %z}".rstrip() if seconds else f"{moment:%H:%M}"
        return self.text(MOMENT).format(date=self.date(moment), time=time)

    def side(self, side: Side) -> str:
        """Return a side's name."""
        return self.text(SIDES[side])

    def rules(self, rules: str) -> str:
        """Return the name of a rule set by its id, or an unknown id unchanged."""
        return self.text(RULES.get(rules, rules))

    def face(self, face: str) -> str:
        """Return the name of a tip of a tetrahedron, or another face of a die unchanged."""
        return self.text(TIPS[face]) if face in TIPS else face

    def device(self, device: str) -> str:
        """Return the name of a fault's device: a square by its name, a die with its number."""
        kind, _, number = device.partition(" ")
        return self.text(DEVICES[kind]).format(number=number) if kind in DEVICES else device

    def sentence(self, code: str, details: Details = NO_DETAILS) -> str:
        """Return the text of a decision's code: one or two short sentences.

        Args:
            code: The code. An unknown code is returned with spaces in place of hyphens.
            details: The values for the sentence, as in `urpi.show.words.sentences`. A wording is
                chosen that does not need the missing or empty ones. `side` is ``light`` or
                ``dark``; a `name` replaces it in the sentence.

        >>> words = words_for("en")
        >>> words.sentence("wrong-distance", {"threw": 2, "went": 3, "origin": "A4"})
        'You threw 2, but moved it 3. Put it back on A4.'
        """
        why, correction = self._parts(code, details)
        return f"{why} {correction}" if correction else why

    def reason(self, code: str, details: Details = NO_DETAILS) -> str:
        """Return the text as `sentence` does, but without the part on how to correct the mistake.

        >>> words_for("en").reason("wrong-distance", {"threw": 2, "went": 3, "origin": "A4"})
        'You threw 2, but moved it 3.'
        """
        return self._parts(code, details)[0]

    def _parts(self, code: str, details: Details) -> tuple[str, str]:
        known = self._known(details)
        for sentence in (table[code] for table in TABLES if code in table):
            why = self._wording(sentence.why, known)
            if why:
                return why, self._wording(sentence.correction, known)
        return code.replace("-", " "), ""

    def _known(self, details: Details) -> Details:
        known = dict(details)
        if details.get("origin") == "":
            known["entered"] = details.get("target", "")
        if details.get("side"):
            known["side"] = details.get("name") or self.side(Side(details["side"]))
        if details.get("device"):
            device = str(details["device"])
            known["device"] = self.device(device)
            known["die"] = device.removeprefix("die ") if device.startswith("die ") else ""
        return {word: value for word, value in known.items() if value != ""}

    def _wording(self, wordings: Iterable[str | Several], known: Details) -> str:
        for wording in wordings:
            if _needs(wording) <= known.keys():
                return self._pick(wording, known).format_map(known)
        return ""

    def _pick(self, wording: str | Several, known: Details) -> str:
        if isinstance(wording, str):
            return self.text(wording)
        number = str(known[wording.word]).count(",") + 1
        return self._catalogue.ngettext(wording.one, wording.many, number)


@cache
def _needs(wording: str | Several) -> frozenset[str]:
    template = wording if isinstance(wording, str) else wording.one
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)


def _locale() -> Path:
    return Path(__file__).with_name("locale")


@cache
def languages() -> tuple[str, ...]:
    """Return the available languages, English first."""
    catalogues = _locale().glob(f"*/LC_MESSAGES/{DOMAIN}.mo")
    return (ENGLISH, *sorted(path.parents[1].name for path in catalogues))


@cache
def display_languages() -> tuple[str, ...]:
    """Return those that a table can have, English first: its display must have the letters.

    The letters of a panel stand alone, from left to right; those of the other languages join.
    """
    return tuple(one for one in languages() if one not in RIGHT_TO_LEFT)


@cache
def page_messages() -> tuple[str | tuple[str, str], ...]:
    """Return the English texts that the page looks up in the browser; `make words` lists them.

    Of a plural these are the singular and the plural; a context is before a `CONTEXT_END`.
    """
    listed = json.loads((_locale() / "page.json").read_text(encoding="utf-8"))
    return tuple(one if isinstance(one, str) else tuple(one) for one in listed)


def check_display_language(language: str) -> None:
    """Check that a table can have a language.

    Raises:
        UrpiError: If there is none, or its display cannot show it.
    """
    if words_for(language).language in RIGHT_TO_LEFT:
        message = (
            f"The display cannot show the language {language!r}; choose one of "
            f"{', '.join(display_languages())} for the table. Each browser chooses its own on the "
            "page, under View."
        )
        raise UrpiError(message)


@cache
def words_for(language: str) -> Words:
    """Return the words of a language, such as ``en`` or ``pt``.

    Raises:
        UrpiError: If there is no catalogue for it.
    """
    if language == ENGLISH:
        return Words(language, gettext.NullTranslations())
    if language not in languages():
        message = (
            f"There is no translation for the language {language!r:.60}; choose one of "
            f"{', '.join(languages())}."
        )
        raise UrpiError(message)
    kind = _RightToLeft if language in RIGHT_TO_LEFT else gettext.GNUTranslations
    return Words(language, gettext.translation(DOMAIN, _locale(), [language], kind))
