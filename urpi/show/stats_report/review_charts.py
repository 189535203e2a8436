"""Charts of reviewed games: what decisions give away, also over time, luck, and mistakes."""

from collections.abc import Iterable, Iterator
from typing import Final

from urpi.journal.stats import ReviewFigures, SideReview, costs_of
from urpi.show.review_report.wording import MISTAKE_TEXTS
from urpi.show.stats_report.review_tables import over_time, points, signed
from urpi.show.stats_report.tables import name_of
from urpi.show.svg import Chart, Mark
from urpi.show.words import Words
from urpi.show.words.sentences import N_

MAX_ROWS: Final = 24
"""Maximum number of rows of a chart; the players with most decisions are first."""
INTERVAL: Final = N_(
    "Lines: where the average after very many decisions is in 95 of 100 cases (95% interval)"
)
GIVEN_AWAY: Final = N_("chance of winning that a decision gives away, percentage points")


def review_charts_of(figures: ReviewFigures, words: Words) -> Iterator[Chart]:
    """Yield every chart that has data."""
    players = [one for one in figures.players[:MAX_ROWS] if one.sums.decisions]
    if players:
        marks = [given_away(name_of(one.name, words), one.sums, words) for one in players]
        yield decision_chart(words.text(N_("Given away in a decision, by player")), marks, words)
    for one in over_time(figures):
        marks = [given_away(each.name, each.sums, words) for each in one.periods]
        title = words.text(N_("Given away in a decision, over time: {name}"))
        yield decision_chart(title.format(name=name_of(one.name, words)), marks, words)
    if players:
        yield _luck(figures, words)
    if costs_of(figures.all):
        yield _costs(figures, words)


def given_away(label: str, sums: SideReview, words: Words) -> Mark:
    """Return the row of a `decision_chart`."""
    lost, interval = sums.loss_per_decision or 0.0, sums.loss_interval
    low, high = (100 * interval.low, 100 * interval.high) if interval else (None, None)
    return Mark(label, 100 * lost, low, high, points(lost, words))


def decision_chart(title: str, marks: list[Mark], words: Words) -> Chart:
    """Return the chart of what decisions give away on average."""
    return Chart(
        title,
        words.text(INTERVAL),
        words.text(GIVEN_AWAY),
        tuple(marks),
        low=0,
        point=words.decimal_sign,
    )


def _luck(figures: ReviewFigures, words: Words) -> Chart:
    rows = [(name_of(one.name, words), one.sums) for one in figures.players[:MAX_ROWS]]
    return luck_chart(words.text(N_("Luck in a reviewed game")), rows, words)


def luck_chart(title: str, rows: Iterable[tuple[str, SideReview]], words: Words) -> Chart:
    """Return the chart of the average luck in a game, with a label for each row."""
    marks = []
    for label, sums in rows:
        luck, fair = sums.luck_per_game or 0.0, sums.fair_luck or 0.0
        marks.append(
            Mark(label, 100 * luck, -100 * fair, 100 * fair, signed(luck, words), expected=0)
        )
    return Chart(
        title,
        words.text(N_("Lines: where the average is with fair dice in 95 of 100 cases")),
        words.text(N_("luck in a game, percentage points of the chance of winning")),
        tuple(marks),
        point=words.decimal_sign,
    )


def _costs(figures: ReviewFigures, words: Words) -> Chart:
    costs = costs_of(figures.all)
    lost = sum(loss for _, _, loss in costs)
    marks = (
        Mark(
            words.text(MISTAKE_TEXTS[kind]),
            100 * loss / lost,
            text=words.percent(100 * loss / lost, 1),
        )
        for kind, _, loss in costs
    )
    return Chart(
        words.text(N_("Most expensive mistakes")),
        words.text(N_("All players together")),
        words.text(N_("share of what all mistakes give away, %")),
        tuple(marks),
        bars=True,
        low=0,
        point=words.decimal_sign,
    )
