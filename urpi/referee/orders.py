"""Orders of the players that are not facts for the referee: a new game, language, a hint.

They come from the menu and the page, and are carried out by `urpi.service.order_handler`.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from urpi.referee.clock import TimeControl
from urpi.referee.seats import (
    NO_COACH,
    PERSONS,
    Coaches,
    EngineThrows,
    Seats,
    SharedGame,
    remote_side,
)
from urpi.rules import Position, RuleSet, Side

DicePair: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""The numbers of light's and dark's dice, if each side has its own."""
SOUNDS: Final = ("off", "tones", "speech", "both")
"""The sounds: none, the buzzer's motifs, spoken sentences, or both."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """Begin a game; a current one is abandoned.

    `first` is the side that begins, by default decided in the way that the rules provide.
    `seats` are who decides the moves of light and of dark, `coach` from which mark on each side's
    moves are answered with a better one, `engine_throws` what throws for the engine.
    By default two persons play without a coach. `shared` is what a game with another table has
    besides; one of the seats is then ``remote``. `position` is the position to begin with, in which
    a side is to throw (`urpi.rules.given_position`); that side begins. None is the start position.
    `dice` are the dice of each side, None for those that the configuration
    assigns, or shared ones. `clock` is the time of each side, None if it is not limited.
    `paired` is whether it is the game of a `Pairing`; it has no hints then.

    A draft with the seat ``remote`` and without `shared` is a game to which another table has to be
    invited. The name of that side is the table's id.
    """

    rules: RuleSet
    light: str = ""
    dark: str = ""
    first: Side | None = None
    seats: Seats = PERSONS
    coach: Coaches = NO_COACH
    engine_throws: EngineThrows = "dice"
    shared: SharedGame | None = None
    position: Position | None = None
    dice: DicePair | None = None
    clock: TimeControl | None = None
    paired: bool = False

    @property
    def invitation(self) -> "Invite | None":
        """The invitation of another table, None if the game can begin without one."""
        remote = remote_side(self.seats)
        if remote is None or self.shared is not None:
            return None
        names = (self.light, self.dark)
        side = remote.other
        return Invite(names[remote.number], self.rules, side, names[side.number], self.first)


@dataclass(frozen=True, slots=True)
class Invite:
    """Invite the players at another table to a game.

    `table` is its id, `side` and `name` those of the player here, `first` the side that begins,
    None if chance decides.
    """

    table: str
    rules: RuleSet
    side: Side
    name: str = ""
    first: Side | None = None


@dataclass(frozen=True, slots=True)
class WithdrawInvitation:
    """Withdraw the invitation of another table, or dismiss its result."""


@dataclass(frozen=True, slots=True)
class AnswerInvitation:
    """Accept or decline the invitation to a game of this identity.

    `name` is the name of the player who accepts, None for the one in the preferences.
    """

    game: str
    accepted: bool
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Pairing:
    """A pairing of a tournament that the club has assigned to this table.

    Attributes:
        game: Identifies it.
        tournament: The tournament's name.
        round: The round, from 1.
        light: Light's name.
        dark: Dark's name.
        rules: The rule set.
        agreed: Whether the club may show both names already.
    """

    game: str
    tournament: str
    round: int
    light: str
    dark: str
    rules: RuleSet
    agreed: bool


@dataclass(frozen=True, slots=True)
class AnswerPairing:
    """Begin the game of the pairing with this identity, or put it off.

    To begin it is to agree that the club shows both names.
    """

    game: str
    accepted: bool


@dataclass(frozen=True, slots=True)
class AnswerProposal:
    """Accept or decline what the other table proposes during a game.

    `what` is a `urpi.link.remote.messages.ProposalCode`; with another one, or none, nothing is
    answered.
    """

    what: str
    accepted: bool


@dataclass(frozen=True, slots=True)
class ChangeLanguage:
    """Use another language for all texts, such as ``en``."""

    language: str


@dataclass(frozen=True, slots=True)
class ChangeSound:
    """Select one of `SOUNDS`."""

    sound: str


@dataclass(frozen=True, slots=True)
class PublishName:
    """Let the club show a player's name from the next game on, or nowhere any more.

    `agreed` is whether the player agrees.
    """

    name: str
    agreed: bool


@dataclass(frozen=True, slots=True)
class ShowPlayer:
    """Show the page of a player to everyone, or to those with the PIN alone.

    `agreed` is whether the player agrees.
    """

    name: str
    agreed: bool


@dataclass(frozen=True, slots=True)
class AnswerExercise:
    """Store the answer to an exercise.

    `throw` is the number of the throw in the review of `game`, `move` the answer, and `good`
    whether it gives away too little for a mark.
    """

    game: int
    throw: int
    move: str
    good: bool


@dataclass(frozen=True, slots=True)
class AskHint:
    """Ask the engine for a hint for the side to move."""


@dataclass(frozen=True, slots=True)
class Explore:
    """Try a line from the game's position beside the game, as its players have agreed.

    With a `position`, try lines from that one, while no game is in progress.
    """

    position: Position | None = None


@dataclass(frozen=True, slots=True)
class GoBack:
    """Go back from a line to the position from which it is tried."""


@dataclass(frozen=True, slots=True)
class EndExploration:
    """End an exploration that was begun without a game in progress."""


ExploreOrder: TypeAlias = Explore | GoBack | EndExploration
TableRequest: TypeAlias = (
    Invite | WithdrawInvitation | AnswerInvitation | AnswerPairing | AnswerProposal
)
"""Orders that concern another table, or the club."""
TableChoice: TypeAlias = ChangeLanguage | ChangeSound | PublishName | ShowPlayer
"""Orders that change a preference of the table."""
Order: TypeAlias = NewGame | TableChoice | AnswerExercise | AskHint | ExploreOrder | TableRequest
