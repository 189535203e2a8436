"""The sum over many games: by player, by pair, by die, and what was longest."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil

from urpi.dice import Interval, Tally, of_shown
from urpi.dice.binomial import interval
from urpi.rules import DiceSet, Side, parse_rules
from urpi.stats.chance import Chances, Range, chances_of, expected_mean, fair_range
from urpi.stats.dice import Die, dice_of
from urpi.stats.game import GameFigures


@dataclass(slots=True)
class Player:
    """One name over all games; one who plays on both sides of a game counts twice there.

    `throws` are by the kind of dice, `pips` what they counted together.
    """

    name: str
    games: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0
    pips: int = 0
    captures: int = 0
    rosettes: int = 0
    throws: Counter[Chances] = field(default_factory=Counter)
    turn_ms: list[int] = field(default_factory=list)

    @property
    def won(self) -> Interval:
        """The share of won games of those that were won or lost: 95 %, Clopper-Pearson."""
        return interval(self.wins, self.wins + self.losses)

    @property
    def mean(self) -> float | None:
        """What a throw counted on average."""
        return self.pips / self.throws.total() if self.throws else None

    @property
    def expected(self) -> float | None:
        """What a throw of fair dice counts on average, with the dice that were thrown."""
        return expected_mean(self.throws) if self.throws else None

    @property
    def fair(self) -> Range | None:
        """Where the mean of so many throws lies with fair dice, 95 times of 100."""
        return fair_range(self.throws) if self.throws else None


@dataclass(slots=True)
class Pair:
    """Two names that played each other, in the order of the alphabet; `wins` of each."""

    names: tuple[str, str]
    games: int = 0
    wins: tuple[int, int] = (0, 0)
    draws: int = 0

    @property
    def won(self) -> Interval:
        """The first one's share of the games that one of them won: 95 %, Clopper-Pearson."""
        return interval(self.wins[0], sum(self.wins))


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything over some games. `longest` by throws and `slowest` by time have an end."""

    games: int
    ended: int
    players: tuple[Player, ...]
    pairs: tuple[Pair, ...]
    dice: tuple[Die, ...]
    longest: GameFigures | None
    slowest: GameFigures | None


def sum_up(games: Iterable[GameFigures]) -> Figures:
    """The figures over those games: players by their games, pairs likewise, dice by number."""
    sums = _Sums()
    for game in games:
        sums.add(game)
    ended = sums.ended
    return Figures(
        sums.games,
        len(ended),
        tuple(sorted(sums.players.values(), key=lambda one: (-one.games, one.name))),
        tuple(sorted(sums.pairs.values(), key=lambda one: (-one.games, one.names))),
        dice_of(sums.tallies()),
        max(ended, key=lambda game: game.throws, default=None),
        max(ended, key=lambda game: game.lasted_ms, default=None),
    )


@dataclass(slots=True)
class _Sums:
    games: int = 0
    ended: list[GameFigures] = field(default_factory=list)
    players: dict[str, Player] = field(default_factory=dict)
    pairs: dict[tuple[str, str], Pair] = field(default_factory=dict)
    faces: dict[tuple[int, str], Counter[str]] = field(default_factory=dict)

    def add(self, game: GameFigures) -> None:
        self.games += 1
        if game.result in {"light", "dark", "draw"}:
            self.ended.append(game)
        dice = parse_rules(game.rules).dice
        kind = chances_of(dice)
        for side, name in ((Side.LIGHT, game.light), (Side.DARK, game.dark)):
            self._add_player(self.players.setdefault(name, Player(name)), game, side, kind)
        if game.light != game.dark:
            self._add_pair(game)
        for die, faces in game.faces.items():
            self.faces.setdefault((die, _shows(dice)), Counter()).update(faces)

    @staticmethod
    def _add_player(player: Player, game: GameFigures, side: Side, kind: Chances) -> None:
        figures = game.sides[side.number]
        player.games += 1
        player.wins += game.result == side.value
        player.losses += game.result == side.other.value
        player.draws += game.result == "draw"
        player.captures += figures.captures
        player.rosettes += figures.rosettes
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

    def tallies(self) -> Sequence[Tally]:
        """How often each die showed what; a die that served as both bodies is two."""
        return [of_shown(die, shows, seen) for (die, shows), seen in sorted(self.faces.items())]


def _shows(dice: DiceSet) -> str:
    """A die's faces, a letter each.

    >>> from urpi.rules import rule_set
    >>> _shows(rule_set("finkel").dice)
    'gs--'
    """
    least = min(dice.faces.values())
    return "".join(face * round(chance / least) for face, chance in dice.faces.items())


def quantile(values: Iterable[int], share: float) -> int | None:
    """The value that a share of them does not exceed (nearest rank), None of no values.

    >>> quantile([9, 1, 5, 3], 0.5)
    3
    """
    ordered = sorted(values)
    return ordered[max(ceil(share * len(ordered)), 1) - 1] if ordered else None
