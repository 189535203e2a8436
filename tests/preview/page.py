"""The page: pictures of the display, spoken sentences, and all messages by their place."""

import html
from base64 import b64encode
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image

from tests.preview.pictures import picture_pairs
from tests.preview.words_of_po import po_file, words_of_po
from tools.catalogues.__main__ import LOCALE, PACKAGE
from tools.catalogues.catalogue import catalogue_at
from tools.catalogues.compiled import strings_of
from tools.catalogues.found import context_and_text, singular
from tools.catalogues.messages import messages_of
from urpi.show.words import Words, words_for
from urpi.show.words.sentences import TABLES
from urpi.show.words.words import ENGLISH, Details

SCALE: Final = 2
DETAILS: Final[Details] = {
    "side": "light", "threw": 2, "went": 3, "origin": "A4", "target": "B1", "move": "A4-A2",
    "dice": "2, 3", "device": "B4", "since": "18:05", "one": "A4", "other": "A3",
    "won": 3, "lost": 2, "fill": "A4, B2", "clear": "B8",
}  # fmt: skip
"""What the sentences are filled in with."""
STYLE: Final = """
body { font: 1rem/1.4 sans-serif; margin: 1rem; color: #222; background: #fff }
table { border-collapse: collapse }
td, th { border: 1px solid #bbb; padding: .3rem; text-align: start; vertical-align: top }
img { image-rendering: pixelated }
.wrong { background: #fcc }
small { color: #555 }
"""
RELOAD: Final = """
let seen; setInterval(async () => { const answer = await fetch("/changed").catch(() => null);
if (!answer) return; const now = await answer.text(); if (seen && seen !== now) location.reload();
seen = now; }, 1000);
"""
"""The page asks whether the catalogue has changed; the browser keeps its place when it reloads."""


def preview(language: str, locale: Path = LOCALE) -> str:
    """Return the HTML of the page for a language."""
    english, words = words_for(ENGLISH), words_of_po(language, locale)
    parts = (
        f"<!doctype html><html lang='{language}'><meta charset='utf-8'><title>{language}</title>",
        f"<style>{STYLE}</style>",
        "<h1>The display</h1>",
        _table(("English", language, "does not fit"), _pictures(english, words)),
        "<h1>Sentences on the display, on the page and spoken</h1>",
        _table(("code", "English", language), _sentences(english, words)),
        "<h1>All messages</h1>",
        _table(("where", "English", language, "about"), _messages(language, locale)),
        f"<script>{RELOAD}</script></html>",
    )
    return "\n".join(parts)


def _table(headings: Iterable[str], rows: Iterable[str]) -> str:
    head = "".join(f"<th>{html.escape(one)}</th>" for one in headings)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _row(cells: Iterable[str], *, wrong: bool) -> str:
    mark = " class='wrong'" if wrong else ""
    return f"<tr{mark}>{''.join(f'<td>{one}</td>' for one in cells)}</tr>\n"


def _pictures(english: Words, words: Words) -> Iterator[str]:
    for pair in picture_pairs(english, words):
        cells = (_image(pair.english), _image(pair.other), html.escape(pair.cut))
        yield _row(cells, wrong=bool(pair.cut))


def _image(picture: Image.Image) -> str:
    contents = BytesIO()
    picture.resize((SCALE * picture.width, SCALE * picture.height)).save(contents, "PNG")
    return f"<img alt='' src='data:image/png;base64,{b64encode(contents.getvalue()).decode()}'>"


def _sentences(english: Words, words: Words) -> Iterator[str]:
    for code in (code for table in TABLES for code in table):
        texts = [html.escape(one.sentence(code, DETAILS)) for one in (english, words)]
        yield _row((code, *texts), wrong=False)


def _messages(language: str, locale: Path) -> Iterator[str]:
    """Yield a row for each message; those without a translation are marked."""
    catalogue = catalogue_at(po_file(language, locale)).catalogue if language != ENGLISH else None
    for message, use in messages_of(PACKAGE).items():
        context, text = context_and_text(singular(message))
        known = catalogue.get(text, context) if catalogue is not None else None
        strings = strings_of(known) if known is not None and not known.fuzzy else ()
        english = text if isinstance(message, str) else f"{text}\n{message[1]}"
        cells = ("\n".join(use.files), english, "\n".join(strings), "\n".join(use.comments))
        shown = [html.escape(one).replace("\n", "<br>") for one in cells]
        shown[0], shown[3] = f"<small>{shown[0]}</small>", f"<small>{shown[3]}</small>"
        yield _row(shown, wrong=catalogue is not None and not strings)
