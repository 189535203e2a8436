"""Orders of the players that are not facts for the referee: a new game, language, a hint.

They come from the menu and the page, and are carried out by `urpi.service.order_handler`.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from urpi.rules import RuleSet, Side
from urpi.seats import NO_COACH, PERSONS, Coaches, EngineThrows, Seats

SOUNDS: Final = ("off", "tones", "speech", "both")
"""The sounds: none, the buzzer's motifs, spoken sentences, or both."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """Begin a game; a current one is abandoned.

    `first` is the side that begins, by default decided in the way that the rules provide.
    `seats` are who decides the moves of light and of dark, `coach` from which mark on each side's
    moves are answered with a better one, `engine_throws` what throws for the engine.
    By default two persons play without a coach.
    """

    rules: RuleSet
    light: str = ""
    dark: str = ""
    first: Side | None = None
    seats: Seats = PERSONS
    coach: Coaches = NO_COACH
    engine_throws: EngineThrows = "dice"


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
class AskHint:
    """Ask the engine for a hint for the side to move."""


Order: TypeAlias = NewGame | ChangeLanguage | ChangeSound | PublishName | AskHint
