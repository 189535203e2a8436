"""Every message is translated in every catalogue, and the files are up to date."""

import gettext
import io
import re
from collections import Counter
from functools import cache
from string import Formatter

import pytest

from tests.each import each
from tests.rules.compare import every_rule_set
from tests.show.words.marked import looked_up, messages
from tests.show.words.recorded import recorded_words
from tools.catalogues.__main__ import LOCALE, ROOT
from tools.catalogues.catalogue import CatalogueFile, catalogue_at, files_for, template
from tools.catalogues.compiled import strings_of
from tools.catalogues.found import Use
from tools.catalogues.messages import messages_in, messages_of
from tools.catalogues.translations import read_translations
from urpi.rules import RULE_SETS
from urpi.show.words import languages, words_for
from urpi.show.words.rules_text import rules_page
from urpi.show.words.sentences import CONTEXT_END, NC_

TRANSLATED = ("ar", "de", "es", "fr", "hu", "pt", "ru", "sl")
HOW_TO = "; run `make words`, translate what it names in the .po files, run it again, commit all"


def path_of(language):
    return LOCALE / language / "LC_MESSAGES" / "urpi.po"


def fields(text):
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name)


def pairs(language):
    """Yield each translated message with each translation; of a plural, the plural wordings."""
    for message in catalogue_at(path_of(language)).catalogue:
        if not strings_of(message):
            continue
        if isinstance(message.id, str) and message.id:
            yield message.id, message.string
        elif message.id:
            yield from ((message.id[1], string) for string in message.string)


def test_available_languages():
    assert languages() == ("en", *TRANSLATED)


def test_every_file_is_up_to_date():
    stale = [
        str(path.relative_to(ROOT))
        for path, content in files_for(LOCALE, messages()).items()
        if not path.exists() or path.read_bytes() != content
    ]
    assert stale == [], f"Out of date: {', '.join(stale)}{HOW_TO}"


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_message_is_translated(language):
    missing = catalogue_at(path_of(language)).updated(messages()).missing
    assert missing == (), f"Not in {language}: {list(missing)}{HOW_TO}"


@pytest.mark.parametrize("language", TRANSLATED)
def test_translation_has_the_same_placeholders(language):
    spelled = {
        text
        for message in catalogue_at(path_of(language)).catalogue
        if not isinstance(message.id, str) and "{number}" in message.id[1]
        for index, text in enumerate(message.string)
        if index in wordings_of_one_number(language) and "{number}" not in text
    }
    differ = [
        (message, text)
        for message, text in pairs(language)
        if fields(message) != sorted([*fields(text), *["number"] * (text in spelled)])
    ]
    assert differ == []


@cache
def wordings_of_one_number(language):
    """Return the indices of wordings that spell their number: Arabic *two moves* is one word."""
    index = gettext.c2py(catalogue_at(path_of(language)).catalogue.plural_expr)
    uses = Counter(map(index, range(1000)))
    return {wording for wording, count in uses.items() if count == 1}


@each("language", TRANSLATED)
@each("end", [".", "?", ":"])
def test_translation_ends_with_the_same_punctuation(language, end):
    """Sentences and labels are combined with others, so their punctuation must be kept."""
    ends = [
        (message, text)
        for message, text in pairs(language)
        if message.endswith(end) != text.replace("؟", "?").endswith(end)
    ]
    assert [pair for pair in ends if pair[0] not in OTHER_ENDINGS] == []


OTHER_ENDINGS = {"{year}-{month}-{day}"}
"""A Hungarian date ends with a full stop."""


@pytest.mark.parametrize("language", TRANSLATED)
def test_translation_has_no_stray_spaces(language):
    stray = [
        string
        for message, string in pairs(language)
        if string != string.strip() or ("  " in string and "  " not in message)
    ]
    assert stray == []


def test_no_message_is_both_singular_and_plural():
    plurals = {message[0] for message in messages() if isinstance(message, tuple)}
    assert plurals & set(messages()) == set()


@pytest.mark.parametrize(
    ("language", "wordings"),
    [
        ("en", {0: "moves", 1: "move", 2: "moves", 21: "moves"}),
        ("fr", {0: "coup", 1: "coup", 2: "coups", 21: "coups"}),
        ("pt", {0: "jogadas", 1: "jogada", 2: "jogadas", 21: "jogadas"}),
        ("hu", {0: "lépés", 1: "lépés", 2: "lépés"}),
        ("ru", {0: "ходов", 1: "ход", 2: "хода", 4: "хода", 5: "ходов", 11: "ходов", 21: "ход"}),
        ("ru", {12: "ходов", 22: "хода", 25: "ходов", 111: "ходов", 101: "ход"}),
        ("sl", {0: "potez", 1: "poteza", 2: "potezi", 3: "poteze", 4: "poteze", 5: "potez"}),
        ("ar", {0: "نقلة", 3: "نقلات", 10: "نقلات", 11: "نقلة", 100: "نقلة", 103: "نقلات"}),
        ("sl", {11: "potez", 101: "poteza", 102: "potezi", 103: "poteze", 21: "potez"}),
    ],
)
def test_plural_of_a_count(language, wordings):
    words = words_for(language)
    texts = {n: words.count("{number} move", "{number} moves", n) for n in wordings}
    plain = {number: re.sub("[\u2068\u2069]", "", text) for number, text in texts.items()}
    assert plain == {number: f"{number} {wording}" for number, wording in wordings.items()}


