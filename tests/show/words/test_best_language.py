"""The choice of a language by the Accept-Language header."""

import pytest

from urpi.show.words import best_language

AVAILABLE = ("en", "fr", "hu", "pt", "ru", "sl")


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("pt", "pt"),
        ("pt-PT,pt;q=0.9,en;q=0.8", "pt"),
        ("pt-BR", "pt"),
        ("zh-Hant-TW, sl-SI;q=0.4", "sl"),
        ("FR-ca", "fr"),
        ("en;q=0.3, ru;q=0.9", "ru"),
        ("hu, sl", "hu"),
        ("sl;q=0.5, hu;q=0.5", "sl"),
        ("de, *;q=0.1", "en"),
        ("*, en;q=0", "fr"),
        ("ru;q=0, ru-RU", None),
        ("de, cs;q=0.9", None),
        ("fr;q=0", None),
        ("", None),
        ("   ", None),
        ("fr;q=2, hu;q=0.1", "hu"),
        ("<script>, sl", "sl"),
        ("fr ; q=0.2 , hu ; q = 0.7", "hu"),
    ],
)
def test_most_preferred_available_language_is_chosen(header, language):
    assert best_language(header, AVAILABLE) == language


def test_available_region_is_chosen_with_its_own_spelling():
    assert best_language("pt-br, pt;q=0.5", ("pt", "pt-BR")) == "pt-BR"


def test_very_long_header_is_parsed():
    assert best_language("x-" * 20_000 + ", " + "a;" * 20_000 + ",sl", AVAILABLE) == "sl"
