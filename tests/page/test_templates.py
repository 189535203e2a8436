"""Every page has the parts of all pages, and preloads its scripts."""

import re
from os.path import normpath
from pathlib import Path

import pytest

from tests.each import each
from urpi.http.static_files import TYPES, StaticFile, read_files
from urpi.page.site import STATIC
from urpi.page.templates import PARTS, with_parts

PAGES = sorted(path.name for path in STATIC.glob("*.html") if path.name != PARTS)
IMPORT = re.compile(r'^(?:import|export) [^"]*?from "(\.\.?/[^"]+)";', re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r'<script type="module" src="/static/([^"]+)">')
PRELOAD = re.compile(r'<link rel="modulepreload" href="/static/([^"]+)">')
PART_TEXTS = """\
<!-- head -->
<!DOCTYPE html>
<!-- club pages -->
<a class="brand" href="/">urpi</a>
<a href="/">Wall</a>
<a href="/games">Games</a>
"""


@pytest.fixture(scope="module")
def html() -> dict[str, str]:
    files = with_parts(read_files(STATIC))
    return {name: files[name].plain.decode() for name in PAGES}


def completed(page: str, **scripts: str) -> str:
    """Return a page with its parts; the scripts are named without their suffix."""
    texts = {PARTS: PART_TEXTS, "one.html": page}
    texts |= {f"js/{name.replace('__', '/')}.js": text for name, text in scripts.items()}
    files = {
        name: StaticFile.of(text.encode(), TYPES[Path(name).suffix]) for name, text in texts.items()
    }
    return with_parts(files)["one.html"].plain.decode()


def imported_by(script: str) -> set[str]:
    """Return all scripts that a script imports, by their names below the static folder."""
    found: set[str] = set()
    waiting = [script]
    while waiting:
        one = waiting.pop()
        for name in IMPORT.findall((STATIC / one).read_text()):
            path = normpath(Path(one).parent / name)
            if path not in found:
                found.add(path)
                waiting.append(path)
    return found


@each("page", PAGES)
def test_a_page_preloads_exactly_the_scripts_that_it_imports(
    page: str, html: dict[str, str]
) -> None:
    (entry,) = ENTRY.findall(html[page])
    assert sorted(PRELOAD.findall(html[page])) == sorted(imported_by(entry))


@each("page", PAGES)
def test_a_page_has_one_head_and_no_mark_left(page: str, html: dict[str, str]) -> None:
    assert html[page].startswith("<!DOCTYPE html>")
    assert html[page].count("<title>") == html[page].count("/css/page.css") == 1
    assert re.findall(r"^<!-- [a-z ]+(?: /\w*)? -->$", html[page], re.MULTILINE) == []


@pytest.mark.parametrize(
    ("page", "current"),
    [
        ("index.html", ["/"]),
        ("games.html", ["/games"]),
        ("stats.html", ["/stats"]),
        ("players.html", ["/players"]),
        ("game.html", []),
        ("club_tournaments.html", ["/tournaments"]),
    ],
)
def test_a_page_marks_its_own_link(page: str, current: list[str], html: dict[str, str]) -> None:
    assert re.findall(r'<a href="(\S+)" aria-current="page"', html[page]) == current
    assert html[page].count("aria-current") == len(current)


def test_a_mark_stands_for_a_part() -> None:
    assert completed("<!-- head -->\n<!-- club pages / -->\n<p><!-- head --></p>\n") == (
        "<!DOCTYPE html>\n"
        '<a class="brand" href="/">urpi</a>\n'
        '<a href="/" aria-current="page">Wall</a>\n'
        '<a href="/games">Games</a>\n'
        "<p><!-- head --></p>\n"
    )


def test_scripts_are_preloaded_that_are_imported_through_others() -> None:
    page = completed(
        '<script type="module" src="/static/js/club/wall.js"></script>\n',
        club__wall='import { a } from "../a.js";\nimport {\n  b,\n  c,\n} from "./b.js";\n',
        club__b='export { c } from "../c.js";\nimport "../d.js";\n',
        a='import { b } from "./club/b.js";\nconst later = () => import("./later.js");\n',
        c='import { d } from "./d.js";\n',
        d='import { c } from "./c.js";\n// import { other } from "./other.js";\n',
        later="",
        other="",
    )
    names = ["a", "c", "club/b", "d"]
    assert PRELOAD.findall(page) == [f"js/{name}.js" for name in names]


def test_a_page_with_an_unknown_mark_is_not_served() -> None:
    with pytest.raises(KeyError, match="tail"):
        completed("<!-- tail -->\n")
