"""Markdown tables, and the markers in a page that enclose generated text."""

from collections.abc import Iterable, Mapping, Sequence

BEGIN = "<!-- begin {name}: made by `make -C wiring` -->"
END = "<!-- end {name} -->"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table. Bars in cells are escaped.

    >>> print(table(["pin", "to"], [["7", "A1"]]))
    | pin | to |
    |---|---|
    | 7 | A1 |
    """
    lines = [heads, *rows]
    written = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in lines]
    return "\n".join([written[0], "|" + "---|" * len(heads), *written[1:]])


def filled(page: str, parts: Mapping[str, str]) -> str:
    """Return the page with those parts between their markers.

    Raises:
        LookupError: if a marker is missing.
    """
    for name, text in parts.items():
        begin, end = BEGIN.format(name=name), END.format(name=name)
        before, found, rest = page.partition(begin)
        _, closed, after = rest.partition(end)
        if not (found and closed):
            raise LookupError(f"No {begin} ... {end} for the part {name}.")
        page = f"{before}{begin}\n\n{text}\n\n{end}{after}"
    return page
