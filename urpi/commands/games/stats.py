"""`urpi games stats`: figures over the games, as tables, JSON and charts."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click

from urpi.commands.games.choice import choosing_games
from urpi.commands.games.figures import figures_in
from urpi.commands.games.group import AS_JSON, JOBS, games, journal_path, open_journal
from urpi.commands.games.output import write_text
from urpi.commands.games.stats_charts import Table, name_of, one_picture, page
from urpi.commands.games.tables import harmless, table
from urpi.dice import Interval
from urpi.journal import Choice, list_games
from urpi.stats import Die, Figures, GameFigures, Pair, Player, quantile, sum_up

_FILE: Final = click.Path(path_type=Path, dir_okay=False)
NOTES: Final = (
    "Won: share of the games that were won or lost, with its 95 % Clopper-Pearson interval.",
    (
        "Throw: what a throw counted on average; fair: where fair dice put the mean of so many "
        "throws 95 times of 100 (counted out up to 300 throws, the normal distribution beyond)."
    ),
    "Turn: from the other side's move to one's own, seconds; p90 is not exceeded by 90 of 100.",
    (
        "Dice: throws that a person entered are left out; p values with the other dice in mind "
        "(Holm), exact binomial for marks, chi-square for faces; a sign is p of 0.05 or less."
    ),
)
_PLAYERS: Final = (
    "PLAYER", "GAMES", "WON", "LOST", "DRAWN", "SHARE", "95 %", "THROW", "EXPECTED", "FAIR",
    "CAPTURES", "ROSETTES", "TURN", "P90",
)  # fmt: skip
_PAIRS: Final = ("PAIR", "GAMES", "WON", "LOST", "DRAWN", "SHARE", "95 %")
_DICE: Final = ("DIE", "THROWS", "SHOWED", "MARKS", "95 %", "P MARKS", "P FACES", "SIGN")
_RIGHT: Final = frozenset({*_PLAYERS[1:], *_PAIRS[1:], "DIE", "THROWS", "P MARKS", "P FACES"})


@games.command()
@choosing_games
@AS_JSON
@click.option("--svg", metavar="FILE", type=_FILE, help="Draw the charts there, as one picture.")
@click.option("--html", metavar="FILE", type=_FILE, help="Write a page of charts and tables there.")
@JOBS
@click.pass_context
def stats(  # noqa: PLR0913, PLR0917 - a call's options
    ctx: click.Context,
    choice: Choice,
    as_json: bool,
    svg: Path | None,
    html: Path | None,
    jobs: int,
) -> None:
    """Tell how the games went: by player, by pair, by die, and what was longest."""
    chosen = [game.id for game in reversed(list_games(open_journal(ctx), choice))]
    figures = sum_up(figures_in(journal_path(ctx), chosen, jobs))
    if svg is not None:
        write_text(svg, one_picture(figures))
    if html is not None:
        title = f"{figures.games} games, {figures.ended} played to an end"
        notes = [*_longest(figures), *NOTES]
        write_text(html, page(title, list(_tables(figures)), notes, figures))
    if as_json:
        click.echo(json.dumps(_told(figures), ensure_ascii=False))
    elif svg is None and html is None:
        for line in _lines(figures):
            click.echo(line)


def _lines(figures: Figures) -> Iterator[str]:
    yield f"{figures.games} games, {figures.ended} played to an end"
    for heading, columns, rows in _tables(figures):
        yield ""
        yield heading
        harmless_rows = [tuple(map(harmless, row)) for row in rows]
        yield from table(columns, harmless_rows, _RIGHT)
    yield ""
    yield from map(harmless, _longest(figures))
    yield from NOTES


def _tables(figures: Figures) -> Iterator[Table]:
    if figures.players:
        yield "Players", _PLAYERS, [_player(one) for one in figures.players]
    if figures.pairs:
        yield "Pairs", _PAIRS, [_pair(one) for one in figures.pairs]
    if figures.dice:
        yield "Dice", _DICE, [_die(one) for one in figures.dice]


def _player(one: Player) -> tuple[str, ...]:
    return (
        name_of(one.name),
        *map(str, (one.games, one.wins, one.losses, one.draws)),
        *_share(one.wins, one.wins + one.losses, one.won),
        _number(one.mean),
        _number(one.expected),
        f"{one.fair.low:.2f}-{one.fair.high:.2f}" if one.fair else "-",
        f"{one.captures / one.games:.1f}",
        f"{one.rosettes / one.games:.1f}",
        _seconds(quantile(one.turn_ms, 0.5)),
        _seconds(quantile(one.turn_ms, 0.9)),
    )


def _pair(one: Pair) -> tuple[str, ...]:
    return (
        " - ".join(map(name_of, one.names)),
        *map(str, (one.games, *one.wins, one.draws)),
        *_share(one.wins[0], sum(one.wins), one.won),
    )


def _die(one: Die) -> tuple[str, ...]:
    tally = one.tally
    shown = zip(tally.outcomes, tally.counts, strict=True)
    return (
        str(tally.die),
        str(tally.throws),
        " ".join(f"{outcome[0]}:{count}" for outcome, count in shown),
        *(_share(tally.marked, tally.throws, one.marks) if one.marks else ("-", "-")),
        _number(one.marks_p),
        _number(one.faces_p),
        "yes" if one.signs else "no",
    )


def _share(count: int, of: int, interval: Interval) -> tuple[str, str]:
    if not of:
        return "-", "-"
    return f"{100 * count / of:.1f} %", f"{100 * interval.low:.1f}-{100 * interval.high:.1f} %"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _seconds(ms: int | None) -> str:
    return "-" if ms is None else f"{ms / 1000:.1f}"


def _longest(figures: Figures) -> list[str]:
    if figures.longest is None or figures.slowest is None:
        return []
    longest, slowest = figures.longest, figures.slowest
    minutes = slowest.lasted_ms / 60_000
    return [
        f"Longest game by throws: game {longest.game}, {_who(longest)}, {longest.throws} throws.",
        f"Longest game by time: game {slowest.game}, {_who(slowest)}, {minutes:.1f} minutes.",
    ]


def _who(game: GameFigures) -> str:
    return f"{name_of(game.light)} against {name_of(game.dark)}"


def _told(figures: Figures) -> dict[str, Any]:
    return {
        "games": figures.games,
        "ended": figures.ended,
        "players": [_player_told(one) for one in figures.players],
        "pairs": [_pair_told(one) for one in figures.pairs],
        "dice": [_die_told(one) for one in figures.dice],
        "longest": figures.longest and _game_told(figures.longest),
        "slowest": figures.slowest and _game_told(figures.slowest),
    }


def _player_told(one: Player) -> dict[str, Any]:
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


def _pair_told(one: Pair) -> dict[str, Any]:
    return asdict(one) | {"first_won_95": list(one.won)}


def _die_told(one: Die) -> dict[str, Any]:
    return {
        "die": one.tally.die,
        "outcomes": list(one.tally.outcomes),
        "counts": list(one.tally.counts),
        "marks_95": one.marks and list(one.marks),
        "marks_p": one.marks_p,
        "faces_p": one.faces_p,
        "signs": one.signs,
    }


def _game_told(game: GameFigures) -> dict[str, Any]:
    return {"game": game.game, "throws": game.throws, "lasted_ms": game.lasted_ms}
