"""The list of the page's texts contains exactly the texts in the page's files."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from string import Formatter

import pytest

import urpi.page
from urpi.show.words.page_words import PAGE_WORDS

STATIC = Path(urpi.page.__file__).parent / "static"
LOOKED_UP = re.compile(r'\bgettext\(\s*"((?:[^"\\]|\\.)*)"')
NOT_LITERAL = re.compile(r"\bgettext\(\s*(?![\"a-z])\S+")
LABELS = ("aria-label", "alt", "title")


class Texts(HTMLParser):
    """A parser of the texts and labels of a page's elements with `data-translate`."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self._open = tag if "data-translate" in known else ""
        if "data-translate" in known:
            self.found += [known[label] or "" for label in LABELS if label in known]

    def handle_data(self, data: str) -> None:
        if self._open and data.strip():
            self.found.append(data.strip())
        self._open = ""


def texts_of(html: str) -> list[str]:
    texts = Texts()
    texts.feed(html)
    return texts.found


def used() -> Iterator[str]:
    for script in sorted(STATIC.rglob("*.js")):
        yield from LOOKED_UP.findall(script.read_text())
    for page in sorted(STATIC.rglob("*.html")):
        yield from texts_of(page.read_text())


def test_every_text_of_the_page_is_listed() -> None:
    assert sorted(set(used()) - set(PAGE_WORDS)) == []


def test_every_listed_text_is_used() -> None:
    assert sorted(set(PAGE_WORDS) - set(used())) == []


def test_no_text_is_listed_twice() -> None:
    assert len(PAGE_WORDS) == len(set(PAGE_WORDS))


@pytest.mark.parametrize("script", sorted(STATIC.rglob("*.js")), ids=lambda path: path.name)
def test_texts_are_literals_in_the_source(script: Path) -> None:
    """A message that is composed at run time cannot be translated."""
    assert NOT_LITERAL.findall(script.read_text()) == []


@pytest.mark.parametrize("message", PAGE_WORDS)
def test_placeholders_have_names(message: str) -> None:
    names = [name for _, name, _, _ in Formatter().parse(message) if name is not None]
    assert all(re.fullmatch("[a-z]+", name) for name in names)


def test_texts_and_labels_are_parsed() -> None:
    page = (
        '<b data-translate title="Why">One</b><p>Two</p>'
        '<nav data-translate aria-label="Pages"><i>3</i></nav>'
    )
    assert texts_of(page) == ["Why", "One", "Pages"]