def test_one_and_two_have_words_of_their_own_in_arabic():
    words = words_for("ar")
    texts = [words.count("{number} move", "{number} moves", number) for number in (1, 2, 102)]
    assert texts == ["نقلة واحدة", "نقلتان", "\u2068102\u2069 نقلة"]


@pytest.mark.parametrize(
    ("language", "dice", "sentence"),
    [
        ("ru", "2", "Кость 2 стоит косо. Бросьте снова."),
        ("ru", "2, 3", "Стоят косо: 2, 3. Бросьте снова."),
        ("sl", "2, 3", "Kocki 2, 3 sta naslonjeni. Vrzi ju."),
        ("sl", "1, 2, 3", "Kocke 1, 2, 3 so naslonjene. Vrzi jih."),
        ("fr", "2", "Dé 2 de travers. Relancez-le."),
    ],
)
def test_plural_of_a_list_of_dice(language, dice, sentence):
    assert words_for(language).sentence("cocked", {"dice": dice}) == sentence


@pytest.mark.parametrize("name", RULE_SETS)
def test_rules_page_uses_only_marked_messages(name):
    words, recorder = recorded_words("hu")
    for rules in every_rule_set(name):
        rules_page(rules, words=words)
    assert recorder.requested - looked_up() == set()
    assert "\nCél\n" in rules_page(rules, words=words)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('N_("Aim")', ("Aim",)),
        ('NC_("label", "home")', ("label\4home",)),
        ('words.text(NC_("label", "home"))', ("label\4home",)),
        ('N_("Throw, "\n   "then move.")', ("Throw, then move.",)),
        ('self._words.text("hand")', ("hand",)),
        ('words.text(N_("hand"))', ("hand",)),
        ("f\"{wording.text(N_('(Shown.)'))}\"", ("(Shown.)",)),
        ('several("dice", "Die {dice}.", "Dice {dice}.")', (("Die {dice}.", "Dice {dice}."),)),
        ('words.count("{number} die", "{number} dice", n)', (("{number} die", "{number} dice"),)),
        ('Option("pieces", ("7", "5"), "pieces a side")', ("pieces a side",)),
        ('tree.text("/etc/group"); path.count("a", "b"); words.text(TITLE)', ()),
    ],
)
def test_only_marked_messages_are_found(source, found):
    assert messages_in(source).messages == found


@pytest.mark.parametrize(
    ("source", "comments"),
    [
        ('# Translators: A button.\nA = N_("Aim")', {"Aim": ("A button.",)}),
        ('# Translators: One,\n# two.\nA = N_("Aim")', {"Aim": ("One, two.",)}),
        (
            '# Translators: X.\nA = {\n # Translators: Y.\n "a": N_("Aim"),\n "b": N_("B"),\n}',
            {"Aim": ("X.", "Y."), "B": ("X.",)},
        ),
        (
            '# Translators: All.\ndef f(words):\n    return words.text("Aim")\n\nB = N_("B")',
            {"Aim": ("All.",)},
        ),
        ('# A comment.\nA = N_("Aim")', {}),
        ('# Translators: Far away.\n\nA = N_("Aim")', {}),
    ],
)  # fmt: skip
def test_comment_for_translators_belongs_to_the_statement_below(source, comments):
    assert messages_in(source).comments == comments


@pytest.mark.parametrize(
    "source",
    ['N_(f"Die {die}")', "N_(message)", 'NC_("label", message)', 'words.text(f"Die {die}")'],
)
def test_message_composed_at_run_time_is_named(source, tmp_path):
    package = tmp_path / "parts"
    package.mkdir()
    (package / "one.py").write_text(f"\n{source}\n")
    with pytest.raises(SystemExit, match=r"^parts/one\.py:2: .* write the whole text there"):
        messages_of(package)


BOARD, NEW_USE, DICE = Use(["b.py"], []), Use(["c.py"], []), Use(["d.py"], [])


def file_of(entries):
    header = (
        'msgid ""\nmsgstr ""\n"Language: fr\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
        '"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n'
    )
    return CatalogueFile.of("fr", f"# A translator's own line.\n{header}\n{entries}")


