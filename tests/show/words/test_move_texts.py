"""Texts of moves and of answers to questions: no two that are offered together are alike."""

from collections import Counter
from random import Random

import pytest

from tests.each import each
from tests.rules.compare import every_rule_set
from tests.slow import slow_except
from urpi.page.documents.state import question_document
from urpi.referee import Phase, Snapshot
from urpi.referee.decisions import NO_MOVE, Question
from urpi.rules import PASS, RULE_SETS, Side
from urpi.show.views.bitmap_font import font
from urpi.show.views.panel import WIDTH
from urpi.show.views.question import candidates
from urpi.show.views.text import SMALL, ink_width
from urpi.show.words import languages, words_for
from urpi.show.words.decisions import announcements

THROWS = 40
LANGUAGES = [words_for(language) for language in languages()]


def offers(rules, seed):
    """Return the legal moves of every throw at every position of a random game, each list once."""
    random, found = Random(seed), set()
    position = rules.start(random.choice(list(Side)))
    for _ in range(THROWS):
        if position.turn is None:
            break
        found |= {rules.legal_moves(position, throw) for throw, _chance in rules.dice.outcomes}
        throw = rules.dice.roll(random.random())
        legal = rules.legal_moves(position, throw)
        position = rules.play(position, throw, random.choice(legal) if legal else PASS)
    return found


def every_offer(name, seed):
    """Return the texts of the moves that are offered together in any form of a rule set."""
    return {
        (*(move.text for move in legal), NO_MOVE): rules.text
        for rules in every_rule_set(name)
        for legal in offers(rules, seed)
    }


def asked(ask, choices, **names):
    question = Question(0, Side.LIGHT, ask, choices if ask == "move" else ())
    return Snapshot(Phase.MOVE, side=Side.LIGHT, question=question, choices=choices, **names)


def texts_on_the_page(snapshot, words):
    texts = announcements(words, snapshot.light, snapshot.dark)
    return [choice["text"] for choice in question_document(snapshot, texts)["choices"]]


@pytest.mark.parametrize("name", slow_except(RULE_SETS, "skiryuk", "freecompany"))
@pytest.mark.parametrize("seed", slow_except([20, 26], 20))
def test_the_legal_moves_of_a_throw_all_have_different_texts(name, seed):
    for choices, rules in every_offer(name, seed).items():
        for words in LANGUAGES:
            texts = texts_on_the_page(asked("move", choices), words)
            alike = [text for text, number in Counter(texts).items() if number > 1]
            assert not alike, (rules, seed, words.language)


@pytest.mark.parametrize("name", RULE_SETS)
def test_the_display_shows_every_legal_move_in_full_and_differently(name):
    for choices in every_offer(name, 4):
        shown = candidates(asked("move", choices), LANGUAGES[0])
        assert len(set(shown)) == len(choices)
        # The number of the chosen one among all is beside it.
        place = font(SMALL).width(f"{len(choices)}/{len(choices)}") + 3
        assert all(ink_width(font(SMALL), text) <= WIDTH - place for text in shown)


@each("words", LANGUAGES)
@each(
    ("light", "dark"),
    [("Ann", "Ann"), ("", ""), ("Ann", ""), ("N" * 39 + "1", "N" * 39 + "2"), ("Anna", "Béla")],
)
def test_two_players_of_the_same_name_can_be_told_apart(words, light, dark):
    snapshot = asked("first", ("light", "dark"), light=light, dark=dark)
    assert len(set(texts_on_the_page(snapshot, words))) == 2
    shown = candidates(snapshot, words)
    assert len(set(shown)) == 2
    if "N" in light:
        assert shown == (words.side(Side.LIGHT), words.side(Side.DARK))
