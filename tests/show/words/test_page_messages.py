"""The page's texts are found in its scripts and in its HTML."""

import json
import re
from collections import Counter
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.extract import extract_javascript
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from tests.show.words.marked import english_texts
from tools.catalogues.messages import messages_of
from tools.catalogues.page_messages import messages_in_html, messages_in_script
from urpi.page.site import STATIC
from urpi.show.words import page_messages

LITERALS = {"gettext": 1, "pgettext": 2, "ngettext": 2}
SCRIPTS = sorted(STATIC.rglob("*.js"))


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('gettext("Throw")', ("Throw",)),
        ('gettext(\n  "Throw first.",\n)', ("Throw first.",)),
        ('gettext("{a}: {b}", { a, b: gettext("Board") })', ("{a}: {b}", "Board")),
        ('`${gettext("Wall")} - ${open ? gettext("Off") : ""}`', ("Wall", "Off")),
        (r'gettext("the \"old\" one")', ('the "old" one',)),
        ('const text = gettext; gettext(message); gettext(name, { side })', ()),
        ('getText("Throw"); words.gettextual("Throw")', ()),
        ('pgettext("button", "Throw")', ("button\4Throw",)),
        ('ngettext("{number} die", "{number} dice", count)', (("{number} die", "{number} dice"),)),
        ('ngettext(\n  "One",\n  "Many",\n  count,\n)', (("One", "Many"),)),
    ],
)  # fmt: skip
def test_messages_are_found_in_a_script(source: str, found: tuple[str, ...]) -> None:
    assert messages_in_script(source)[:2] == (found, ())


@given(st.text())
def test_every_text_is_found_as_its_literal_means_it(text: str) -> None:
    assert messages_in_script(f"put(gettext({json.dumps(text)}));").messages == (text,)


@pytest.mark.parametrize(
    "argument", ["`Die ${die}`", "'Die'", '"Die " + die', "names.die", "isDie ? a : b", "f(die)"]
)
def test_text_composed_at_run_time_is_named(argument: str, tmp_path: Path) -> None:
    """It could not be translated."""
    package = tmp_path / "parts"
    package.mkdir()
    (package / "one.js").write_text(f"\nput(gettext({argument}));\n")
    with pytest.raises(SystemExit, match=r"^parts/one\.js:2: gettext marks a text .* at run time"):
        messages_of(package)


@each("script", SCRIPTS)
def test_babel_finds_no_other_messages(script: Path) -> None:
    """Babel's extractor overlooks calls in the arguments of others, but reads all JavaScript."""
    source = script.read_bytes()
    options = {"jsx": False, "parse_template_string": True}
    found = extract_javascript(BytesIO(source), dict.fromkeys(LITERALS), (), options)
    # Babel returns all literals of a call and of those in its arguments, and None for the others.
    texts = (
        ((text,) if isinstance(text, str) else tuple(filter(None, text)))[: LITERALS[str(name)]]
        for _, name, text, _ in found
    )
    ours = messages_in_script(source.decode()).messages
    assert Counter(texts) <= Counter(map(arguments, ours))


def arguments(message: str | tuple[str, str]) -> tuple[str, ...]:
    return tuple(message.split("\4")) if isinstance(message, str) else message


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<p>Two</p>", ()),
        ('<b data-translate title="Why">One</b><p>Two</p>', ("Why", "One")),
        ('<nav data-translate aria-label="Pages"><i>3</i></nav>', ("Pages",)),
        ('<b data-translate="replay">Play</b>', ("replay\4Play",)),
        ("<p data-translate>\n  It&#x27;s here.\n</p>", ("It's here.",)),
    ],
)
def test_texts_and_labels_are_found_in_html(html: str, found: tuple[str, ...]) -> None:
    assert messages_in_html(html)[:2] == (found, ())


@pytest.mark.parametrize(
    ("source", "comments"),
    [
        ('// Translators: X.\nput(gettext("Aim"));\nput(gettext("B"));', {"Aim": ("X.",)}),
        ('// Translators: One,\n// two.\nput(gettext("Aim"));', {"Aim": ("One, two.",)}),
        (
            '// Translators: X.\na = {\n a: gettext("A"),\n b: ngettext("B", "C", n),\n};',
            {"A": ("X.",), ("B", "C"): ("X.",)},
        ),
        ('// A comment.\nput(gettext("Aim"));', {}),
    ],
)  # fmt: skip
def test_comment_for_translators_belongs_to_the_statement_below(source, comments) -> None:
    assert messages_in_script(source).comments == comments


def test_comment_in_html_belongs_to_the_next_marked_element() -> None:
    html = "<!-- Translators: A. -->\n<b data-translate title=T>One</b><p data-translate>Two</p>"
    comments = {"T": ("A.",), "One": ("A.",)}
    assert messages_in_html(html).comments == comments


def test_placeholders_have_names() -> None:
    for message in page_messages():
        text = "".join(english_texts(message))
        names = [name for _, name, _, _ in Formatter().parse(text) if name is not None]
        assert all(re.fullmatch("[a-z]+", name) for name in names), message


def test_texts_of_the_server_alone_are_not_sent_to_browsers() -> None:
    assert {"button\4Throw", "To the board"} <= set(page_messages())
    assert "Throw first, then move." not in page_messages()
