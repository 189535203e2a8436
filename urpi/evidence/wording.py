"""Wording: each thing of a story as a plain sentence, in the table's language."""

from collections.abc import Mapping
from typing import Final

from urpi.evidence.reasons import Choices, NotThere
from urpi.evidence.sections import THROWING, section
from urpi.evidence.story import Decided, DieNews, Event, Request, Told, Touch
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
from urpi.referee.facts import Abandon, Answer, Button, Chute, Draw, Game, Occupancy, Resign
from urpi.rules import HAND, OFF, SQUARE_NAMES, Position, Refusal, Side, Square, names_of, owner
from urpi.words import Words
from urpi.words.sentences import N_

FACES: Final = {"g": N_("gold"), "s": N_("silver"), "-": N_("blank")}
MEASURES: Final = {
    "angle": N_("{number}° off the face"),
    "tumbles": N_("faces passed: {number}"),
    "fall_ms": N_("free fall: {number} ms"),
}
DIE_STATES: Final = {
    "rolling": N_("Die {die} rolls."),
    "cocked": N_("Die {die} leans on something."),
    "handled": N_("Die {die} is moved by hand."),
    "lost": N_("Die {die} is not heard any more."),
    "found": N_("Die {die} is heard again."),
}
CONFIDENCE: Final = {
    "sensed": N_("the switches showed it"),
    "inferred": N_("nothing else fits what the switches showed"),
    "answered": N_("a player said so"),
}
ASKED: Final = {
    "move": N_("{side} is asked which move it was: {moves}."),
    "first": N_("The players are asked who begins."),
    "faces": N_("{side} is asked what the silent dice show."),
}
PRESSES: Final = {
    "short": N_("{side}'s button is pressed."),
    "long": N_("{side}'s button is held."),
    "both": N_("Both buttons are held."),
}
CLAIMED: Final = {
    False: N_("{side} claims a draw."),
    True: N_("{side} offers a draw, and the other side agrees."),
}
BROKEN_OFF: Final = {
    False: N_("{side} breaks the game off."),
    True: N_("{side} asks to break the game off, and the other side agrees."),
}
PLACES: Final = {HAND: N_("in hand"), OFF: N_("off the board")}


def clock(t: int) -> str:
    """A time in milliseconds as minutes, seconds and thousandths.

    >>> clock(754_321)
    '12:34.321'
    """
    seconds, ms = divmod(t, 1000)
    return f"{seconds // 60}:{seconds % 60:02}.{ms:03}"


