"""A tournament as a value: its players, its rounds, and the results of its pairings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from urpi.core.errors import UrpiError

Format: TypeAlias = Literal["round-robin", "swiss", "knockout"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)
TieBreak: TypeAlias = Literal[
    "buchholz", "sonneborn-berger", "direct-encounter", "wins", "game-points"
]
TIE_BREAKS: Final[tuple[TieBreak, ...]] = get_args(TieBreak)
PairingResult: TypeAlias = Literal["light", "dark", "draw", "none"]
"""The winner, or a draw; ``none`` if both lose, as when neither came."""
PAIRING_RESULTS: Final[tuple[PairingResult, ...]] = get_args(PairingResult)

DEFAULT_TIE_BREAKS: Final[dict[Format, tuple[TieBreak, ...]]] = {
    "round-robin": ("direct-encounter", "sonneborn-berger", "wins"),
    "swiss": ("buchholz", "sonneborn-berger", "direct-encounter"),
    "knockout": (),
}
MAX_PLAYERS: Final = 128
"""The matching of a Swiss round takes time with the third power of the players."""
MAX_GAMES: Final = 8
"""Maximum number of games of a match, without the extra ones of a knockout."""
MAX_BOARDS: Final = 8
"""Maximum number of boards of a team."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players of a round, or one with a bye.

    Attributes:
        light: The number of light's player.
        dark: The number of dark's player, None for a bye.
        result: The result, None while it is open. A bye has none, or is a draw if the player has
            asked for it, or has missed a round, and has half a point.
        played: Whether the result is that of a game; False if an opponent had withdrawn or did not
            come.
        games: The games of a match of several games, up to the last one with a result. Each has
            its own sides.
    """

    light: int
    dark: int | None
    result: PairingResult | None = None
    played: bool = True
    games: "tuple[Pairing, ...]" = ()

    @property
    def is_open(self) -> bool:
        """Whether the result is missing."""
        return self.dark is not None and self.result is None

    @property
    def is_full_bye(self) -> bool:
        """Whether it is the bye of an odd number of players."""
        return self.dark is None and self.result is None

    @property
    def winner(self) -> int | None:
        """The winner, also by a bye with a full point; None if there is none."""
        if self.is_full_bye or self.result == "light":
            return self.light
        return self.dark if self.result == "dark" else None

    @property
    def loser(self) -> int | None:
        """The loser, also without a game; None if there is none, or both have lost."""
        return None if self.winner is None else self.opponent_of(self.winner)

    @property
    def is_game(self) -> bool:
        """Whether two players play or have played."""
        return self.dark is not None and self.played

    def opponent_of(self, player: int) -> int | None:
        """The opponent of one of the two players, None for a bye."""
        return self.dark if player == self.light else self.light

    def points_of(self, player: int) -> float:
        """Return the points of a player of a game, 0 while it is open, or of a requested bye."""
        if self.result == "draw":
            return 0.5
        return float(self.result == ("light" if player == self.light else "dark"))


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament.

    Attributes:
        format: The format.
        players: Number of players, who have the numbers from 0 in the order of their seeding.
        planned: Number of rounds.
        rounds: The rounds that have begun.
        withdrawn: The numbers of players who play no further rounds.
        tie_breaks: What decides among equal points, the first one first.
        byes: The numbers of players who have asked for a bye in the next round of a Swiss.
        third_place: Whether the losers of a knockout's semi-finals meet in the round of the final.
        games: Number of games of each pairing: with more than one, a pairing is a match.
        boards: Number of boards on which two teams meet, 0 without teams.
        teams: The numbers of the players' teams, which are in the order of their seeding.
    """

    format: Format
    players: int
    planned: int
    rounds: tuple[tuple[Pairing, ...], ...] = ()
    withdrawn: frozenset[int] = frozenset()
    tie_breaks: tuple[TieBreak, ...] = ()
    byes: frozenset[int] = frozenset()
    third_place: bool = False
    games: int = 1
    boards: int = 0
    teams: tuple[int, ...] = ()

    @property
    def open_pairings(self) -> int:
        """Number of results that are missing."""
        return sum(pairing.is_open for pairings in self.rounds for pairing in pairings)

    @property
    def absent(self) -> frozenset[int]:
        """The players who are not to be paired."""
        return self.withdrawn | self.byes

    @property
    def is_over(self) -> bool:
        """Whether all rounds have been played."""
        return len(self.rounds) >= self.planned and not self.open_pairings

    @property
    def bye_points(self) -> float:
        """Points for a bye; none in a round robin, where all players have as many byes."""
        return 0.0 if self.format == "round-robin" else 1.0

    def points_in(self, pairing: Pairing, player: int) -> float:
        """Points of a player in a pairing: 1 for a win, 0.5 for a draw, and those for a bye."""
        return self.bye_points if pairing.is_full_bye else pairing.points_of(player)

    def pairings_of(self, player: int) -> Iterator[Pairing]:
        for pairings in self.rounds:
            yield from (each for each in pairings if player in {each.light, each.dark})

    def side_balance(self, player: int) -> int:
        """How many more games the player has played as light than as dark."""
        return sum(1 if light else -1 for light in self._sides(player))

    def wish(self, player: int) -> int:
        """How much the player shall be light in the next game; below 0 dark.

        3 if the player would otherwise have been dark three times in a row, or three times more
        often than light; 2 after one more game as dark than as light; 1 if the last game was as
        dark; 0 before the first game. As the preferences of FIDE Handbook C.04.3, article 1.7.
        """
        sides = self._sides(player)
        if not sides:
            return 0
        balance, last = self.side_balance(player), 1 if sides[-1] else -1
        if abs(balance) > 1:
            return -3 if balance > 0 else 3
        if len(sides) > 1 and sides[-1] == sides[-2]:
            return -3 * last
        return -2 * balance if balance else -last

    def _sides(self, player: int) -> list[bool]:
        """Whether the player was light, of each game."""
        return [each.light == player for each in self.pairings_of(player) if each.is_game]


