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

from tools.catalogues.messages import messages_of
from tools.catalogues.page_messages import messages_in_html, messages_in_script
from urpi.page.site import STATIC
from urpi.show.words import page_messages

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
        ('getText("Throw"); ngettext("Throw")', ()),
    ],
)  # fmt: skip
def test_messages_are_found_in_a_script(source: str, found: tuple[str, ...]) -> None:
    assert messages_in_script(source) == (found, ())


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


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_babel_finds_no_other_messages(script: Path) -> None:
    """Babel's extractor overlooks calls in the arguments of others, but reads all JavaScript."""
    source = script.read_bytes()
    options = {"jsx": False, "parse_template_string": True}
    found = extract_javascript(BytesIO(source), {"gettext": None}, (), options)
    texts = (text if isinstance(text, str) else text[0] for _, _, text, _ in found)
    assert Counter(texts) <= Counter(messages_in_script(source.decode()).messages)


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<p>Two</p>", ()),
        ('<b data-translate title="Why">One</b><p>Two</p>', ("Why", "One")),
        ('<nav data-translate aria-label="Pages"><i>3</i></nav>', ("Pages",)),
        ("<p data-translate>\n  It&#x27;s here.\n</p>", ("It's here.",)),
    ],
)
def test_texts_and_labels_are_found_in_html(html: str, found: tuple[str, ...]) -> None:
    assert messages_in_html(html) == (found, ())


def test_placeholders_have_names() -> None:
    for message in page_messages():
        names = [name for _, name, _, _ in Formatter().parse(message) if name is not None]
        assert all(re.fullmatch("[a-z]+", name) for name in names), message


def test_texts_of_the_server_alone_are_not_sent_to_browsers() -> None:
    assert {"Throw", "To the board"} <= set(page_messages())
    assert "Throw first, then move." not in page_messages()
