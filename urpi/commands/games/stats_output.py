"""Output of `urpi games stats`: tables, JSON and charts."""

import json
from collections.abc import Iterator
from pathlib import Path

import click

from urpi.commands.games.terminal_text import printable, table
from urpi.commands.output import write_text
from urpi.journal import Choice, Journal, list_games
from urpi.stats import Figures, summarize
from urpi.stats_report.reading import figures_in
from urpi.stats_report.tables import longest_of, notes_of, tables_of, title_of
from urpi.stats_report.values import figures_values
from urpi.words import Words


def statistics_of(journal: Journal, path: Path, choice: Choice, jobs: int) -> Figures:
    """Return the figures of the selected games, read in several processes.

    Args:
        journal: The journal.
        path: Its file.
        choice: Selects the games.
        jobs: The number of processes.

    Raises:
        UrpiError: If a game cannot be read.
    """
    chosen = [game.id for game in reversed(list_games(journal, choice))]
    return summarize(figures_in(path, chosen, jobs))


def print_figures(
    figures: Figures, words: Words, *, as_json: bool, svg: Path | None, html: Path | None
) -> None:
    """Write the charts and tables to the given files, or else print the tables.

    Raises:
        UrpiError: If a file cannot be written.
    """
    if svg is not None or html is not None:
        _draw(figures, words, svg, html)
    if as_json:
        click.echo(json.dumps(figures_values(figures), ensure_ascii=False))
    elif svg is None and html is None:
        for line in _lines(figures, words):
            click.echo(line)


def _draw(figures: Figures, words: Words, svg: Path | None, html: Path | None) -> None:
    from urpi.stats_report.charts import one_picture, page

    if svg is not None:
        write_text(svg, one_picture(figures, words))
    if html is not None:
        write_text(html, page(figures, words))


def _lines(figures: Figures, words: Words) -> Iterator[str]:
    yield title_of(figures, words)
    for heading, columns, rows in tables_of(figures, words):
        yield ""
        yield heading
        printable_rows = [tuple(map(printable, row)) for row in rows]
        headings = [column.heading.upper() for column in columns]
        right = {column.heading.upper() for column in columns if column.right}
        yield from table(headings, printable_rows, right)
    yield ""
    yield from map(printable, longest_of(figures, words))
    yield from notes_of(words)
