"""The figures of reviewed games as tables and sentences in the players' language."""

from collections.abc import Iterable, Iterator
from typing import Final

from urpi.journal.stats import Player, ReviewFigures, SideReview, costs_of
from urpi.journal.stats.reviews import PlayerReview
from urpi.show.review_report.wording import MISTAKE_TEXTS
from urpi.show.stats_report.published import published_notes, published_tables
from urpi.show.stats_report.tables import PERCENT, Column, TextTable, name_of
from urpi.show.words import Words
from urpi.show.words.sentences import N_

MAX_OVER_TIME: Final = 4
"""Maximum number of players whose decisions are shown over time; those with most come first."""
NOTES: Final = (
    N_(
        "Given away: how much of the chance of winning a decision costs on average, in "
        "percentage points, with its 95% range (normal distribution). Mistakes: moves "
        "that give away 2 points or more, for 100 decisions."
    ),
    N_(
        "Luck: how much the dice changed the chance of winning in a game, in percentage "
        "points. Fair dice: where that average is in 95 of 100 cases. The values may be "
        "estimated by networks."
    ),
)
# Translators: The headings of a table of players and their reviewed games. Given away: chance of
# winning; Hints: how many the player asked for.
_PLAYERS: Final = (
    N_("Player"), N_("Games"), N_("Decisions"), N_("Given away"), PERCENT, N_("Mistakes"),
    N_("Luck"), N_("Fair dice"), N_("Hints"),
)  # fmt: skip
# Translators: The headings of a table of months.
_TIME: Final = (
    N_("Player"), N_("Period"), N_("Games"), N_("Decisions"), N_("Given away"), PERCENT,
)  # fmt: skip
# Translators: The headings of a table of mistakes. Number: how many; Each: what one costs on
# average; Share: of what all mistakes cost.
_COSTS: Final = (N_("Mistake"), N_("Number"), N_("Each"), N_("Share"))


def over_time(figures: ReviewFigures) -> list[PlayerReview]:
    """Return the players whose decisions are shown over time."""
    found = [one for one in figures.players if len(one.periods) > 1 and one.sums.decisions]
    return found[:MAX_OVER_TIME]


def review_tables_of(
    figures: ReviewFigures, players: Iterable[Player], words: Words
) -> Iterator[TextTable]:
    """Yield the tables that have rows.

    Args:
        figures: The figures of the reviewed games.
        players: The players with their hints in all games.
        words: The language.
    """
    hints = {one.name: one.hints for one in players}
    rows = [
        (name_of(one.name, words), *_player(one.sums, words), str(hints.get(one.name, 0)))
        for one in figures.players
    ]
    yield from _table(N_("Reviewed games"), _PLAYERS, rows, words)
    rows = [
        (name_of(one.name, words), each.name, *_decisions(each.sums, words))
        for one in over_time(figures)
        for each in one.periods
    ]
    yield from _table(N_("Given away over time"), _TIME, rows, words, left=2)
    lost = sum(figures.all.mistake_losses.values())
    rows = [
        (
            words.text(MISTAKE_TEXTS[kind]),
            str(number),
            points(loss / number, words),
            words.percent(100 * loss / lost, 1),
        )
        for kind, number, loss in costs_of(figures.all)
    ]
    yield from _table(N_("Most expensive mistakes"), _COSTS, rows, words)
    yield from published_tables(figures.published, words)


def review_of_player(sums: SideReview, words: Words) -> list[tuple[str, str]]:
    """Return the figures of one player with the headings of the table of players, without hints."""
    headings = (words.text(each) for each in _PLAYERS[1:-1])
    return list(zip(headings, _player(sums, words), strict=True))


def _table(
    heading: str, columns: tuple[str, ...], rows: list[tuple[str, ...]], words: Words, left: int = 1
) -> Iterator[TextTable]:
    """Yield a table if it has rows; all columns but the first ones are right-aligned."""
    if rows:
        headings = (Column(words.text(each), at >= left) for at, each in enumerate(columns))
        yield TextTable(words.text(heading), tuple(headings), tuple(rows))


def _decisions(sums: SideReview, words: Words) -> tuple[str, ...]:
    lost, interval = sums.loss_per_decision, sums.loss_interval
    return (
        str(sums.games),
        str(sums.decisions),
        "-" if lost is None else points(lost, words),
        "-"
        if interval is None
        else f"{points(interval.low, words)}-{points(interval.high, words)}",
    )


def _player(sums: SideReview, words: Words) -> tuple[str, ...]:
    errors, luck, fair = sums.errors_per_100, sums.luck_per_game, sums.fair_luck
    return (
        *_decisions(sums, words),
        "-" if errors is None else words.number(errors, 1),
        "-" if luck is None else signed(luck, words),
        "-" if fair is None else f"± {words.number(100 * fair, 1)}",
    )


def points(value: float, words: Words) -> str:
    """Return a difference of probabilities in percentage points."""
    return words.number(100 * value, 2)


def signed(value: float, words: Words) -> str:
    """Return luck in percentage points, with its sign."""
    text = words.number(abs(100 * value), 1)
    if not text.strip("0.,"):
        return text
    return f"{'+' if value > 0 else '−'}{text}"  # noqa: RUF001 - a minus sign


def reviewed_of(figures: ReviewFigures, words: Words) -> str:
    """Return how many games are reviewed, empty if there are none that could be."""
    if not figures.games + figures.missing:
        return ""
    return words.text(
        N_("Reviewed games: {reviewed} of {all}; with exact values: {exact}.")
    ).format(reviewed=figures.games, all=figures.games + figures.missing, exact=figures.exact)


def review_notes_of(figures: ReviewFigures, words: Words) -> list[str]:
    """Return sentences that explain the tables that there are."""
    notes = [words.text(note) for note in NOTES] if figures.games else []
    return [*notes, *published_notes(figures.published, words)]
