"""The figures as values for JSON, and as rows for spreadsheets and other programs."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from urpi.journal.rows import Row, Value
from urpi.journal.stats import (
    DieFigures,
    Figures,
    GameFigures,
    Pair,
    Player,
    PlayerReview,
    ReviewFigures,
    RuleSetFigures,
    SideReview,
    costs_of,
    quantile,
)
from urpi.journal.stats.published import (
    MEASURES,
    PERFECT,
    PERFECT_CAPTURES,
    PUBLISHED,
    RULES,
    Recomputed,
)

COLUMNS: Final = ("table", "name", "figure", "value")
"""The columns of `figure_rows`."""


def figures_values(figures: Figures, reviews: ReviewFigures) -> dict[str, Any]:
    """Return the figures as a JSON object; losses and luck are probabilities, from 0 to 1."""
    return {
        "games": figures.games,
        "ended": figures.ended,
        "players": [_player_values(one) for one in figures.players],
        "pairs": [_pair_values(one) for one in figures.pairs],
        "dice": [_die_values(one) for one in figures.dice],
        "rule_sets": [_rule_set_values(one) for one in figures.rule_sets],
        "longest": figures.longest and _game_values(figures.longest),
        "slowest": figures.slowest and _game_values(figures.slowest),
        "reviews": {
            "games": reviews.games,
            "exact": reviews.exact,
            "missing": reviews.missing,
            "players": [_reviewed_values(one) for one in reviews.players],
            "mistakes": [
                {"kind": kind, "count": count, "loss": loss}
                for kind, count, loss in costs_of(reviews.all)
            ],
        },
        "published": _published_values(reviews.published),
    }


def _published_values(found: Recomputed) -> dict[str, Any]:
    """The published figures; each value is followed by the ends of its 95 % interval."""
    return {
        "rules": RULES,
        "games": found.games,
        "reviewed": found.reviewed,
        "figures": {
            measure: {
                "published": PUBLISHED[measure],
                "perfect": PERFECT.get(measure),
                "here": found.values[measure],
            }
            for measure in MEASURES
        },
        "captures": dict(found.captures),
        "perfect_captures": dict(PERFECT_CAPTURES),
    }


def _reviewed_values(one: PlayerReview) -> dict[str, Any]:
    sums = one.sums
    return {
        "name": one.name,
        **_decision_values(sums),
        "mistakes": sums.mistakes.total(),
        "throws": sums.throws,
        "luck": sums.luck,
        "luck_per_game": sums.luck_per_game,
        "fair_luck_95": sums.fair_luck,
        "periods": [{"period": each.name, **_decision_values(each.sums)} for each in one.periods],
    }


def _decision_values(sums: SideReview) -> dict[str, Any]:
    return {
        "games": sums.games,
        "decisions": sums.decisions,
        "loss": sums.loss,
        "loss_per_decision": sums.loss_per_decision,
        "loss_per_decision_95": sums.loss_interval and list(sums.loss_interval),
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
        "hints": one.hints,
        "turns": len(one.turn_ms),
        "turn_ms": {"median": quantile(one.turn_ms, 0.5), "p90": quantile(one.turn_ms, 0.9)},
    }


def _pair_values(one: Pair) -> dict[str, Any]:
    return asdict(one) | {"first_won_95": list(one.won)}


def _rule_set_values(one: RuleSetFigures) -> dict[str, Any]:
    return {
        "rules": one.rules,
        "games": one.games,
        "light_wins": one.wins[0],
        "dark_wins": one.wins[1],
        "draws": one.draws,
        "light_won_95": list(one.won),
        "throws": {"median": quantile(one.throws, 0.5), "p90": quantile(one.throws, 0.9)},
        "lasted_ms": {"median": quantile(one.lasted_ms, 0.5), "p90": quantile(one.lasted_ms, 0.9)},
    }


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
