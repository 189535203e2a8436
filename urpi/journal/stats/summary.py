"""Statistics over many games: by player, by pair and by die, and the longest games.

The power of the tests of dice is not calculated here, because that takes minutes for a hundred
thousand throws; `urpi dice test` calculates it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil

from urpi.journal.fairness import Interval, Tally, binomial, chi_square, holm, tally_of
from urpi.journal.fairness.binomial import interval
from urpi.journal.fairness.fairness import ALPHA
from urpi.journal.stats.chance import Chances, Range, chances_of, expected_mean, fair_range
from urpi.journal.stats.game import GameFigures
from urpi.rules import DiceSet, Side, parse_rules


@dataclass(frozen=True, slots=True)
class DieFigures:
    """The throws of one die.

    Attributes:
        tally: number of throws for each outcome.
        marks: 95 % Clopper-Pearson interval of the share of marked tips, None for a d6.
        marks_p: p value of the exact binomial test, None for a d6.
        faces_p: p value of the chi-square test. Both p values are adjusted for the number of dice
            (Holm).
    """

    tally: Tally
    marks: Interval | None
    marks_p: float | None
    faces_p: float

    @property
    def suspicious(self) -> bool:
        """Whether a test found a sign of unfairness."""
        return min(self.faces_p, 1.0 if self.marks_p is None else self.marks_p) <= ALPHA


def dice_of(tallies: Sequence[Tally]) -> tuple[DieFigures, ...]:
    """The figures of dice, in order."""
    faces = holm([chi_square.p_value(each.counts, each.weights) for each in tallies])
    tipped = [each for each in tallies if 0.0 < each.fair_share < 1.0]
    ps = (binomial.p_value(each.marked, each.throws, each.fair_share) for each in tipped)
    marks = dict(zip(map(id, tipped), holm(list(ps)), strict=True))
    return tuple(
        DieFigures(
            each,
            binomial.interval(each.marked, each.throws) if id(each) in marks else None,
            marks.get(id(each)),
            faces_p,
        )
        for each, faces_p in zip(tallies, faces, strict=True)
    )


@dataclass(slots=True)
class Player:
    """Figures of a player over all games.

    A game with the same name on both sides counts twice.

    Attributes:
        name: name of the player.
        games: number of games.
        wins: number of games won.
        losses: number of games lost.
        draws: number of games drawn.
        pips: sum of the values of all throws.
        captures: number of captured pieces.
        rosettes: number of moves that ended on a rosette.
        hints: number of hints.
        throws: number of throws with each kind of dice.
        turn_ms: durations of all turns whose times are known.
    """

    name: str
    games: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0
    pips: int = 0
    captures: int = 0
    rosettes: int = 0
    hints: int = 0
    throws: Counter[Chances] = field(default_factory=Counter)
    turn_ms: list[int] = field(default_factory=list)

    @property
    def won(self) -> Interval:
        """95 % Clopper-Pearson interval of the share of wins among games won or lost."""
        return interval(self.wins, self.wins + self.losses)

    @property
    def mean(self) -> float | None:
        """Mean value of a throw, None without throws."""
        return self.pips / self.throws.total() if self.throws else None

    @property
    def expected(self) -> float | None:
        """Expected value of a throw with the same kinds of dice, None without throws."""
        return expected_mean(self.throws) if self.throws else None

    @property
    def fair(self) -> Range | None:
        """95 % range of the mean with fair dice, None without throws."""
        return fair_range(self.throws) if self.throws else None


@dataclass(slots=True)
class Pair:
    """Figures of two players against each other, in alphabetical order."""

    names: tuple[str, str]
    games: int = 0
    wins: tuple[int, int] = (0, 0)
    draws: int = 0

    @property
    def won(self) -> Interval:
        """95 % Clopper-Pearson interval of the first player's share of the games with a winner."""
        return interval(self.wins[0], sum(self.wins))


@dataclass(slots=True)
class RuleSetFigures:
    """Figures of the games by one rule set, whatever its options are.

    Attributes:
        rules: id of the rule set.
        games: number of games.
        wins: number of games won by light and by dark.
        draws: number of games drawn.
        throws: number of throws of each ended game.
        lasted_ms: duration of each ended game whose times are known.
    """

    rules: str
    games: int = 0
    wins: tuple[int, int] = (0, 0)
    draws: int = 0
    throws: list[int] = field(default_factory=list)
    lasted_ms: list[int] = field(default_factory=list)

    @property
    def won(self) -> Interval:
        """95 % Clopper-Pearson interval of light's share of the games with a winner."""
        return interval(self.wins[0], sum(self.wins))


