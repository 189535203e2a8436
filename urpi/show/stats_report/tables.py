"""The figures as tables and sentences in the players' language."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from urpi.journal.fairness import Interval
from urpi.journal.stats import (
    DieFigures,
    Figures,
    GameFigures,
    Pair,
    Player,
    RuleSetFigures,
    quantile,
)
from urpi.show.words import Words
from urpi.show.words.sentences import N_, NC_

NOTES: Final = (
    N_(
        "Share: of the games that were won or lost. 95% range: few games show little; the share "
        "after very many games is in this range in 95 of 100 cases (Clopper-Pearson interval)."
    ),
    N_(
        "Average throw: what the dice showed on average. Expected: what fair dice show in "
        "the long run. Fair dice: where the average is with fair dice in 95 of 100 cases "
        "(exact up to 300 throws, above from the normal distribution)."
    ),
    N_("Rule sets: the share is light's; half of the games had fewer throws and minutes (median)."),
    N_(
        "Turn: seconds from the opponent's move to one's own; half of the turns were "
        "shorter (median). Slow turn: 9 of 10 were shorter (90th percentile)."
    ),
    N_(
        "Dice: without throws entered by hand. p: how likely fair dice are to differ as much by "
        "chance (exact binomial test for marks, chi-square test for faces, both corrected for the "
        "number of dice after Holm). Suspicious: p is 0.05 or less."
    ),
)
NAMELESS: Final = N_("(no name)")
# Translators: Beside a share: the range in which the true share lies in 95 of 100 cases.
PERCENT: Final = N_("95% range")
# Translators: The headings of a table of players. Turn and Slow turn: seconds from the opponent's
# move to one's own.
_PLAYERS: Final = (
    N_("Player"), N_("Games"), N_("Won"), N_("Lost"), N_("Drawn"), N_("Share"), PERCENT,
    N_("Average throw"), N_("Expected"), N_("Fair dice"), N_("Captures"), N_("Rosettes"),
    NC_("seconds", "Turn"), N_("Slow turn"),
)  # fmt: skip
# Translators: The headings of a table of pairs of players. Share: of the games that the first of
# them won.
_PAIRS: Final = (
    N_("Pair"), N_("Games"), N_("Won"), N_("Lost"), N_("Drawn"), N_("Share"), PERCENT,
)  # fmt: skip
# Translators: The headings of a table of rule sets; throws and minutes of a usual game.
_RULE_SETS: Final = (
    N_("Rules"), N_("Games"), N_("Won by light"), N_("Won by dark"), N_("Drawn"),
    N_("Share"), PERCENT,
    N_("Throws"), N_("Minutes"),
)  # fmt: skip
# Translators: The headings of a table of dice. Marks: how often a marked tip pointed up; Showed:
# how often each face; Suspicious: yes or no.
_DICE: Final = (
    N_("Die"), N_("Throws"), N_("Showed"), N_("Marks"), PERCENT, N_("p marks"), N_("p faces"),
    N_("Suspicious"),
)  # fmt: skip
_LEFT: Final = frozenset({"Player", "Pair", "Showed", "Marks", PERCENT, "Suspicious"})
_ALWAYS_RIGHT: Final = frozenset({*_PLAYERS[1:], *_PAIRS[1:], *_RULE_SETS[1:]})


class Column(NamedTuple):
    """A column's heading, and whether its cells are right-aligned."""

    heading: str
    right: bool


class TextTable(NamedTuple):
    """A table with its heading, columns and rows."""

    heading: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]


def name_of(player: str, words: Words) -> str:
    """Return a player's name, or the text for players without one."""
    return player or words.text(NAMELESS)


def title_of(figures: Figures, words: Words) -> str:
    """Return the number of games as a title."""
    return words.count(
        "{number} game, {ended} played to the end",
        "{number} games, {ended} played to the end",
        figures.games,
        ended=str(figures.ended),
    )