def planned_rounds(form: Format, players: int, requested: int | None = None) -> int:
    """The number of rounds of a tournament.

    A Swiss tournament has by default as many as a knockout, after which one player at most has won
    all games. It never has more than half as many as players: up to there, a round without a
    repeated pairing always exists, because in the graph of possible pairings every player has at
    least half of the others as neighbours (Dirac's theorem, 1952).

    Raises:
        UrpiError: If the number of players or of rounds is not possible.
    """
    if not 2 <= players <= MAX_PLAYERS:
        message = f"A tournament must have 2 to {MAX_PLAYERS} players; found {players}."
        raise UrpiError(message)
    knockout = (players - 1).bit_length()
    fixed = players - 1 + players % 2 if form == "round-robin" else knockout
    if form != "swiss":
        if requested not in {None, fixed}:
            message = (
                f"A {form} tournament of {players} players must have {fixed} rounds; found "
                f"{requested}."
            )
            raise UrpiError(message)
        return fixed
    most = (players + 1) // 2
    if requested is None:
        return min(fixed, most)
    if not 1 <= requested <= most:
        message = (
            f"A Swiss tournament of {players} players has 1 to {most} rounds, so that no pairing "
            f"is repeated; found {requested}."
        )
        raise UrpiError(message)
    return requested


def default_tie_breaks(form: Format, games: int) -> tuple[TieBreak, ...]:
    """The usual tie-breaks of a tournament whose pairings have this number of games."""
    first: tuple[TieBreak, ...] = ("game-points",) if games > 1 and form != "knockout" else ()
    return first + DEFAULT_TIE_BREAKS[form]


def with_sides(tournament: Tournament, first: int, second: int) -> Pairing:
    """A pairing in which the player whose wish to be light is greater is light.

    Where both are equal, the player who was light less often is light; and where that is equal, the
    sides of the player with the better seeding change from round to round.
    """
    better, other = sorted((first, second))
    more = tournament.wish(better) - tournament.wish(other)
    more = more or tournament.side_balance(other) - tournament.side_balance(better)
    better_light = more > 0 or (more == 0 and (better + len(tournament.rounds)) % 2 == 0)
    return Pairing(better, other) if better_light else Pairing(other, better)


def forfeited(tournament: Tournament, pairings: Sequence[Pairing]) -> tuple[Pairing, ...]:
    """Return pairings in which opponents of withdrawn players win without a game."""
    found = []
    for pairing in pairings:
        gone = [player in tournament.withdrawn for player in (pairing.light, pairing.dark)]
        result: PairingResult | None = None
        match gone:
            case [True, True]:
                result = "none"
            case [True, False]:
                result = "dark"
            case [False, True]:
                result = "light"
        if pairing.dark is None or result is None:
            found.append(pairing)
        else:
            found.append(Pairing(pairing.light, pairing.dark, result, played=False))
    return tuple(found)