@dataclass(frozen=True, slots=True)
class Figures:
    """Statistics over some games.

    Attributes:
        games: number of games.
        ended: number of games with a result.
        players: players, those with most games first.
        pairs: pairs of players, those with most games first.
        dice: dice by number.
        rule_sets: rule sets, those with most games first.
        longest: ended game with the most throws, None if no game ended.
        slowest: ended game with the longest duration, None if none is known.
    """

    games: int
    ended: int
    players: tuple[Player, ...]
    pairs: tuple[Pair, ...]
    dice: tuple[DieFigures, ...]
    rule_sets: tuple[RuleSetFigures, ...]
    longest: GameFigures | None
    slowest: GameFigures | None


def summarize(games: Iterable[GameFigures]) -> Figures:
    """The statistics over games."""
    sums = _Sums()
    for game in games:
        sums.add(game)
    ended = sums.ended
    timed = [game for game in ended if game.lasted_ms is not None]
    return Figures(
        sums.games,
        len(ended),
        tuple(sorted(sums.players.values(), key=lambda one: (-one.games, one.name))),
        tuple(sorted(sums.pairs.values(), key=lambda one: (-one.games, one.names))),
        dice_of(sums.tallies()),
        tuple(sorted(sums.rule_sets.values(), key=lambda one: (-one.games, one.rules))),
        max(ended, key=lambda game: game.throws, default=None),
        max(timed, key=lambda game: game.lasted_ms or 0, default=None),
    )


@dataclass(slots=True)
class _Sums:
    games: int = 0
    ended: list[GameFigures] = field(default_factory=list)
    players: dict[str, Player] = field(default_factory=dict)
    pairs: dict[tuple[str, str], Pair] = field(default_factory=dict)
    faces: dict[tuple[int, str], Counter[str]] = field(default_factory=dict)
    rule_sets: dict[str, RuleSetFigures] = field(default_factory=dict)

    def add(self, game: GameFigures) -> None:
        self.games += 1
        if game.result in {"light", "dark", "draw"}:
            self.ended.append(game)
        self._add_rule_set(game)
        dice = parse_rules(game.rules).dice
        kind = chances_of(dice)
        for side, name in ((Side.LIGHT, game.light), (Side.DARK, game.dark)):
            self._add_player(self.players.setdefault(name, Player(name)), game, side, kind)
        if game.light != game.dark:
            self._add_pair(game)
        for die, faces in game.faces.items():
            self.faces.setdefault((die, shows_of(dice)), Counter()).update(faces)

    @staticmethod
    def _add_player(player: Player, game: GameFigures, side: Side, kind: Chances) -> None:
        figures = game.sides[side.number]
        player.games += 1
        player.wins += game.result == side.value
        player.losses += game.result == side.other.value
        player.draws += game.result == "draw"
        player.captures += figures.captures
        player.rosettes += figures.rosettes
        player.hints += figures.hints
        player.turn_ms += figures.turn_ms
        player.pips += figures.pips
        if figures.throws:
            player.throws[kind] += figures.throws

    def _add_pair(self, game: GameFigures) -> None:
        first, second = sorted((game.light, game.dark))
        pair = self.pairs.setdefault((first, second), Pair((first, second)))
        pair.games += 1
        winner = {"light": game.light, "dark": game.dark}.get(game.result or "")
        one, other = pair.wins
        pair.wins = one + (winner == first), other + (winner == second)
        pair.draws += game.result == "draw"

    def _add_rule_set(self, game: GameFigures) -> None:
        rules = game.rules.partition("[")[0]
        figures = self.rule_sets.setdefault(rules, RuleSetFigures(rules))
        figures.games += 1
        light, dark = figures.wins
        figures.wins = light + (game.result == "light"), dark + (game.result == "dark")
        figures.draws += game.result == "draw"
        if game.result in {"light", "dark", "draw"}:
            figures.throws.append(game.throws)
            if game.lasted_ms is not None:
                figures.lasted_ms.append(game.lasted_ms)

    def tallies(self) -> Sequence[Tally]:
        """A tally for each die. A number that was used by two kinds of dice has two."""
        return [tally_of(die, shows, seen) for (die, shows), seen in sorted(self.faces.items())]


def shows_of(dice: DiceSet) -> str:
    """The faces of a die, a letter for each.

    >>> from urpi.rules import rule_set
    >>> shows_of(rule_set("finkel").dice)
    'gs--'
    """
    return "".join(face * sides for face, sides in dice.faces.items())


def quantile(values: Iterable[int], share: float) -> int | None:
    """The nearest-rank quantile of values, None without values.

    >>> quantile([9, 1, 5, 3], 0.5)
    3
    """
    ordered = sorted(values)
    return ordered[max(ceil(share * len(ordered)), 1) - 1] if ordered else None
