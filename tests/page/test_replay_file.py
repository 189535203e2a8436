"""The replay in one file: it has every step, contains no script, and escapes names."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from tests.page.test_replay_document import SUMMARY, entries, moved, roll
from urpi.page.documents.replay import frames_of
from urpi.page.replay_file import replay_page, steps_of
from urpi.referee.decisions import Passed, TakenBack, Won
from urpi.rules import Side
from urpi.show.words import languages, words_for
from urpi.show.words.sentences import NC_

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


class Html(HTMLParser):
    """Parses the elements of a page with their attributes, and checks that each is closed."""

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
def html(text: str) -> Html:
    return Html(text)


def test_a_throw_and_its_move_are_one_step() -> None:
    steps = steps_of(frames_of(GAME, ENGLISH))
    assert [step.kind for step in steps] == ["start", "move", "back", "move", "move", "end"]
    assert steps[1].legal == ("+A4",)
    assert steps[1].texts[0] == "<b>Ana</b> throws 1."


def test_a_throw_that_is_still_to_be_played_is_a_step() -> None:
    assert steps_of(frames_of(entries(roll(2000)), ENGLISH))[-1].kind == "roll"


def test_every_step_can_be_selected_and_the_first_one_is(html: Html) -> None:
    assert html.values("input", "id") == [f"s{step}" for step in range(6)]
    assert html.values("input", "checked") == [None]
    assert set(html.values("label", "for")) == set(html.values("input", "id"))


def test_the_file_is_complete_and_loads_nothing(html: Html, text: str) -> None:
    assert html.open == []
    assert not {"script", "link", "img", "iframe", "object", "form"} & {
        tag for tag, _ in html.elements
    }
    assert {str(address)[:4] for address in html.values("use", "href")} == {"#ur-"}
    assert re.findall(r"(?:https?:|//|url\((?!#ur-arrow\)))[^ ]*", text) == []
    assert "default-src 'none'" in text


@pytest.mark.parametrize("language", languages())
def test_the_trays_have_the_same_labels_as_the_display(language: str) -> None:
    words = words_for(language)
    text = replay_page(SUMMARY, GAME, words)
    for label, count in ((NC_("label", "hand"), 7), (NC_("label", "home"), 0)):
        assert f">{words.text(label)} {count}<" in text


def test_dates_and_steps_are_not_turned_round_from_right_to_left() -> None:
    text = replay_page(SUMMARY, GAME, words_for("ar"))
    assert re.search(r'<bdi dir="ltr">\d{4}-\d\d-\d\d \d\d:\d\d</bdi>', text)
    # The arrows keep their sides, and the sentence beside them its own direction.
    assert ".steps span { unicode-bidi: plaintext; }" in text


def test_a_name_is_escaped(html: Html, text: str) -> None:
    assert "<b>Ana" not in text
    assert "&lt;b&gt;Ana&lt;/b&gt;" in text


def test_an_empty_element_is_never_left_open(text: str) -> None:
    """HTML does not close `<b/>`; only SVG does."""
    empty = set(re.findall(r"<([a-z0-9]+)(?: [^>]*)?/>", text))
    assert empty <= {"circle", "path", "polygon", "rect", "use", "ellipse", "text"}


@pytest.mark.parametrize("language", languages())
def test_where_no_piece_leaves_the_board_only_the_hand_is_labelled(language: str) -> None:
    words = words_for(language)
    summary = replace(SUMMARY, rules="freecompany")
    start = [replace(GAME[0], line=GAME[0].line.replace("finkel", "freecompany"))]
    page = Html(replay_page(summary, start, words))
    beside = [attrs for tag, attrs in page.elements if attrs.get("class") == "ur-beside"]
    assert len(beside) == 2
