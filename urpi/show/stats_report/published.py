"""The published figures of the game beside those of perfect play and of these games."""

from collections.abc import Iterator
from typing import Final

from urpi.journal.stats.published import (
    MEASURES,
    PERFECT,
    PERFECT_CAPTURES,
    PUBLISHED,
    Estimate,
    Measure,
    Recomputed,
    exact,
)
from urpi.show.stats_report.tables import PERCENT, Column, TextTable
from urpi.show.words import Words
from urpi.show.words.sentences import N_

_NAMES: Final[dict[Measure, str]] = {
    "throws": N_("Throws in a game"),
    "first": N_("Won by the side that begins"),
    "luck": N_("Luck of a throw, standard deviation"),
}
# Translators: The headings of a table of figures. Here: from the games of this table.
_FIGURES: Final = (
    N_("Figure"), N_("Published"), N_("Perfect play"), N_("Here"), PERCENT, N_("Games"),
)  # fmt: skip
_SQUARES: Final = (N_("Square"), N_("Perfect play"), PERCENT, N_("Here"), PERCENT)
NOTE: Final = N_(
    "Published figures: of Finkel's rules with seven pieces, here from games that were played to "
    "their end. Throws and luck are from J. Heled (github.com/jheled/royalur), for perfect play; "
    "the share of the side that begins is from 20000 games of a program against itself "
    "(github.com/RoyalUr/RoyalUr-Analysis), and with perfect play the value of the first position. "
    "Here: the average, or the share, with its 95% range."
)
CAPTURES_NOTE: Final = N_(
    "Captures with perfect play: the average of 100000 simulated games, with its 95% range."
)
NONE: Final = exact(0.0)


def published_tables(figures: Recomputed, words: Words) -> Iterator[TextTable]:
    """Yield the tables, none with fewer than two games."""
    if figures.games < 2:
        return
    rows = tuple(_row(measure, figures, words) for measure in MEASURES)
    yield _table(N_("Published figures"), _FIGURES, rows, words)
    squares = sorted({*PERFECT_CAPTURES, *figures.captures})
    captures = tuple(
        (
            square,
            *_count(PERFECT_CAPTURES.get(square, NONE), words),
            *_count(figures.captures.get(square, NONE), words),
        )
        for square in squares
    )
    yield _table(N_("Captures in a game, by square"), _SQUARES, captures, words)


def _count(found: Estimate, words: Words) -> tuple[str, str]:
    """The mean number of captures on a square, and its range."""
    low, high = (words.number(max(0.0, each), 2) for each in (found.low, found.high))
    return words.number(found.value, 2), f"{low}-{high}"


def published_notes(figures: Recomputed, words: Words) -> list[str]:
    """Return where the figures are from, nothing without their tables."""
    if figures.games < 2:
        return []
    return [words.text(NOTE), words.text(CAPTURES_NOTE)]


def _row(measure: Measure, figures: Recomputed, words: Words) -> tuple[str, ...]:
    here = figures.values[measure]
    games = figures.reviewed if measure == "luck" else figures.games
    published, perfect = PUBLISHED[measure], PERFECT.get(measure)
    return (
        words.text(_NAMES[measure]),
        _text(measure, published.value, words),
        "-" if perfect is None else _text(measure, perfect.value, words),
        "-" if here is None else _text(measure, here.value, words),
        "-" if here is None else _range(measure, here, words),
        str(games),
    )


def _text(measure: Measure, value: float, words: Words) -> str:
    return words.number(value, 1) if measure == "throws" else words.percent(100 * value, 1)


def _range(measure: Measure, estimate: Estimate, words: Words) -> str:
    return f"{_text(measure, estimate.low, words)}-{_text(measure, estimate.high, words)}"


def _table(
    heading: str, columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...], words: Words
) -> TextTable:
    headings = tuple(Column(words.text(each), at > 0) for at, each in enumerate(columns))
    return TextTable(words.text(heading), headings, rows)
