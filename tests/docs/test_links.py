"""No link between the project's pages is broken, and every file that they name exists."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.each import each

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "firmware", "wiring", "tests", "tools")
PAGES = sorted(
    path.relative_to(ROOT)
    for path in (*ROOT.glob("*.md"), *(p for f in FOLDERS for p in (ROOT / f).rglob("*.md")))
    if "node_modules" not in path.parts
)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
NAMED = re.compile(
    r"(?<![\w/.~-])(?:urpi|tests|tools|docs|firmware|wiring|deploy)(?:/[\w.-]+)+\.\w+(?![\w*{}])"
)
PLACEHOLDER = re.compile(r"(?:^|/|_)[A-Z]{2,}[/.]|/build/")
"""In a name that stands for several files, or in that of a file that is built."""
OTHERS = {Path("docs/design/STYLE.md")}
"""Pages that name files of other projects."""
NEW = {
    "device": {"urpi/hardware/outputs/lamp.py", "tests/hardware/outputs/test_lamp.py"},
    "language": {"urpi/show/words/locale/nl/LC_MESSAGES/urpi.po"},
    "page": {"urpi/page/static/js/dimmed.js"},
    "rule-set": {"urpi/rules/skirmish.py"},
    "warning": {"tests/referee/test_beyond_reach.py"},
}
"""Files that the steps of a page in docs/contribute create."""
INCLUDED = re.compile(r"^```\{include\} (\S+)$", re.MULTILINE)


@cache
def text_of(page: Path) -> str:
    return (ROOT / page).read_text("utf-8")


def links_of(page: Path) -> Iterator[str]:
    """The targets of a page's links and pictures; what stands in code is none."""
    yield from LINK.findall(CODE.sub("", FENCE.sub("", text_of(page))))
    yield from INCLUDED.findall(text_of(page))


@cache
def anchors_of(page: Path) -> frozenset[str]:
    """The names by which a forge, and MyST, link to the headings of a page, included ones too."""
    included = (text_of(page.parent / name) for name in INCLUDED.findall(text_of(page)))
    text = FENCE.sub("", "\n".join([text_of(page), *included]))
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return frozenset(re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads)


def problem(page: Path, link: str) -> str | None:
    """What is wrong with a link, None when it leads somewhere."""
    target, _, anchor = link.partition("#")
    place = (ROOT / page.parent / target).resolve() if target else ROOT / page
    if not place.is_relative_to(ROOT):
        return f"{page}: {link} leads out of the project"
    if not place.exists():
        return f"{page}: {link} is not there"
    if anchor and anchor not in anchors_of(place.relative_to(ROOT)):
        return f"{page}: {link} names no heading"
    return None


@each("page", PAGES)
def test_a_page_s_links_lead_somewhere(page: Path) -> None:
    ours = (link for link in links_of(page) if "://" not in link and not link.startswith("mailto:"))
    assert [found for link in ours if (found := problem(page, link))] == []


def test_a_link_that_leads_nowhere_is_seen() -> None:
    page = Path("README.md")
    assert problem(page, "docs/nowhere.md") == "README.md: docs/nowhere.md is not there"
    assert problem(page, "#no-such-part") == "README.md: #no-such-part names no heading"
    assert problem(page, "../elsewhere.md") == "README.md: ../elsewhere.md leads out of the project"
    assert problem(page, "docs/design/FORMATS.md#event-stream") is None


@each("page", [page for page in PAGES if page not in OTHERS])
def test_the_files_that_a_page_names_exist(page: Path) -> None:
    new = NEW.get(page.stem, set()) if page.parent == Path("docs/contribute") else set()
    named = set(NAMED.findall(text_of(page)))
    missing = {name for name in named if not (ROOT / name).exists()}
    assert {name for name in missing if name in new or not PLACEHOLDER.search(name)} == new