def tables_of(figures: Figures, words: Words) -> Iterator[TextTable]:
    """Yield the tables that have rows."""
    cells = _Cells(words)
    parts = (
        (N_("Players"), _PLAYERS, tuple(map(cells.player, figures.players))),
        (N_("Pairs"), _PAIRS, tuple(map(cells.pair, figures.pairs))),
        (N_("Rule sets"), _RULE_SETS, tuple(map(cells.rule_set, figures.rule_sets))),
        (N_("Dice"), _DICE, tuple(map(cells.die, figures.dice))),
    )
    for heading, columns, rows in parts:
        if rows:
            right = _ALWAYS_RIGHT if columns is not _DICE else frozenset(_DICE) - _LEFT
            headings = (Column(words.text(each), each in right) for each in columns)
            yield TextTable(words.text(heading), tuple(headings), rows)


def longest_of(figures: Figures, words: Words) -> list[str]:
    """Return sentences about the longest games."""
    longest, slowest = figures.longest, figures.slowest
    if longest is None:
        return []
    by_throws = [
        words.text(N_("Longest game by throws: game {game}, {players}; throws: {throws}.")).format(
            game=longest.game, players=_players_of(longest, words), throws=longest.throws
        )
    ]
    if slowest is None or slowest.lasted_ms is None:
        return by_throws
    return [
        *by_throws,
        words.text(N_("Longest game by time: game {game}, {players}; {minutes} min.")).format(
            game=slowest.game,
            players=_players_of(slowest, words),
            minutes=words.number(slowest.lasted_ms / 60_000, 1),
        ),
    ]


def notes_of(words: Words) -> list[str]:
    """Return sentences that explain the columns."""
    return [words.text(note) for note in NOTES]


def _players_of(game: GameFigures, words: Words) -> str:
    return words.text(N_("{light} against {dark}")).format(
        light=name_of(game.light, words), dark=name_of(game.dark, words)
    )


class _Cells:
    """The cells of the tables."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def player(self, one: Player) -> tuple[str, ...]:
        return (
            name_of(one.name, self._words),
            *map(str, (one.games, one.wins, one.losses, one.draws)),
            *self._share(one.wins, one.wins + one.losses, one.won),
            self._number(one.mean),
            self._number(one.expected),
            self._range(one.fair.low, one.fair.high, 2) if one.fair else "-",
            self._words.number(one.captures / one.games, 1),
            self._words.number(one.rosettes / one.games, 1),
            self._seconds(quantile(one.turn_ms, 0.5)),
            self._seconds(quantile(one.turn_ms, 0.9)),
        )

    def pair(self, one: Pair) -> tuple[str, ...]:
        return (
            " - ".join(name_of(name, self._words) for name in one.names),
            *map(str, (one.games, *one.wins, one.draws)),
            *self._share(one.wins[0], sum(one.wins), one.won),
        )

    def rule_set(self, one: RuleSetFigures) -> tuple[str, ...]:
        lasted, throws = quantile(one.lasted_ms, 0.5), quantile(one.throws, 0.5)
        return (
            self._words.rules(one.rules),
            *map(str, (one.games, *one.wins, one.draws)),
            *self._share(one.wins[0], sum(one.wins), one.won),
            "-" if throws is None else str(throws),
            "-" if lasted is None else self._words.number(lasted / 60_000, 1),
        )

    def die(self, one: DieFigures) -> tuple[str, ...]:
        tally = one.tally
        shown = zip(tally.outcomes, tally.counts, strict=True)
        marks = self._share(tally.marked, tally.throws, one.marks) if one.marks else ("-", "-")
        return (
            str(tally.die),
            str(tally.throws),
            " ".join(f"{outcome[0]}:{count}" for outcome, count in shown),
            *marks,
            self._number(one.marks_p),
            self._number(one.faces_p),
            self._words.text(
                NC_("suspicious", "yes") if one.suspicious else NC_("suspicious", "no")
            ),
        )

    def _share(self, count: int, of: int, interval: Interval) -> tuple[str, str]:
        if not of:
            return "-", "-"
        between = self._range(100 * interval.low, 100 * interval.high, 1)
        return self._words.percent(100 * count / of, 1), self._words.with_percent_sign(between)

    def _range(self, low: float, high: float, decimals: int) -> str:
        return f"{self._words.number(low, decimals)}-{self._words.number(high, decimals)}"

    def _number(self, value: float | None) -> str:
        return "-" if value is None else self._words.number(value, 2)

    def _seconds(self, ms: int | None) -> str:
        return "-" if ms is None else self._words.number(ms / 1000, 1)
