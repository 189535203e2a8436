"""Output of `urpi games stats`: tables, JSON and charts."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, Literal, TypeAlias

import click

from urpi import __version__
from urpi.cli.output import json_text, printable, table, write
from urpi.journal import Choice, GameSummary, Journal, has_known_rules, list_games
from urpi.journal.rows import write_rows
from urpi.journal.stats import Figures, ReviewFigures, summarize, summarize_reviews
from urpi.show.stats_report.figure_file import FigureFile, ends_of, has_ended
from urpi.show.stats_report.reading import figures_in
from urpi.show.stats_report.review_tables import review_notes_of, review_tables_of, reviewed_of
from urpi.show.stats_report.tables import longest_of, notes_of, tables_of, title_of
from urpi.show.stats_report.values import COLUMNS, figure_rows, figures_values
from urpi.show.words import Words
from urpi.show.words.sentences import N_

StatisticsForm: TypeAlias = Literal["text", "json", "jsonl", "csv", "tsv"]
FORMS: Final[Mapping[str, StatisticsForm]] = {
    ".txt": "text",
    ".json": "json",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
}
"""The formats by the suffixes of their files."""
COMMAND_FOR_OTHERS: Final = N_("The command `urpi games figures` reviews the others.")


def statistics_of(
    journal: Journal, path: Path, choice: Choice, jobs: int
) -> tuple[Figures, ReviewFigures]:
    """Return the figures of the selected games, and those of the reviews that are stored.

    Missing figures are computed in several processes, and stored for games that have ended.

    Args:
        journal: The journal.
        path: Its file.
        choice: Selects the games.
        jobs: The number of processes.

    Raises:
        UrpiError: If a game cannot be read.
    """
    games = readable_games(journal, list_games(journal, choice)[::-1])
    file, ends = FigureFile(path), ends_of(journal)
    figures = file.read(games, ends)
    missing = [game for game in games if game not in figures]
    computed = {one.game: one for one in figures_in(path, [game.id for game in missing], jobs)}
    file.write({game: computed.get(game.id) for game in missing if has_ended(game)}, ends)
    figures |= {game: computed.get(game.id) for game in missing}
    reviews = {number: one for number, one in file.read_reviews(games, ends).items() if one}
    days = {game.id: game.started.astimezone().date().isoformat() for game in games}
    found = [one for game in games if (one := figures[game]) is not None]
    return summarize(found), summarize_reviews(((one, days[one.game]) for one in found), reviews)


def readable_games(journal: Journal, games: Iterable[GameSummary]) -> tuple[GameSummary, ...]:
    """Return the games whose rules this program has; print which others are left out."""
    found: list[GameSummary] = []
    others: dict[str, list[GameSummary]] = {}
    for game in games:
        place = found if has_known_rules(game) else others.setdefault(game.rules, [])
        place.append(game)
    for rules, some in others.items():
        left_out = "1 game is" if len(some) == 1 else f"{len(some)} games are"
        click.echo(
            f"{left_out} left out, by rules that urpi {__version__} does not have ({rules}): "
            f"game {some[-1].id} in {journal.path} was stored by urpi {some[-1].program}; a "
            "version with these rules includes it.",
            err=True,
        )
    return tuple(found)


def print_figures(
    figures: Figures,
    reviews: ReviewFigures,
    words: Words,
    form: StatisticsForm,
    output: Path | None = None,
) -> None:
    """Write the figures in a format to a file, by default to standard output.

    Raises:
        UrpiError: If the file cannot be written.
    """
    if form == "text":
        parts = [f"{line}\n" for line in _lines(figures, reviews, words)]
    elif form == "json":
        parts = [json_text(figures_values(figures, reviews)), "\n"]
    else:
        parts = []
        rows = figure_rows(figures, reviews)
        write_rows("json" if form == "jsonl" else form, COLUMNS, rows, parts.append)
    write(output, "".join(parts))


def draw_figures(
    figures: Figures, reviews: ReviewFigures, words: Words, svg: Path | None, html: Path | None
) -> None:
    """Write the charts and tables to the given files.

    Raises:
        UrpiError: If a file cannot be written.
    """
    from urpi.show.stats_report.charts import one_picture, page

    if svg is not None:
        write(svg, one_picture(figures, reviews, words))
    if html is not None:
        write(html, page(figures, reviews, words))


def _lines(figures: Figures, reviews: ReviewFigures, words: Words) -> Iterator[str]:
    yield title_of(figures, words)
    review_tables = review_tables_of(reviews, figures.players, words)
    for heading, columns, rows in (*tables_of(figures, words), *review_tables):
        yield ""
        yield heading
        printable_rows = [tuple(map(printable, row)) for row in rows]
        headings = [column.heading.upper() for column in columns]
        right = {column.heading.upper() for column in columns if column.right}
        yield from table(headings, printable_rows, right)
    yield ""
    yield from map(printable, longest_of(figures, words))
    yield from notes_of(words)
    yield from review_notes_of(reviews, words)
    if reviewed := reviewed_of(reviews, words):
        yield f"{reviewed} {words.text(COMMAND_FOR_OTHERS)}" if reviews.missing else reviewed