TWO_ENTRIES = (
    'msgid "Board"\nmsgstr "Plateau"\n\n'
    'msgid "{n} die"\nmsgid_plural "{n} dice"\nmsgstr[0] "{n} dé"\nmsgstr[1] "{n} dés"\n'
)


def test_updated_catalogue_keeps_its_translations_and_header():
    wanted = {"Board": BOARD, "New": NEW_USE, ("{n} die", "{n} dice"): DICE}
    file = file_of(f'{TWO_ENTRIES}\nmsgid "Gone"\nmsgstr "Parti"\n').updated(wanted)
    assert file.missing == ("New",)
    assert file.text.startswith("# A translator's own line.\n")
    assert "Gone" not in file.text
    assert 'msgstr "Plateau"' in file.text
    assert CatalogueFile.of("fr", file.text).updated(wanted).text == file.text


NEW = """
[Board]
fr = "Planche"
hu = "Tábla"

["{n} die"]
fr = ["{n} dé", "{n} dés"]
"""


def test_new_translations_of_all_languages_are_read_from_one_file(tmp_path):
    (tmp_path / "new.toml").write_text(NEW)
    wanted = {"Board": BOARD, "New": NEW_USE, ("{n} die", "{n} dice"): DICE}
    new = read_translations(tmp_path / "new.toml", wanted, ("fr", "hu"))
    file = file_of('msgid "Board"\nmsgstr "Plateau"\n').updated(wanted, new)
    assert file.missing == ("New",)
    read = gettext.GNUTranslations(io.BytesIO(file.compiled))
    assert read.gettext("Board") == "Planche"
    assert read.ngettext("{n} die", "{n} dice", 2) == "{n} dés"
    assert "#: b.py\n" in file.text


@pytest.mark.parametrize(
    ("toml", "reason"),
    [
        ('[Bord]\nfr = "Plateau"', "the code has no message 'Bord'"),
        ('[Board]\nde = "Brett"', "'Board' as a table with keys among fr, hu"),
        ('Board = "Plateau"', "'Board' as a table with keys among fr, hu"),
        ("[Board", "cannot be read: "),
    ],
)
def test_wrong_file_of_new_translations_is_refused(toml, reason, tmp_path):
    (tmp_path / "new.toml").write_text(toml)
    with pytest.raises(SystemExit, match=f"new.toml.*{reason}"):
        read_translations(tmp_path / "new.toml", ["Board"], ("fr", "hu"))


def test_messages_with_two_meanings_have_two_translations():
    wanted = {"replay\4Play": Use(["r.js"], ["A button."]), "view\4Play": Use(["v.js"], [])}
    entry = 'msgctxt "replay"\nmsgid "Play"\nmsgstr "Lecture"\n'
    file = file_of(entry).updated(wanted, {"view\4Play": {"fr": "Jouer"}})
    assert file.missing == ()
    assert '#. A button.\n#: r.js\nmsgctxt "replay"\nmsgid "Play"\nmsgstr "Lecture"\n' in file.text
    read = gettext.GNUTranslations(io.BytesIO(file.compiled))
    assert (read.pgettext("replay", "Play"), read.pgettext("view", "Play")) == ("Lecture", "Jouer")


@pytest.mark.parametrize("language", languages())
def test_context_is_never_shown(language):
    words = words_for(language)
    shown = [words.text(message) for message in looked_up() | {NC_("nowhere", "Nothing")}]
    assert [text for text in shown if CONTEXT_END in text] == []
    assert words.text(NC_("nowhere", "Nothing")) == "Nothing"


@pytest.mark.parametrize("language", languages())
def test_wordings_of_a_plural_are_those_of_each_number(language):
    words = words_for(language)
    forms, texts = words.plural("{number} move", "{number} moves")
    for number in range(2500):
        text = texts[int(forms[number if number < 200 else 100 + number % 100])]
        assert text.format(number=number) == words.count("{number} move", "{number} moves", number)


def test_fuzzy_translation_is_missing_and_not_compiled():
    file = file_of('#, fuzzy\nmsgid "Board"\nmsgstr "Planche"\n')
    assert file.missing == ("Board",)
    assert gettext.GNUTranslations(io.BytesIO(file.compiled)).gettext("Board") == "Board"


def test_compiled_catalogue_is_read_by_gettext():
    compiled = file_of(TWO_ENTRIES).compiled
    read = gettext.GNUTranslations(io.BytesIO(compiled))
    assert read.gettext("Board") == "Plateau"
    assert [read.ngettext("{n} die", "{n} dice", n) for n in (0, 1, 2)] == [
        "{n} dé",
        "{n} dé",
        "{n} dés",
    ]
    assert compiled == file_of(TWO_ENTRIES).compiled


def test_template_has_the_messages_and_no_date():
    text = template(messages())
    assert not re.search(r"\b20\d\d-\d\d-\d\d\b", text)
    assert 'msgid "Throw first, then move."' in text
