"""How each language addresses its readers: Slovenian ti and vi, and infinitives on buttons."""

import re
from html.parser import HTMLParser

import pytest

from tests.show.words.marked import messages
from tools.catalogues.found import singular
from urpi.page.site import STATIC
from urpi.show.words import languages, words_for
from urpi.show.words.sentences import CONTEXT_END

ADMINISTRATION = ("club/", "page/static/club_", "page/static/js/club/", "show/words/card_words.py")
"""Below `urpi/`: the pages of a club and the preparation of a card, which say vi."""
VI = re.compile(r"(?:^|(?<=[.:;?!] ))\w+[ij]te\b")
"""An imperative of vi at the beginning of a sentence or a part of one."""
BUTTON = re.compile(r'button\(\(\) => gettext\("([^"]+)"|"button", \{[^}]*\}, gettext\("([^"]+)"')
IMPERATIVES = {"pt": {"ar": "e", "er": "a", "ir": "a"}, "es": {"ar": "a", "er": "e", "ir": "e"}}
"""The ending of an order that belongs to each ending of an infinitive."""


def is_administration(message, use):
    # A script of both says what its club's database does.
    return message.startswith("The club's ") or all(
        file.removeprefix("urpi/").startswith(ADMINISTRATION) for file in use.files
    )


def slovenian(*, administration):
    words = words_for("sl")
    return [
        words.text(message)
        for message, use in messages().items()
        if isinstance(message, str) and is_administration(message, use) == administration
    ]


def test_players_are_not_addressed_as_vi():
    assert [text for text in slovenian(administration=False) if VI.search(text)] == []


def test_administrators_are_not_addressed_as_ti():
    """Each imperative of vi, without its ending, is one of ti."""
    texts = slovenian(administration=True)
    polite = {match.removesuffix("te").lower() for text in texts for match in VI.findall(text)}
    assert len(polite) > 5
    starts = {
        text: re.findall(r"(?:^|(?<=[.:;?!] ))\w+", text) for text in texts if text.endswith(".")
    }
    assert [text for text, found in starts.items() if polite & {one.lower() for one in found}] == []


@pytest.mark.parametrize("language", languages())
def test_the_tour_calls_the_button_by_its_name(language):
    words = words_for(language)
    quoting = [one for one in messages() if isinstance(one, str) and "Press Throw" in one]
    button = words.text(f"button{CONTEXT_END}Throw")
    assert len(quoting) > 2
    assert [one for one in quoting if button not in words.text(one)] == []


class Buttons(HTMLParser):
    """The texts of all buttons of a page that are translated, with their context."""

    def __init__(self):
        super().__init__()
        self.found, self._in_button, self._context = [], False, None

    def handle_starttag(self, tag, attrs):
        self._in_button = self._in_button or tag == "button"
        if self._in_button:
            self._context = dict(attrs).get("data-translate", self._context)

    def handle_endtag(self, tag):
        if tag == "button":
            self._in_button, self._context = False, None

    def handle_data(self, data):
        if self._in_button and data.strip():
            before = f"{self._context}{CONTEXT_END}" if self._context else ""
            self.found.append(before + data.strip())


def buttons():
    """Return the texts of the page's buttons, in HTML and in its scripts."""
    parser = Buttons()
    for path in STATIC.glob("*.html"):
        parser.feed(path.read_text("utf-8"))
    for path in (STATIC / "js").rglob("*.js"):
        parser.found += [one or two for one, two in BUTTON.findall(path.read_text("utf-8"))]
    return sorted(set(parser.found) & {singular(message) for message in messages()})


@pytest.mark.parametrize("language", IMPERATIVES)
def test_no_button_is_an_order(language):
    """What is an infinitive on one button is no imperative on another, in its usual ending."""
    first = {message: words_for(language).text(message).split()[0].lower() for message in buttons()}
    infinitives = {word for word in first.values() if word[-2:] in IMPERATIVES[language]}
    assert len(infinitives) > 15
    orders = {word[:-2] + IMPERATIVES[language][word[-2:]] for word in infinitives}
    assert {message: word for message, word in first.items() if word in orders} == {}


def test_no_french_button_is_an_order():
    texts = [words_for("fr").text(message) for message in buttons()]
    assert len(texts) > 50
    assert [text for text in texts if re.search(r"\b\w+ez\b", text)] == []
