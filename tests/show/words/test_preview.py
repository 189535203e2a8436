"""The page of all texts of a language marks what is missing or too long, and follows its file."""

import re
import shutil
import threading
import urllib.request

import pytest

from tests.preview.__main__ import server
from tests.preview.page import preview
from tests.preview.pictures import picture_pairs
from tests.preview.words_of_po import po_file, words_of_po
from tools.catalogues.__main__ import LOCALE
from urpi.show.words import words_for


@pytest.fixture
def locale(tmp_path):
    """A copy of one language's catalogue, to be changed."""
    folder = po_file("sl", tmp_path).parent
    folder.mkdir(parents=True)
    shutil.copy(po_file("sl", LOCALE), folder)
    return tmp_path


def change(locale, english, translation):
    """Write another translation of a message into the catalogue."""
    path = po_file("sl", locale)
    pattern = rf'(?<=msgid "{re.escape(english)}"\nmsgstr )".*"'
    text, count = re.subn(pattern, f'"{translation}"', path.read_text("utf-8"))
    assert count == 1
    path.write_text(text, "utf-8")


def wrong_rows(page):
    rows = re.findall(r"<tr class='wrong'>.*?</tr>", page, re.DOTALL)
    return [re.sub(r"<img[^>]*>", "", row) for row in rows]


@pytest.mark.slow
def test_page_has_each_text_beside_the_english_one_and_nothing_is_wrong(locale):
    page = preview("sl", locale)
    assert wrong_rows(page) == []
    assert "<td>Throw again.</td>" in page
    assert f"<td>{words_for('sl').text('Throw again.')}</td>" in page
    assert page.count("<img") > 500


@pytest.mark.slow
def test_text_that_the_display_cuts_is_marked(locale):
    long = "Meči še enkrat, prosim, in to takoj"
    change(locale, "Hold: no extra throw", long)
    cut = [
        pair.cut for pair in picture_pairs(words_for("en"), words_of_po("sl", locale)) if pair.cut
    ]
    assert cut
    assert all(long[:10] in line for line in cut)


@pytest.mark.slow
def test_page_follows_its_file_and_marks_what_is_not_translated(locale):
    with server("sl", 0, locale) as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        try:
            first = read(running, "changed")
            change(locale, "Larger text", "Črke večje")
            change(locale, "Throw again.", "")
            assert read(running, "changed") != first
            page = read(running, "")
            assert "<td>Črke večje</td>" in page
            assert [row for row in wrong_rows(page) if "<td>Throw again.</td><td></td>" in row]
            po_file("sl", locale).write_text('msgid "half\n', "utf-8")
            assert 'fetch("/changed")' in read(running, "")
        finally:
            running.shutdown()
            thread.join()


def read(running, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{running.server_port}/{path}") as answer:
        return answer.read().decode()
