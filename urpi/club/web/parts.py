"""The pages of a club, in which a mark such as ``<!-- head -->`` stands for a part of all pages.

The parts are in the file `PARTS`. ``<!-- pages /games -->`` marks /games as the current page.
"""

import re
from collections.abc import Mapping
from typing import Final

from urpi.http.static_files import StaticFile

PARTS: Final = "club/parts.html"
_PREFIX: Final = "club_"
_MARK: Final = re.compile(
    r"^<!-- (head|pages|larger|no script|confirm)(?: (/\w*))? -->\n", re.MULTILINE
)


def with_parts(files: Mapping[str, StaticFile]) -> dict[str, StaticFile]:
    """Return the files, with the parts of the club's pages in them."""
    parts = _parts(files[PARTS].plain.decode())

    def part(mark: re.Match[str]) -> str:
        name, current = mark.groups()
        link = f'href="{current}"'
        return parts[name].replace(link, f'{link} aria-current="page"')

    return {
        name: StaticFile.of(_MARK.sub(part, file.plain.decode()).encode(), file.type)
        if name.startswith(_PREFIX)
        else file
        for name, file in files.items()
    }


def _parts(text: str) -> dict[str, str]:
    _, *found = _MARK.split(text)
    return dict(zip(found[::3], found[2::3], strict=True))
