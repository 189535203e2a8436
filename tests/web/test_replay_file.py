"""The replay in one file: every step is there, it runs nothing, and a name stays a text."""

import re
from html.parser import HTMLParser

import pytest

from tests.web.test_replay_document import SUMMARY, entries, moved, roll
from urpi.referee.decisions import Passed, TakenBack, Won
from urpi.rules import Side
from urpi.web.documents.replay import frames_of
from urpi.web.replay_file import replay_page, steps_of
from urpi.words import languages, words_for

ENGLISH = words_for("en")
GAME = entries(
    roll(2000),
    moved(3500),
    TakenBack(3600, Side.LIGHT, "+A4"),
    moved(4000),
    roll(5000, Side.DARK, "----"),
    Passed(5001, Side.DARK, "zero"),
    Won(6000, Side.LIGHT, "resigned"),
)


class Page(HTMLParser):
    """A page's elements with their attributes, and whether each is closed."""

    VOID = frozenset({"meta", "input"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def values(self, tag: str, key: str) -> list[str | None]:
        return [attrs[key] for name, attrs in self.elements if name == tag and key in attrs]


@pytest.fixture(scope="module")
def text() -> str:
    return replay_page(SUMMARY, GAME, ENGLISH)


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


def test_a_throw_and_what_was_played_are_one_step() -> None:
    steps = steps_of(frames_of(GAME, ENGLISH))
    assert [step.kind for step in steps] == ["start", "move", "back", "move", "move", "end"]
    assert steps[1].legal == ("+A4",)
    assert steps[1].told[0] == "<b>Ana</b> throws 1 (g---)"


def test_a_throw_that_is_still_to_be_played_is_a_step() -> None:
    assert steps_of(frames_of(entries(roll(2000)), ENGLISH))[-1].kind == "roll"


def test_every_step_can_be_chosen_and_the_first_one_is(page: Page) -> None:
    assert page.values("input", "id") == [f"s{step}" for step in range(6)]
    assert page.values("input", "checked") == [None]
    assert set(page.values("label", "for")) == set(page.values("input", "id"))


def test_the_file_is_whole_and_asks_nobody_for_anything(page: Page, text: str) -> None:
    assert page.open == []
    assert not {"script", "link", "img", "iframe", "object", "form"} & {
        tag for tag, _ in page.elements
    }
    assert {str(address)[:4] for address in page.values("use", "href")} == {"#ur-"}
    assert re.findall(r"(?:https?:|//|url\((?!#ur-arrow\)))[^ ]*", text) == []
    assert "default-src 'none'" in text


@pytest.mark.parametrize("language", languages())
def test_what_stands_beside_the_board_is_what_the_display_calls_it(language: str) -> None:
    words = words_for(language)
    text = replay_page(SUMMARY, GAME, words)
    for label, count in (("hand", 7), ("home", 0)):
        assert f">{words.text(label)} {count}<" in text


def test_a_name_stays_a_text(page: Page, text: str) -> None:
    assert "<b>Ana" not in text
    assert "&lt;b&gt;Ana&lt;/b&gt;" in text


def test_an_empty_element_is_never_left_open(text: str) -> None:
    """HTML does not close `<b/>`; only SVG does."""
    empty = set(re.findall(r"<([a-z0-9]+)(?: [^>]*)?/>", text))
    assert empty <= {"circle", "path", "polygon", "rect", "use", "ellipse", "text"}
