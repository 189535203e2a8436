"""What a decision says, in one sentence: for the page's news, and for who only listens."""

from dataclasses import dataclass
from typing import Any, Final

from urpi.referee.decisions import (
    Abandoned,
    Cleared,
    Decision,
    Drawn,
    Fault,
    Moved,
    Passed,
    Question,
    Ready,
    Refused,
    Roll,
    RollRefused,
    Seems,
    Starts,
    TakenBack,
    ThrowForStart,
    Warned,
    Won,
)
from urpi.rules import Side, names_of
from urpi.words import Words
from urpi.words.sentences import N_

ASKS: Final = {
    "move": N_("{name}, which move was it?"),
    "first": N_("Who begins?"),
    "faces": N_("{name}, what do the dice show?"),
}
SIMPLE: Final = {
    ThrowForStart: N_("{name} throws for the start"),
    Roll: N_("{name} throws {value} ({faces})"),
    Moved: N_("{name} plays {move}"),
    Seems: N_("{name} seems to play {move}"),
    TakenBack: N_("{name} put back {move}"),
    Won: N_("{name} has won."),
    Drawn: N_("The game is drawn."),
    Abandoned: N_("The game is over."),
    Cleared: N_("The board is right again."),
}


@dataclass(frozen=True, slots=True)
class Teller:
    """Says things in one language, with the players' names, which may be empty."""

    words: Words
    light: str = ""
    dark: str = ""

    def name(self, side: Side) -> str:
        """What a side's player is called."""
        return (self.light, self.dark)[side.number] or self.words.side(side)

    def text(self, message: str, **details: Any) -> str:
        """A message's translation with its words filled in."""
        return self.words.text(message).format(**details)

    def say(self, decision: Decision) -> str:
        """A decision as a sentence."""
        match decision:
            case Ready(squares=squares):
                return self._ready(squares)
            case Starts(side=side, why=code) | Passed(side=side, code=code):
                return self.words.sentence(code, {"side": side.value, "name": self.name(side)})
            case RollRefused(dice=dice, code=code):
                return self.words.sentence(code, {"dice": ", ".join(map(str, dice))})
            case Warned(text=text, code=code) | Refused(text=text, code=code):
                return text or self.words.sentence(code)
            case Question(side=side, ask=ask):
                return self.text(ASKS[ask], name=self.name(side))
            case Fault(device=device, code=code):
                return self.words.sentence(code, {"device": device})
            case Won() | Drawn() | Abandoned():
                return f"{self._simply(decision)} {self.words.sentence(decision.code)}"
            case _:
                return self._simply(decision)

    def _ready(self, squares: int) -> str:
        if squares:
            return self.text(N_("Set up first: {squares}"), squares=", ".join(names_of(squares)))
        return self.text(N_("The board is set up."))

    def _simply(self, decision: Decision) -> str:
        known = {key: getattr(decision, key, "") for key in ("value", "faces", "move")}
        side = getattr(decision, "side", None)
        name = "" if side is None else self.name(side)
        return self.text(SIMPLE[type(decision)], name=name, **known)
