"""Every message and translation uses the words that `glossary.toml` decides for a thing."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.each import each
from tests.show.words.marked import english_texts, messages
from tools.catalogues.__main__ import LOCALE
from tools.catalogues.catalogue import DOMAIN, catalogue_at
from tools.catalogues.compiled import strings_of
from urpi.show.words import languages

GLOSSARY = tomllib.loads(Path(__file__).with_name("glossary.toml").read_text("utf-8"))


def variants(term, language):
    """Return the patterns that a language must not use for a term."""
    return GLOSSARY[term].get(language, [])


def texts(language):
    """Yield every English message, or every translation into a language."""
    if language == "en":
        for message in messages():
            yield from english_texts(message)
        return
    for message in catalogue_at(LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.po").catalogue:
        if message.id:
            yield from strings_of(message)


@pytest.mark.parametrize("language", languages())
def test_no_text_uses_another_word_for_a_term(language):
    found = [
        f"{text!r}: {match[0]!r}; write {GLOSSARY[term]['use']!r}"
        for text in texts(language)
        for term in GLOSSARY
        for match in (re.search(pattern, text) for pattern in variants(term, language))
        if match
    ]
    assert found == []


def test_every_term_says_what_to_use_and_names_languages():
    for term, entry in GLOSSARY.items():
        assert entry["use"], term
        assert entry.keys() - {"use"} <= set(languages()), term


@each(
    ("term", "language", "text"),
    [
        ("opponent", "en", "The enemy holds it."),
        ("opponent", "fr", "Un pion ennemi."),
        ("opponent", "ar", "قطعة العدو هناك."),
        ("die", "ar", "الزهر مائل."),
        ("address of the players", "ar", "اضغط الزر."),
        ("captures and prisoners", "ar", "القطعة المضروبة"),
        ("saved", "ru", "Ничего не хранится"),
        ("throw again", "en", "Put back, or throw on."),
        ("chance", "en", "chances to win"),
        ("pile", "en", "Two towers"),
        ("a name without a preposition", "fr", "Jouez le coup de {name}."),
        ("address of the players", "fr", "Lance tes dés."),
        ("calibrate", "fr", "Les faces apprises le restent."),
        ("fair", "fr", "Un signe d'injustice"),
        ("a counted turn", "pt", "no máximo um por vez"),
        ("address of the players", "pt", "Façam a jogada."),
        ("home", "pt", "{origin} para casa"),
        ("take back", "pt", "Retirar: {value}"),
        ("abandon", "sl", "Prekineš igro?"),
        ("address of the players", "sl", "Vrgel si 4."),
        ("address of the players", "sl", "Poteza, ki si jo naredila"),
        ("chance", "sl", "Možnost zmage"),
        ("take back", "ru", "Вернуть ход"),
        ("bot", "ru", "Кости ПК"),
        ("level", "ru", "Светлый: бот, лёгкий"),
        ("level", "hu", "gép, nehéz"),
        ("bring home", "ru", "фишка не уведена домой"),
        ("bring home", "hu", "A4 kimegy"),
        ("one game played", "ru", "Прервать игру?"),
        ("one game played", "hu", "A játékot abbahagyták."),
        ("battery", "hu", "Nézd meg az elemet."),
        ("plain face", "hu", "Üres üti az üreset."),
        ("extra throw", "ru", "упущен новый бросок"),
        ("claim a draw", "hu", "Most nincs döntetlen."),
        ("a number after an article", "hu", "Merül a {die}. kocka."),
        ("a player's gender", "ru", "{name} выбрал ход"),
        ("register", "hu", "Indítsa újra."),
        ("address of the players", "de", "Drücken Sie die Taste."),
        ("game", "de", "Die Partie ist zu Ende."),
        ("home", "de", "Bring den Stein nach Hause."),
        ("address of the players", "es", "Pulse el botón."),
        ("throw (noun)", "es", "Lanza los dados."),
        ("give up", "es", "¿Abandonar?"),
    ],
)
def test_a_forbidden_variant_is_found(term, language, text):
    assert any(re.search(pattern, text) for pattern in variants(term, language))
