"""The figures as rows: one for each number, for spreadsheets and other programs."""

from collections.abc import Iterator
from typing import Any, Final

from urpi.journal.rows import Row, Value
from urpi.journal.stats import Figures, ReviewFigures
from urpi.show.stats_report.values import figures_values

COLUMNS: Final = ("table", "name", "figure", "value")


def figure_rows(figures: Figures, reviews: ReviewFigures) -> Iterator[Row]:
    """Yield a row for each number: its table, whose it is, which figure it is, and its value.

    The names are those of the JSON object of `figures_values`; both ends of an interval are the
    figures ``.1`` and ``.2``.
    """
    values = figures_values(figures, reviews)
    reviewed = values.pop("reviews")
    for prefix, part in (("", values), ("reviews.", reviewed)):
        for table, content in part.items():
            for name, figure, value in _named(content):
                cells = (f"{prefix}{table}", name, figure, value)
                yield dict(zip(COLUMNS, cells, strict=True))


def _named(content: Any) -> Iterator[tuple[str, str, Value]]:
    """Yield name, figure and value of everything in a table; its rows are named by their first."""
    if not isinstance(content, list):
        yield from (("", figure, value) for figure, value in _flat(content))
        return
    for row in content:
        (_, name), *others = row.items()
        text = " - ".join(map(str, name)) if isinstance(name, list | tuple) else str(name)
        for figure, value in others:
            yield from ((text, path, number) for path, number in _flat(value, figure))


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, Value]]:
    if isinstance(value, dict):
        pairs = [(str(key), each) for key, each in value.items()]
    elif isinstance(value, list | tuple):
        pairs = [(str(number), each) for number, each in enumerate(value, 1)]
    else:
        yield path, value
        return
    for key, each in pairs:
        yield from _flat(each, f"{path}.{key}" if path else key)
