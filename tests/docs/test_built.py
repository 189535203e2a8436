"""The pages built by Sphinx: they load nothing from elsewhere, and no link is broken."""

import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="needs Sphinx, which `make docs` installs")

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[2] / "docs"
FETCHED = {"src", "href", "srcset", "data"}


class Page(HTMLParser):
    """What a page fetches when it is opened, what it links to, and its own places."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.fetches: list[str] = []
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.places.add(value)
            elif name in FETCHED and value:
                (self.links if tag == "a" else self.fetches).append(value)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Page]:
    """Every page by its path, built without a warning."""
    folder = tmp_path_factory.mktemp("docs")
    ended = subprocess.run(
        [sys.executable, "-m", "sphinx", "--fail-on-warning", "--quiet", DOCS, folder],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert ended.returncode == 0, ended.stderr
    return {path: Page(path) for path in folder.rglob("*.html")}


def dead(path: Path, page: Page, built: dict[Path, Page]) -> Iterator[str]:
    """The links to nowhere."""
    for link in page.links:
        target, _, place = link.partition("#")
        if "://" in link:
            continue
        there = (path.parent / target).resolve() if target else path
        is_there = there in built or there.is_file()
        if not is_there or (place and there in built and place not in built[there].places):
            yield link


def test_every_page_is_built_and_fetches_nothing_from_elsewhere(built: dict[Path, Page]) -> None:
    sources = [path for path in DOCS.rglob("*.md") if "generator" not in path.parts]
    assert len(built) >= len(sources)
    assert {link for page in built.values() for link in page.fetches if "//" in link} == set()


def test_every_link_leads_to_a_page_and_a_place(built: dict[Path, Page]) -> None:
    found = {path.name: list(dead(path, page, built)) for path, page in built.items()}
    assert {name: links for name, links in found.items() if links} == {}


def test_the_first_page_leads_to_all_others(built: dict[Path, Page]) -> None:
    first = min(built, key=lambda path: (len(path.parts), path.name != "index.html"))
    seen: set[Path] = set()
    ahead = [first]
    while ahead:
        path = ahead.pop()
        if path in built and path not in seen:
            seen.add(path)
            links = (link.partition("#")[0] for link in built[path].links)
            ahead += [(path.parent / link).resolve() for link in links]
    # The search is reached by its field.
    assert {path.name for path in set(built) - seen} == {"search.html"}
