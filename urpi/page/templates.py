"""The HTML of all pages, of a table and of a club, with what they have in common.

A line such as ``<!-- head -->`` in an HTML file stands for a part of the file `PARTS`;
``<!-- club pages /games -->`` marks /games as the current page. Comments for translators are left
out. Every script that a page imports is
preloaded, so that a browser fetches them in parallel.
"""

import re
from collections.abc import Mapping
from posixpath import dirname, join, normpath
from typing import Final, TypeAlias

from urpi.http.static_files import StaticFile

PARTS: Final = "parts.html"
_MARK: Final = re.compile(r"^<!-- ([a-z ]+?)(?: (/\w*))? -->\n", re.MULTILINE)
_TRANSLATORS: Final = re.compile(r"^ *<!-- Translators: .*? -->\n", re.MULTILINE | re.DOTALL)
_ENTRY: Final = re.compile(r'^<script type="module" src="/static/(.+)">', re.MULTILINE)
_IMPORT: Final = re.compile(r'^(?:import|export) (?:[^"]*? from )?"(\.\.?/[^"]+)";', re.MULTILINE)

Imports: TypeAlias = Mapping[str, tuple[str, ...]]
"""The scripts that each script imports."""


def with_parts(files: Mapping[str, StaticFile]) -> dict[str, StaticFile]:
    """The files without `PARTS`, whose parts are in the pages."""
    parts = _parts(_TRANSLATORS.sub("", files[PARTS].plain.decode()))
    imports = {name: _imports(name, file) for name, file in files.items() if name.endswith(".js")}

    def complete(file: StaticFile) -> StaticFile:
        html = _with_parts(_TRANSLATORS.sub("", file.plain.decode()), parts)
        html = _with_preloads(html, imports)
        return StaticFile.of(html.encode(), file.type)

    return {
        name: complete(file) if name.endswith(".html") else file
        for name, file in files.items()
        if name != PARTS
    }


def imported(files: Mapping[str, StaticFile], script: str) -> tuple[str, ...]:
    """A script, and those that it imports, also through others; not those that it loads later."""
    imports = {name: _imports(name, file) for name, file in files.items() if name.endswith(".js")}
    return (script, *sorted(_all_imports(script, imports)))


def _parts(text: str) -> dict[str, str]:
    # `split` returns what is before the first mark, then both groups and the text of each.
    _, *found = _MARK.split(text)
    return dict(zip(found[::3], found[2::3], strict=True))


def _with_parts(html: str, parts: Mapping[str, str]) -> str:
    def part(mark: re.Match[str]) -> str:
        name, current = mark.groups()
        link = f'<a href="{current}"'
        return parts[name].replace(link, f'{link} aria-current="page"')

    return _MARK.sub(part, html)


def _imports(name: str, script: StaticFile) -> tuple[str, ...]:
    folder = dirname(name)
    return tuple(normpath(join(folder, one)) for one in _IMPORT.findall(script.plain.decode()))


def _with_preloads(html: str, imports: Imports) -> str:
    def preloads(entry: re.Match[str]) -> str:
        links = (
            f'<link rel="modulepreload" href="/static/{script}">\n'
            for script in sorted(_all_imports(entry[1], imports))
        )
        return "".join(links) + entry[0]

    return _ENTRY.sub(preloads, html)


def _all_imports(script: str, imports: Imports) -> set[str]:
    """The scripts that a script imports, also through others."""
    found: set[str] = set()
    waiting = [script]
    while waiting:
        new = set(imports[waiting.pop()]) - found
        found |= new
        waiting += new
    return found
