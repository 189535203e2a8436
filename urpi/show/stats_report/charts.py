"""Charts of the figures, with the meaning of each interval."""

from collections.abc import Iterator
from typing import Final

from urpi.journal.stats import DieFigures, Figures, Pair, Player, ReviewFigures, quantile
from urpi.show.stats_report.review_charts import review_charts_of
from urpi.show.stats_report.review_tables import review_notes_of, review_tables_of, reviewed_of
from urpi.show.stats_report.tables import (
    longest_of,
    name_of,
    notes_of,
    tables_of,
    title_of,
)
from urpi.show.svg import Chart, Mark, chart, element, escaped, html_document
from urpi.show.words import Words
from urpi.show.words.sentences import N_

MAX_ROWS: Final = 24
"""Maximum number of rows of a chart; those with most games are first."""
LONGEST_NAME: Final = 9
SHARE_INTERVAL: Final = N_(
    "Lines: where the share after very many games is in 95 of 100 cases (Clopper-Pearson interval)"
)
GAP: Final = 24

PAGE_STYLE: Final = """
:root { color-scheme: light dark; } body { margin: 0 auto; max-width: 1000px; padding: 24px 20px;
  font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; background: Canvas; color: CanvasText; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 36px; }
svg { width: 100%; height: auto; direction: ltr; margin: 10px 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }
th, td { padding-block: 5px; padding-inline: 0 14px; text-align: start;
  border-bottom: 1px solid GrayText; white-space: nowrap; }
td.number, th.number { text-align: end; }
"""


def charts_of(figures: Figures, words: Words) -> Iterator[Chart]:
    """Yield every chart that has data."""
    players = [player for player in figures.players[:MAX_ROWS] if player.throws]
    decided = [player for player in players if player.wins + player.losses]
    pairs = [pair for pair in figures.pairs[:MAX_ROWS] if sum(pair.wins)]
    tipped = [die for die in figures.dice if die.marks is not None]
    if decided:
        yield _wins(decided, words)
    if pairs:
        yield _pairs(pairs, words)
    if players:
        yield _luck(players, words)
        yield _turns(players, words)
    if tipped:
        yield _dice(tipped, words)


def _short(player: str, words: Words) -> str:
    """Return a name truncated so that two fit in one row."""
    name = name_of(player, words)
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _of(count: int, of: int, words: Words) -> str:
    return words.text(N_("{count} of {all}")).format(count=count, all=of)


def _wins(players: list[Player], words: Words) -> Chart:
    marks = (
        Mark(
            name_of(one.name, words),
            100 * one.wins / (one.wins + one.losses),
            100 * one.won.low,
            100 * one.won.high,
            _of(one.wins, one.wins + one.losses, words),
        )
        for one in players
    )
    return Chart(
        words.text(N_("Games won, by player")),
        words.text(SHARE_INTERVAL),
        words.text(N_("games won, % of those won or lost")),
        tuple(marks),
        bars=True,
        low=0,
        high=100,
    )


def _pairs(pairs: list[Pair], words: Words) -> Chart:
    marks = (
        Mark(
            " - ".join(_short(name, words) for name in one.names),
            100 * one.wins[0] / sum(one.wins),
            100 * one.won.low,
            100 * one.won.high,
            f"{one.wins[0]} : {one.wins[1]}",
            expected=50,
        )
        for one in pairs
    )
    return Chart(
        words.text(N_("Games won by the first of a pair")),
        words.joined((words.text(SHARE_INTERVAL), words.text(N_("dashes: even"))), "; "),
        words.text(N_("games won by the first, % of those won or lost")),
        tuple(marks),
        low=0,
        high=100,
    )


