"""Output of `urpi games stats`: tables, JSON and charts."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from urpi.commands.games.figures import figures_in
from urpi.commands.games.stats_tables import longest_of, notes_of, tables_of, title_of
from urpi.commands.games.tables import printable, table
from urpi.commands.output import write_text
from urpi.journal import Choice, Journal, list_games
from urpi.stats import DieFigures, Figures, GameFigures, Pair, Player, quantile, summarize
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
        click.echo(json.dumps(_values(figures), ensure_ascii=False))
    elif svg is None and html is None:
        for line in _lines(figures, words):
            click.echo(line)


def _draw(figures: Figures, words: Words, svg: Path | None, html: Path | None) -> None:
    from urpi.commands.games.stats_charts import one_picture, page

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


def _values(figures: Figures) -> dict[str, Any]:
    return {
        "games": figures.games,
        "ended": figures.ended,
        "players": [_player_values(one) for one in figures.players],
        "pairs": [_pair_values(one) for one in figures.pairs],
        "dice": [_die_values(one) for one in figures.dice],
        "longest": figures.longest and _game_values(figures.longest),
        "slowest": figures.slowest and _game_values(figures.slowest),
    }


def _player_values(one: Player) -> dict[str, Any]:
    return {
        "name": one.name,
        "games": one.games,
        "wins": one.wins,
        "losses": one.losses,
        "draws": one.draws,
        "won_95": list(one.won),
        "throws": one.throws.total(),
        "mean": one.mean,
        "expected": one.expected,
        "fair_95": one.fair and list(one.fair[:2]),
        "fair_exact": one.fair and one.fair.exact,
        "captures": one.captures,
        "rosettes": one.rosettes,
        "turns": len(one.turn_ms),
        "turn_ms": {"median": quantile(one.turn_ms, 0.5), "p90": quantile(one.turn_ms, 0.9)},
    }


def _pair_values(one: Pair) -> dict[str, Any]:
    return asdict(one) | {"first_won_95": list(one.won)}


def _die_values(one: DieFigures) -> dict[str, Any]:
    return {
        "die": one.tally.die,
        "outcomes": list(one.tally.outcomes),
        "counts": list(one.tally.counts),
        "marks_95": one.marks and list(one.marks),
        "marks_p": one.marks_p,
        "faces_p": one.faces_p,
        "signs": one.suspicious,
    }


def _game_values(game: GameFigures) -> dict[str, Any]:
    return {"game": game.game, "throws": game.throws, "lasted_ms": game.lasted_ms}
