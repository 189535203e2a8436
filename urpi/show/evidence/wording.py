"""Sentences for the events of a story, in the language of the table."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from urpi.referee.decisions import Decision, Moved, RollRefused, TakenBack, Warned
from urpi.referee.facts import (
    Abandon,
    Answer,
    Button,
    Chute,
    Claim,
    Decline,
    Draw,
    Game,
    Occupancy,
    ProgramThrow,
    RemoteTakeback,
    RemoteThrow,
    Resign,
)
from urpi.rules import (
    HAND,
    OFF,
    RULE_SETS,
    SQUARE_NAMES,
    Position,
    Refusal,
    Side,
    Square,
    names_of,
    owner,
)
from urpi.show.evidence.reasons import Choices, RefusedTargets
from urpi.show.evidence.story import Decided, DieUpdate, Event, Input, InputFact, Touch
from urpi.show.words import Words
from urpi.show.words.decisions import REPORT, DecisionTexts
from urpi.show.words.sentences import N_

MEASURES: Final = {
    "angle": N_("tilted by {number}°"),
    "tumbles": N_("faces turned over: {number}"),
    "fall_ms": N_("free fall: {number} ms"),
}
DIE_STATES: Final = {
    "rolling": N_("Die {die} rolls."),
    "cocked": N_("Die {die} leans on something."),
    "handled": N_("Die {die} is moved by hand."),
    "lost": N_("The dice hub has lost contact with die {die}."),
    "found": N_("The dice hub has contact with die {die} again."),
}
PRESSES: Final = {
    "short": N_("{side}'s button is pressed."),
    "long": N_("{side}'s button is held down."),
    "both": N_("Both buttons are held down."),
}
CLAIMED: Final = {
    False: N_("{side} claims a draw."),
    True: N_("{side} offers a draw, and the opponent agrees."),
}
ABANDONED: Final = {
    False: N_("{side} abandons the game."),
    True: N_("{side} proposes to abandon the game, and the opponent agrees."),
}
PLACES: Final = {HAND: N_("waiting"), OFF: N_("off the board")}


def clock(t: int) -> str:
    """Return a time in milliseconds as minutes, seconds and thousandths.

    >>> clock(754_321)
    '12:34.321'
    """
    seconds, ms = divmod(t, 1000)
    return f"{seconds // 60}:{seconds % 60:02}.{ms:03}"


class Wording:
    """Describes the events of a game.

    Args:
        words: language of the sentences.
        game: the first fact of the game.
    """

    def __init__(self, words: Words, game: Game) -> None:
        self.words, self._game = words, game
        self._decisions = DecisionTexts(words, REPORT, words.side, self._rule)

    def text(self, message: str, **details: str | int) -> str:
        """Return the translation of a message with its fields replaced."""
        return self.words.text(message).format(**details)

    def clock(self, t: int) -> str:
        """Return a time on the clock of the game, which starts with the game."""
        return clock(max(t - self._game.t, 0))

    def side(self, side: Side) -> str:
        """Return the name of a side, with the name of its player if there is one."""
        name = (self._game.light, self._game.dark)[side.number].strip()
        return f"{self.words.side(side)} ({name})" if name else self.words.side(side)

    def event(self, event: Event, position: Position) -> str:
        """Return the description of an event.

        Args:
            event: the event.
            position: position of the game before the event.
        """
        match event:
            case DieUpdate():
                return self.die_update(event)
            case Touch():
                return self._touch(event, position)
            case Input(fact=fact):
                return self._input(fact)
            case Decided(decision=decision):
                return self.decision(decision)

    def brief(self, event: Event) -> str:
        """Return a short description of an event, for the caption of a picture."""
        match event:
            case Touch(square=square, on=on):
                message = N_("A piece stands on {square}.") if on else N_("{square} is empty.")
                return self.text(message, square=SQUARE_NAMES[square])
            case Decided(decision=Moved(side=side, move=move)):
                return self.text(N_("{side} played {move}."), side=self.words.side(side), move=move)
            case Decided(decision=TakenBack(side=side, move=move)):
                return self.text(
                    N_("{side} took {move} back."), side=self.words.side(side), move=move
                )
        return ""

    def die_update(self, update: DieUpdate) -> str:
        """Return the description of a die's report."""
        if update.repeated:
            return self.text(N_("Die {die} sends its report again."), die=update.die)
        if update.state != "settled":
            return self.text(DIE_STATES[update.state], die=update.die)
        thrown = N_("Die {die} has settled: {face}.")
        turned = N_("Die {die} has settled: {face}, but was not thrown.")
        text = self.text(
            thrown if update.tumbled else turned,
            die=update.die,
            face=self.face(update.face or ""),
        )
        measured = self.measured(update.measured)
        return f"{text} ({measured})" if measured else text

    def face(self, face: str) -> str:
        return self.words.face(face)

    def measured(self, measured: Mapping[str, int]) -> str:
        """Return the measurements of a die, empty if there are none."""
        return self.words.joined(
            self.text(MEASURES[key], number=number) for key, number in measured.items()
        )

    def _touch(self, touch: Touch, position: Position) -> str:
        square = SQUARE_NAMES[touch.square]
        holder = owner(position.board[touch.square])
        if touch.on:
            text = self.text(N_("A piece stands on {square}."), square=square)
        elif holder is None:
            text = self.text(N_("{square} is empty."), square=square)
        else:
            side = self.words.side(holder)
            text = self.text(
                N_("{square} is empty; {side}'s piece stood there."), square=square, side=side
            )
        if not touch.edges:
            return f"{text} {self.words.text(N_('It was found when all squares were read again.'))}"
        if touch.edges > 1:
            bounced = self.words.count(
                "The switch flickered {number} time.",
                "The switch flickered {number} times.",
                touch.edges,
            )
            return f"{text} {bounced}"
        return text

    def _input(self, fact: InputFact) -> str:  # noqa: C901 - a case for each type
        match fact:
            case Occupancy(squares=squares):
                standing = self.words.joined(names_of(squares)) or self.words.text(N_("nothing"))
                return self.text(N_("All squares were read: {squares}."), squares=standing)
            case Button(button=side, press=press):
                return self.text(PRESSES[press], side=self.words.side(side))
            case Chute(side=side):
                return self.text(
                    N_("A piece passes {side}'s finish chute."), side=self.words.side(side)
                )
            case Answer():
                return self._answer(fact)
            case ProgramThrow(side=side, faces=faces):
                return self.text(
                    N_("The program throws {faces} for {side}; no dice are thrown."),
                    faces=faces,
                    side=self.words.side(side),
                )
            case RemoteThrow() | RemoteTakeback():
                return self._remote(fact)
            case Resign(side=side):
                return self.text(N_("{side} gives up."), side=self.words.side(side))
            case Claim(side=side):
                return self.text(
                    N_("{side} claims the game: the other table is silent."),
                    side=self.words.side(side),
                )
            case Decline(side=side):
                return self.text(N_("{side} declines the extra throw."), side=self.words.side(side))
            case Draw(side=side, agreed=agreed):
                return self._sided(CLAIMED[agreed], side)
            case Abandon(side=side, agreed=agreed):
                return self._sided(ABANDONED[agreed], side)

    def _remote(self, fact: RemoteThrow | RemoteTakeback) -> str:
        side = self.words.side(fact.side)
        if isinstance(fact, RemoteThrow):
            message = N_("{side} throws {faces} at the other table.")
            return self.text(message, faces=fact.faces, side=side)
        message = N_("{side} takes {move} back at the other table.")
        return self.text(message, move=fact.move, side=side)

    def _sided(self, message: str, side: Side) -> str:
        return self.text(message, side=self.words.side(side))

    def _answer(self, answer: Answer) -> str:
        if answer.takeback and answer.agreed:
            return self.words.text(N_("The move is taken back, and the opponent agrees."))
        if answer.takeback:
            return self.words.text(N_("Entered by hand: take the move back."))
        first = self.words.side(answer.first) if answer.first else ""
        what = answer.move or answer.faces or first
        return self.text(N_("Entered by hand: {what}."), what=what)

    def decision(self, decision: Decision) -> str:
        """Return the description of a decision, with the rule that it follows from."""
        return self._decisions.text(decision)

    def _rule(self, decision: Warned | RollRefused) -> str:
        # A throw is rejected by the rules of throwing, which all rule sets share.
        if isinstance(decision, RollRefused):
            return str(THROWING)
        return str(section(self._game.rules, decision.code))

    def place(self, place: Square) -> str:
        """Return the name of a square, of the hand or of the finish."""
        return self.words.text(PLACES[place]) if place in PLACES else SQUARE_NAMES[place]

    def legal(self, choices: Choices) -> str:
        """Return the legal moves of a piece."""
        if choices.legal:
            return self.words.joined(choices.legal)
        return self.words.text(N_("no move"))

    def refused(self, refused: RefusedTargets, side: Side) -> str:
        """Return why a piece may not move to some squares, with the rule."""
        why = self.refusal(refused.refusal, side, one=len(refused.targets) == 1)
        return f"{', '.join(map(self.place, refused.targets))}: {why}"

    def refusal(self, refusal: Refusal, side: Side, *, one: bool = True) -> str:
        """Return the reason and the rule of a refusal.

        Args:
            refusal: the refusal.
            side: the side to move.
            one: whether it concerns one square; else the reason names none.
        """
        named = {"target", "went", "origin"}
        details = {
            name: value for name, value in refusal.details.items() if one or name not in named
        }
        why = self.words.reason(refusal.code, {**details, "side": side.value})
        return f"{why} [{section(self._game.rules, refusal.code)}]"


class RuleSection(NamedTuple):
    """Number and heading of a section of RULES.md."""

    number: str
    title: str

    def __str__(self) -> str:
        return f"RULES.md {self.number}, {self.title}"


COMMON: Final = RuleSection("0", "Race basics")
THROWING: Final = RuleSection("0", "Throwing")


def section(rules: str, code: str) -> RuleSection:
    """Return the section for a refusal code in the rule set with that id.

    It is the section of the rule set if that defines the rule, else the common section.

    >>> str(section("finkel", "wrong-distance"))
    'RULES.md 0, Race basics'
    """
    kind = RULE_SETS[rules]
    if kind.own_codes is None or code in kind.own_codes:
        return RuleSection(str(kind.section), kind.id)
    return COMMON