class Wording:
    """Says what happened in one game."""

    def __init__(self, words: Words, game: Game) -> None:
        self.words, self._game = words, game

    def text(self, message: str, **details: str | int) -> str:
        """A message's translation with its words filled in."""
        return self.words.text(message).format(**details)

    def clock(self, t: int) -> str:
        """A time of the game's clock, which begins with the game."""
        return clock(max(t - self._game.t, 0))

    def side(self, side: Side) -> str:
        """A side, with the player's name when there is one."""
        name = (self._game.light, self._game.dark)[side.number].strip()
        return f"{self.words.side(side)} ({name})" if name else self.words.side(side)

    def event(self, event: Event, position: Position) -> str:
        """What an event was. `position` is what should have stood there."""
        match event:
            case DieNews():
                return self.news(event)
            case Touch():
                return self._touch(event, position)
            case Told(fact=fact):
                return self._told(fact)
            case Decided(decision=decision):
                return self.decision(decision)

    def brief(self, event: Event) -> str:
        """What an event was, for the caption of a picture."""
        match event:
            case Touch(square=square, on=on):
                message = N_("{square} filled.") if on else N_("{square} emptied.")
                return self.text(message, square=SQUARE_NAMES[square])
            case Decided(decision=Moved(side=side, move=move)):
                return self.text(N_("{side} played {move}."), side=self.words.side(side), move=move)
            case Decided(decision=TakenBack(side=side, move=move)):
                return self.text(
                    N_("{side} took {move} back."), side=self.words.side(side), move=move
                )
        return ""

    def news(self, news: DieNews) -> str:
        """What a die said."""
        if news.repeated:
            return self.text(N_("Die {die} says the same again."), die=news.die)
        if news.state != "settled":
            return self.text(DIE_STATES[news.state], die=news.die)
        thrown = N_("Die {die} lies: {face}.")
        turned = N_("Die {die} lies: {face}, but was not thrown.")
        text = self.text(
            thrown if news.tumbled else turned, die=news.die, face=self.face(news.face or "")
        )
        measured = self.measured(news.measured)
        return f"{text} ({measured})" if measured else text

    def face(self, face: str) -> str:
        """What a die shows."""
        return self.words.text(FACES[face]) if face in FACES else face

    def measured(self, measured: Mapping[str, int]) -> str:
        """What a die measured, empty when it did not say."""
        return ", ".join(
            self.text(MEASURES[key], number=number) for key, number in measured.items()
        )

    def _touch(self, touch: Touch, position: Position) -> str:
        square = SQUARE_NAMES[touch.square]
        holder = owner(position.board[touch.square])
        if touch.on:
            text = self.text(N_("{square} filled."), square=square)
        elif holder is None:
            text = self.text(N_("{square} emptied."), square=square)
        else:
            side = self.words.side(holder)
            text = self.text(
                N_("{square} emptied, where {side}'s piece stood."), square=square, side=side
            )
        if not touch.edges:
            return f"{text} {self.words.text(N_('It was seen when all squares were read anew.'))}"
        if touch.edges > 1:
            bounced = self.text(N_("The contact bounced: {edges} edges."), edges=touch.edges)
            return f"{text} {bounced}"
        return text

    def _told(self, fact: Request) -> str:
        match fact:
            case Occupancy(squares=squares):
                standing = ", ".join(names_of(squares)) or self.words.text(N_("nothing"))
                return self.text(N_("All squares are read: {squares}."), squares=standing)
            case Button(button=side, press=press):
                return self.text(PRESSES[press], side=self.words.side(side))
            case Chute(side=side):
                return self.text(
                    N_("A piece passes {side}'s finish chute."), side=self.words.side(side)
                )
            case Answer():
                return self._answer(fact)
            case Resign(side=side):
                return self.text(N_("{side} gives up."), side=self.words.side(side))
            case Draw(side=side, agreed=agreed):
                return self._asked(CLAIMED[agreed], side)
            case Abandon(side=side, agreed=agreed):
                return self._asked(BROKEN_OFF[agreed], side)

    def _asked(self, message: str, side: Side) -> str:
        return self.text(message, side=self.words.side(side))

    def _answer(self, answer: Answer) -> str:
        if answer.takeback and answer.agreed:
            return self.words.text(N_("The move is asked back, and the other side agrees."))
        if answer.takeback:
            return self.words.text(N_("Entered by a person: take the move back."))
        first = self.words.side(answer.first) if answer.first else ""
        what = answer.move or answer.faces or first
        return self.text(N_("Entered by a person: {what}."), what=what)

    def decision(self, decision: Decision) -> str:  # noqa: C901, PLR0912 - one a type
        """What was decided, and by which section where a rule was told."""
        say, sides = self.words.say, self.words.side
        match decision:
            case Ready(squares=0):
                return self.words.text(N_("The board is set up."))
            case Ready(squares=squares):
                return self.text(
                    N_("The board is to be set up: {squares}."),
                    squares=", ".join(names_of(squares)),
                )
            case ThrowForStart(side=side):
                return self.text(N_("{side} is to throw for the start."), side=sides(side))
            case Starts(side=side, why=why):
                return f"{say(why, {'side': side.value})}."
            case Roll(side=side, faces=faces, value=value):
                return self.text(
                    N_("{side} threw {faces}, which counts {value}."),
                    side=sides(side),
                    faces=faces,
                    value=value,
                )
            case RollRefused(code=code, dice=dice):
                told = say(code, {"dice": ", ".join(map(str, dice))})
                return self.text(N_("The throw does not count: {why}"), why=f"{told} [{THROWING}]")
            case Moved(side=side, move=move, confidence=confidence):
                return self.text(
                    N_("{side} played {move}: {why}."),
                    side=sides(side),
                    move=move,
                    why=self.words.text(CONFIDENCE[confidence]),
                )
            case Seems(side=side, move=move):
                return self.text(
                    N_("It looks like {side}'s {move}, but the piece may still be in the hand."),
                    side=sides(side),
                    move=move,
                )
            case Passed(side=side, code=code):
                return f"{say(code, {'side': side.value})}."
            case Warned(code=code, text=text):
                return self.text(
                    N_("Warned: {text} [{section}]"),
                    text=text or say(code),
                    section=str(section(self._game.rules, code)),
                )
            case Cleared():
                return self.words.text(N_("The board is right again."))
            case Question(side=side, ask=ask, moves=moves):
                return self.text(ASKED[ask], side=sides(side), moves=", ".join(moves))
            case TakenBack(side=side, move=move):
                return self.text(N_("{side} took {move} back."), side=sides(side), move=move)
            case Fault(device=device, code=code):
                return say(code, {"device": device})
            case Refused(code=code, text=text):
                return text or say(code)
            case Won(side=side, code=code):
                won = self.text(N_("{side} has won."), side=sides(side))
                return f"{won} {say(code)}"
            case Drawn(code=code):
                return f"{self.words.text(N_('The game is drawn.'))} {say(code)}"
            case Abandoned(code=code):
                return f"{self.words.text(N_('The game is over.'))} {say(code)}"

    def place(self, place: Square) -> str:
        """A square's name, or what the hand and the finish are called."""
        return self.words.text(PLACES[place]) if place in PLACES else SQUARE_NAMES[place]

    def allowed(self, choices: Choices) -> str:
        """What a piece may do."""
        if choices.legal:
            return ", ".join(choices.legal)
        return self.words.text(N_("no move"))

    def forbidden(self, refused: NotThere, side: Side) -> str:
        """Why a piece may not go to some squares, with the section that says so."""
        why = self.refusal(refused.refusal, side, one=len(refused.targets) == 1)
        return f"{', '.join(map(self.place, refused.targets))}: {why}"

    def refusal(self, refusal: Refusal, side: Side, *, one: bool = True) -> str:
        """A refusal's sentence and section; for several squares, without naming `one`."""
        named = {"target", "went", "origin"}
        details = {
            name: value for name, value in refusal.details.items() if one or name not in named
        }
        why = self.words.why(refusal.code, {**details, "side": side.value})
        return f"{why} [{section(self._game.rules, refusal.code)}]"
