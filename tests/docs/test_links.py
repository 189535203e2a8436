"""No link between the project's pages is broken, including those to headings."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_a_page_s_links_lead_somewhere(page: Path) -> None:
    ours = (link for link in links_of(page) if "://" not in link and not link.startswith("mailto:"))
    assert [found for link in ours if (found := problem(page, link))] == []


def test_a_link_that_leads_nowhere_is_seen() -> None:
    page = Path("README.md")
    assert problem(page, "docs/nowhere.md") == "README.md: docs/nowhere.md is not there"
    assert problem(page, "#no-such-part") == "README.md: #no-such-part names no heading"
    assert problem(page, "../elsewhere.md") == "README.md: ../elsewhere.md leads out of the project"
    assert problem(page, "docs/design/FORMATS.md#event-stream") is None
