"""Markdown as text: headings, lists and tables. What stands in a cell is escaped."""

from collections.abc import Iterable, Sequence
from typing import Final

MADE: Final = "<!-- Made by `make generated`: change the code that it is made of, {source}. -->"


def page(title: str, source: str, *blocks: str) -> str:
    """A page: title, where it is made, and its blocks, an empty line between them."""
    return "\n\n".join([MADE.format(source=source), f"# {title}", *filter(None, blocks)]) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""A table; a stroke in a cell is escaped, as it would begin another one.

    >>> print(table(["code", "said"], [["`a`", "x | y"]]))
    | code | said |
    |---|---|
    | `a` | x \| y |
    """
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(_row(cells, is_rule=number == 1) for number, cells in enumerate(lines))


def _row(cells: Sequence[str], *, is_rule: bool) -> str:
    if is_rule:
        return f"|{'|'.join(cells)}|"
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def bullets(items: Iterable[str]) -> str:
    """A list with an item a line."""
    return "\n".join(f"- {item}" for item in items)
