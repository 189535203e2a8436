"""The sound of a change: the name of a motif and a sentence. Pure, like the pictures."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from urpi.referee.decisions import (
    Abandoned,
    Coached,
    Decision,
    Drawn,
    Fault,
    Moved,
    Passed,
    Planned,
    Question,
    Roll,
    RollRefused,
    StartRoll,
    Starts,
    TakenBack,
    ThrowForStart,
    Warned,
    Won,
)
from urpi.referee.explain import NOTHING
from urpi.referee.snapshot import Phase, Snapshot
from urpi.show.menu import Invitation, Offer
from urpi.show.scene import Scene
from urpi.show.views.menu_screens import invitation_text, offer_text
from urpi.show.views.phrases import player_name
from urpi.show.words import Words
from urpi.show.words.decisions import announcements
from urpi.show.words.sentences import NC_

THROW: Final = "throw"
TURN: Final = "turn"
WARNING: Final = "warning"
WINNER: Final = "winner"

_MOTIFS: Final[Mapping[type[Decision], str]] = MappingProxyType(
    {
        Won: WINNER,
        Drawn: TURN,
        Abandoned: TURN,
        Warned: WARNING,
        RollRefused: WARNING,
        Question: WARNING,
        Fault: WARNING,
        Roll: THROW,
        Planned: TURN,
        Coached: TURN,
        Starts: TURN,
        StartRoll: THROW,
        ThrowForStart: TURN,
        Moved: TURN,
        Passed: TURN,
        TakenBack: TURN,
    }
)
"""The motif of every decision with a sound, in order of precedence."""
# Translators: The first letter of a square such as A4, as it is spoken: written so that the voice
# reads it in your language, not in English. Letters that it reads well stay.
ROWS: Final = {"A": NC_("spoken", "A"), "B": NC_("spoken", "B"), "C": NC_("spoken", "C")}
_ROW: Final = re.compile(r"\b[ABC](?=[1-8]\b)")
_SENTENCE_END: Final = re.compile(r"(?<=\.) ")
_THROWING: Final = (Phase.THROW, Phase.START_THROW)


@dataclass(frozen=True, slots=True)
class Sound:
    """The name of a motif, and the text spoken after it, which can be empty."""

    motif: str
    text: str


def sound_of(scene: Scene) -> Sound | None:
    """Return the sound of a scene: of its decisions, or of a new question in the menu."""
    # The player who must answer may be looking at the board, not at the display.
    if scene.asks and isinstance(scene.menu, Offer):
        text = offer_text(scene.menu, scene.snapshot, scene.words)
        return Sound(TURN, spoken(text, scene.words))
    if scene.asks and isinstance(scene.menu, Invitation):
        return Sound(TURN, spoken(invitation_text(scene.menu, scene.words), scene.words))
    return sound(scene.snapshot, scene.decisions, scene.words)


def sound(snapshot: Snapshot, decisions: Iterable[Decision], words: Words) -> Sound | None:
    """Return the sound of the decisions that led to a snapshot, None if they are silent."""
    audible = [decision for decision in decisions if type(decision) in _MOTIFS]
    if not audible:
        return None
    first = min(audible, key=lambda decision: list(_MOTIFS).index(type(decision)))
    text = _text(snapshot, first, words)
    if isinstance(first, Roll) and any(isinstance(decision, Passed) for decision in audible):
        # The throw was passed at once, so it is the opponent's turn.
        text = f"{text} {_turn(snapshot, words)}"
    return Sound(_MOTIFS[type(first)], spoken(text, words))


def spoken(text: str, words: Words) -> str:
    """Return a text with its squares as they are read aloud.

    A Russian voice reads Latin letters in English, so that B4 would be "bee four".
    """
    return _ROW.sub(lambda row: words.text(ROWS[row[0]]), text)


def _text(snapshot: Snapshot, decision: Decision, words: Words) -> str:
    match decision:
        case Won(side=side, code=code):
            name = player_name(snapshot, side, words)
            return f"{name} {words.text('wins!')} {words.sentence(code, {'side': side.value})}"
        case Drawn(code=code) | Abandoned(code=code):
            return f"{words.text('No winner')}. {words.sentence(code)}"
        case Warned(text=text):
            # A list without squares is a dash, which cannot be spoken.
            return " ".join(each for each in _SENTENCE_END.split(text) if NOTHING not in each)
        case RollRefused(side=side, code=code, dice=dice):
            return words.sentence(code, {"side": side.value, "dice": ", ".join(map(str, dice))})
        case Fault(device=device, code=code):
            return words.sentence(code, {"device": device})
        case Planned() if snapshot.rolled is not None and snapshot.rolled.program:
            # Nothing else shows the throw, whose own sentence this one replaces.
            texts = announcements(words, snapshot.light, snapshot.dark)
            return f"{texts.text(snapshot.rolled)} {texts.text(decision)}"
        case Roll() | Planned() | Coached():
            return announcements(words, snapshot.light, snapshot.dark).text(decision)
        case Question():
            return ""
        case _:
            return _turn(snapshot, words)


def _turn(snapshot: Snapshot, words: Words) -> str:
    if snapshot.side is None or snapshot.phase not in _THROWING:
        return ""
    name = player_name(snapshot, snapshot.side, words)
    return words.text("{name} to throw").format(name=name)
