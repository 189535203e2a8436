"""Every code has a sentence that fits the OLED."""

from string import Formatter
from typing import get_args

import pytest

from urpi.core.errors import UrpiError
from urpi.referee.decisions import FaultCode, PassCode, RequestRefusal, ThrowRefusal
from urpi.rules import REFUSAL_CODES, Side
from urpi.show.words import languages, words_for
from urpi.show.words.sentences import FAULTS, REFUSED, ROLL_REFUSALS, TABLES, TURNS, WARNINGS

MAX_LETTERS = 75
EVERY_DETAIL = {
    "side": "light",
    "threw": 2,
    "went": 3,
    "origin": "A4",
    "target": "A1",
    "fill": "A4, B2",
    "clear": "A1, B3",
    "dice": "2, 3",
    "device": "B4",
}
ALL_CODES = sorted({code for table in TABLES for code in table})


@pytest.fixture
def words():
    return words_for("en")


def without(*names):
    return {name: value for name, value in EVERY_DETAIL.items() if name not in names}


def test_warnings_are_in_the_order_of_the_refusal_codes():
    assert tuple(WARNINGS) == REFUSAL_CODES


KNOWN = [
    EVERY_DETAIL,
    {},
    without("origin"),
    without("origin", "target"),
    without("origin", "target", "fill"),
    without("origin", "target", "clear"),
    without("threw", "went", "dice"),
    {**EVERY_DETAIL, "origin": ""},
    {**EVERY_DETAIL, "origin": "", "target": "", "fill": "", "clear": ""},
]


@pytest.mark.parametrize("code", ALL_CODES)
def test_sentence_needs_only_the_known_details_and_is_short(words, code):
    for details in KNOWN:
        sentence = words.sentence(code, details)
        assert sentence, details
        assert "{" not in sentence
        assert len(sentence) <= MAX_LETTERS


@pytest.mark.parametrize(
    ("code", "details", "sentence"),
    [
        (
            "wrong-distance",
            {"side": "light", "threw": 2, "went": 3, "origin": "A4", "target": "A1"},
            "You threw 2, but moved it 3. Put it back on A4.",
        ),
        (
            "wrong-distance",
            {"threw": 2, "went": 3, "origin": "", "target": "A2"},
            "You threw 2, but moved it 3. Take it off A2 again.",
        ),
        ("wrong-distance", {}, "That is not the number you threw. Put it back."),
        (
            "safe-square",
            {"target": "B4", "origin": "B2"},
            "The piece on B4 is safe. Put it back on B2.",
        ),
        ("piece-missing", {"fill": "B4"}, "A piece is missing. Put a piece on B4."),
        ("extra-piece", {"fill": "", "clear": "C2"}, "There is one piece too many. Empty C2."),
        ("must-enter", {"threw": 3}, "You threw 3: bring in a new piece."),
        ("must-enter", {"threw": 0}, "You threw 0: bring in a new piece."),
        ("not-your-turn", {"side": "dark"}, "Wait, it is Dark's turn. Put it back."),
        ("not-your-turn", {"side": "dark", "dice": "5"}, "Not your turn: leave die 5."),
        ("cocked", {"dice": "3"}, "Die 3 leans. Throw it again."),
        ("cocked", {"dice": "1, 3"}, "Dice 1, 3 lean. Throw them again."),
        ("lost", {"device": "die 3"}, "Die 3 is silent. Check its battery."),
        ("stuck-on", {"device": "B4"}, "B4: switch stuck closed. Play goes on."),
        ("zero", {"side": "dark"}, "Dark: threw 0"),
    ],
)
def test_sentence_of_a_code(words, code, details, sentence):
    assert words.sentence(code, details) == sentence


def test_unknown_code_is_returned_with_spaces(words):
    assert words.sentence("five-times-running") == "five times running"


@pytest.mark.parametrize(
    ("table", "codes"),
    [
        (ROLL_REFUSALS, get_args(ThrowRefusal)),
        (FAULTS, get_args(FaultCode)),
        (TURNS, get_args(PassCode)),
        (REFUSED, get_args(RequestRefusal)),
    ],
)
def test_tables_have_all_codes(table, codes):
    assert set(table) == set(codes)


def test_plural_wordings_have_the_same_placeholders():
    plurals = [
        wording
        for table in TABLES
        for sentence in table.values()
        for wording in (*sentence.why, *sentence.correction)
        if not isinstance(wording, str)
    ]
    for plural in plurals:
        one, many = ({field[1] for field in Formatter().parse(text)} for text in plural[1:])
        assert one == many


def test_count_has_a_plural(words):
    assert words.count("{number} move", "{number} moves", 1) == "1 move"
    assert words.count("{number} move", "{number} moves", 4) == "4 moves"


def test_names_of_sides_rules_and_devices(words):
    assert words.side(Side.LIGHT) == "Light"
    assert words.rules("coursework") == "Jogo Real UR"
    assert words.rules("a set of tomorrow") == "a set of tomorrow"
    assert words.device("die 3") == "Die 3"
    assert words.device("hub") == "The dice hub"


def test_error_for_an_unknown_language_lists_the_available_ones():
    with pytest.raises(UrpiError, match="'tlh'; choose one of en"):
        words_for("tlh")


def test_every_available_language_is_loaded():
    for language in languages():
        assert words_for(language).language == language
