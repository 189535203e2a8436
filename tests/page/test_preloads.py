"""Every page preloads its scripts, so that a browser fetches them in parallel."""

import re
from os.path import normpath
from pathlib import Path

import pytest

import urpi.page

STATIC = Path(urpi.page.__file__).parent / "static"
IMPORT = re.compile(r'^(?:import|export) [^"]*?from "(\.\.?/[^"]+)";', re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r'<script type="module" src="/static/([^"]+)">')
PRELOAD = re.compile(r'<link rel="modulepreload" href="/static/([^"]+)">')


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


@pytest.mark.parametrize("page", sorted(STATIC.glob("*.html")), ids=lambda page: page.name)
def test_a_page_preloads_exactly_the_scripts_that_it_imports(page: Path) -> None:
    text = page.read_text()
    (entry,) = ENTRY.findall(text)
    assert sorted(PRELOAD.findall(text)) == sorted(imported_by(entry))