def _luck(players: list[Player], words: Words) -> Chart:
    marks = []
    for one in players:
        mean, middle, fair = one.mean, one.expected, one.fair
        assert mean is not None
        assert middle is not None
        assert fair is not None
        low, high = fair.low - middle, fair.high - middle
        text = f"{words.number(mean, 2)} / {words.number(middle, 2)}"
        label = name_of(one.name, words)
        marks.append(Mark(label, mean - middle, low, high, text, expected=0))
    return Chart(
        words.text(N_("Luck: the average throw, compared with that of fair dice")),
        words.text(
            N_(
                "Lines: where the average is with fair dice in 95 of 100 cases; figures: "
                "thrown / expected"
            )
        ),
        words.text(N_("average throw less the expected one, points")),
        tuple(marks),
        point=words.decimal_sign,
    )


def _turns(players: list[Player], words: Words) -> Chart:
    marks = []
    for one in players:
        if not one.turn_ms:
            continue
        median, slow = (quantile(one.turn_ms, share) or 0 for share in (0.5, 0.9))
        text = f"{words.number(median / 1000, 1)} / {words.number(slow / 1000, 1)}"
        label = name_of(one.name, words)
        marks.append(Mark(label, median / 1000, median / 1000, slow / 1000, text))
    return Chart(
        words.text(N_("Time of a turn")),
        words.text(
            N_(
                "Dots: half of the turns were shorter (median); lines: up to 9 of 10 turns "
                "(90th percentile)"
            )
        ),
        words.text(N_("time from the opponent's move to one's own, s")),
        tuple(marks),
        low=0,
        point=words.decimal_sign,
    )


def _dice(dice: list[DieFigures], words: Words) -> Chart:
    marks = []
    for one in dice:
        assert one.marks is not None
        share = one.tally.marked / one.tally.throws if one.tally.throws else 0.0
        marks.append(
            Mark(
                words.device(f"die {one.tally.die}"),
                100 * share,
                100 * one.marks.low,
                100 * one.marks.high,
                _of(one.tally.marked, one.tally.throws, words),
                expected=100 * one.tally.fair_share,
            )
        )
    return Chart(
        words.text(N_("Dice: how often a marked tip was up")),
        words.joined((words.text(SHARE_INTERVAL), words.text(N_("dashes: a fair die"))), "; "),
        words.text(N_("marked tips, % of throws")),
        tuple(marks),
    )


def one_picture(figures: Figures, reviews: ReviewFigures, words: Words) -> str:
    """Return all charts below each other as one SVG picture."""
    charts = (*charts_of(figures, words), *review_charts_of(reviews, words))
    drawn = [chart(each) for each in charts]
    top, placed = 0.0, []
    for each in drawn:
        width, height = _size(each)
        placed.append(
            each.replace("<svg ", f'<svg y="{top:g}" width="{width}" height="{height}" ', 1)
        )
        top += float(height) + GAP
    return element(
        "svg", *placed, xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 720 {max(top, 1):g}"
    )


def _size(picture: str) -> tuple[str, str]:
    """Return the width and height of a picture's viewBox."""
    _, _, width, height = picture.partition('viewBox="')[2].partition('"')[0].split()
    return width, height


def page(figures: Figures, reviews: ReviewFigures, words: Words) -> str:
    """Return the charts and tables as one HTML page without scripts and references."""
    title = title_of(figures, words)
    parts = [element("h1", escaped(title))]
    parts += [chart(each) for each in charts_of(figures, words)]
    parts += [chart(each) for each in review_charts_of(reviews, words)]
    review_tables = review_tables_of(reviews, figures.players, words)
    for heading, columns, rows in (*tables_of(figures, words), *review_tables):
        head = element("tr", *(element("th", escaped(column.heading)) for column in columns))
        body = (element("tr", *(element("td", escaped(c)) for c in row)) for row in rows)
        table = element("table", element("thead", head), element("tbody", *body))
        parts += [element("h2", escaped(heading)), element("div", table, class_="wide")]
    notes = (
        *longest_of(figures, words),
        *notes_of(words),
        *filter(None, [reviewed_of(reviews, words)]),
        *review_notes_of(reviews, words),
    )
    parts += [element("p", escaped(note)) for note in notes]
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    head = element(
        "head",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        element("title", escaped(title)),
        element("style", PAGE_STYLE),
    )
    return html_document(head, element("body", *parts), words.language, words.direction)
