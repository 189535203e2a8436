"""Orders: what people want of the table besides what the referee takes as facts.

They come from the menu and from the page, and are carried out by `urpi.service.board`.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

from urpi.rules import RuleSet, Side

SOUNDS: Final = ("off", "tones", "speech", "both")
"""What may be heard: nothing, the buzzer's motifs, spoken sentences, or both."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """Begin a game; one that is on is broken off first.

    `first` begins; None leaves that to the rule set's own way.
    """

    rules: RuleSet
    light: str = ""
    dark: str = ""
    first: Side | None = None


@dataclass(frozen=True, slots=True)
class ChangeLanguage:
    """Show and say everything in that language from now on, such as ``en``."""

    language: str


@dataclass(frozen=True, slots=True)
class ChangeSound:
    """Let one of `SOUNDS` be heard from now on."""

    sound: str


Order: TypeAlias = NewGame | ChangeLanguage | ChangeSound
