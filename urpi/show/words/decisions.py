"""Sentences for the referee's decisions, in two styles with one path from a decision to its text.

The page announces a decision to the players by their names. The evidence of a dispute reports it
for a reader who was not present: with the sides, the confidence of a move and the rule.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from urpi.referee.decisions import (
    Abandoned,
    Cleared,
    Coached,
    Decision,
    Drawn,
    Fault,
    Hinted,
    Moved,
    Passed,
    Planned,
    Question,
    Ready,
    Refused,
    Roll,
    RollRefused,
    Seems,
    StartRoll,
    Starts,
    TakenBack,
    ThrowForStart,
    Warned,
    Won,
)
from urpi.rules import Side, names_of, parse_move
from urpi.show.words.move_texts import move_text, played_sentence
from urpi.show.words.sentences import N_
from urpi.show.words.words import Words

CONFIDENCE: Final = {
    "sensed": N_("the switches showed it"),
    "inferred": N_("no other move fits what the switches showed"),
    "answered": N_("a player confirmed it"),
}
# Translators: The engine could not choose a move: the players choose it.
UNPLANNED: Final = N_("The engine failed. Choose its move.")
IS_SET_UP: Final = N_("The board is set up.")
IS_CORRECT: Final = N_("The board is correct again.")
IS_DRAWN: Final = N_("The game is drawn.")
IS_OVER: Final = N_("The game is over.")


@dataclass(frozen=True, slots=True)
class Style:
    """The messages of one style.

    ``{side}`` and ``{name}`` in a message are the same text: what the style calls the side.

    Attributes:
        in_words: whether ``{move}`` is a move in words instead of in notation.
        moved: the message for a move; empty for a sentence that depends on the kind of the move.
        passed: the messages for turns that are passed, by code, if they are not the usual ones.
        roll_refused: empty for the sentence of the decision's code alone, as is `warned`.
    """

    set_up: str
    throw_for_start: str
    start_roll: str
    roll: str
    program_roll: str
    planned: str
    remote_move: str
    unplanned: str
    hinted: str
    hinted_only: str
    coached: str
    seems: str
    taken_back: str
    won: str
    questions: Mapping[str, str]
    in_words: bool = False
    moved: str = ""
    passed: Mapping[str, str] = field(default_factory=dict)
    roll_refused: str = ""
    warned: str = ""


# Translators: Spoken by the table and shown on the page: short sentences.
ANNOUNCEMENT: Final = Style(
    set_up=N_("Set up the board; check {squares}."),
    throw_for_start=N_("{side} throws for the start."),
    start_roll=N_("{name} throws {value}."),
    roll=N_("{name} throws {value}."),
    program_roll=N_("The program throws {value} for {name}."),
    planned=N_("The engine plays: {move}."),
    remote_move=N_("Make {name}'s move: {move}."),
    unplanned=UNPLANNED,
    hinted=N_("Hint for {name}: {move}, better by {margin}%."),
    hinted_only=N_("Hint for {name}: {move}, the only move."),
    coached=N_("{name}, a better move is possible: {better}."),
    in_words=True,
    seems=N_("It looks as if {name} played {move}."),
    taken_back=N_("{name} takes back: {move}."),
    passed={
        "zero": N_("{name} threw 0 and cannot move."),
        "no-move": N_("{name} cannot move."),
        "declined": N_("{name} declines the extra throw."),
    },
    won=N_("{name} has won."),
    questions={
        "move": N_("{name}, which move was it?"),
        "first": N_("Who begins?"),
        "faces": N_("{name}, what do the dice show?"),
    },
)
# Translators: In the record of a game, read by an arbiter: what the program decided.
REPORT: Final = Style(
    set_up=N_("Set up the board; check {squares}."),
    throw_for_start=N_("{side} throws for the start."),
    start_roll=N_("{side} threw {faces} for the start, which counts {value}."),
    roll=N_("{side} threw {faces}, which counts {value}."),
    program_roll=N_("The program threw {faces} for {side}, which counts {value}."),
    moved=N_("{side} played {move}: {why}."),
    planned=N_("The engine chose {move} for {side}."),
    remote_move=N_("{side} played {move} at the other table."),
    unplanned=N_("The engine could not choose a move for {side}."),
    hinted=N_("{side} was shown a hint: {move}, better by {margin}%."),
    hinted_only=N_("{side} was shown a hint: {move}, the only move."),
    coached=N_("The coach showed {side} a better move than {move}: {better}, by {loss}%."),
    seems=N_("It looks like {side}'s {move}, but someone may still be holding the piece."),
    taken_back=N_("{side} took {move} back."),
    won=N_("{side} has won."),
    questions={
        "move": N_("Question to {side}, which move it was: {moves}."),
        "first": N_("Question to the players, who begins."),
        "faces": N_("Question to {side}, what the dice without a signal show."),
    },
    roll_refused=N_("The throw does not count: {why}"),
    warned=N_("Warned: {text} [{section}]"),
)


def _no_rule(_decision: Warned | RollRefused) -> str:
    return ""


class DecisionTexts:
    """Describes decisions in one language and one style.

    Args:
        words: the texts of the language.
        style: the messages.
        name: returns what a side is called, such as the name of its player.
        rule: returns the rule from which a warning or a rejected throw follows.
    """

    def __init__(
        self,
        words: Words,
        style: Style,
        name: Callable[[Side], str],
        rule: Callable[[Warned | RollRefused], str] = _no_rule,
    ) -> None:
        self.words, self.name = words, name
        self._style, self._rule = style, rule

    def text(self, decision: Decision) -> str:  # noqa: C901 - a case for each type
        """Return the sentence or sentences that describe a decision."""
        style = self._style
        match decision:
            case Ready(squares=squares):
                return self._ready(squares)
            case ThrowForStart(side=side):
                return self._fill(style.throw_for_start, side)
            case Passed(side=side, code=code) if code in style.passed:
                return self._fill(style.passed[code], side)
            case Starts(side=side, why=code) | Passed(side=side, code=code):
                details = {"side": side.value, "name": self.name(side)}
                return f"{self.words.sentence(code, details)}."
            case Roll() | StartRoll():
                return self._roll(decision)
            case Hinted(side=side, move=move, margin=margin):
                message = style.hinted_only if margin is None else style.hinted
                return self._fill(message, side, move=self._move(move), margin=margin or 0)
            case Coached(side=side, move=move, better=better, loss=loss):
                moves = {"move": self._move(move), "better": self._move(better)}
                return self._fill(style.coached, side, loss=loss, **moves)
            case Moved() | Planned() | Seems() | TakenBack():
                return self._about_move(decision)
            case Question(side=side, ask=ask, moves=moves):
                return self._fill(style.questions[ask], side, moves=self.words.joined(moves))
            case Cleared():
                return self.words.text(IS_CORRECT)
            case RollRefused() | Warned() | Refused() | Fault():
                return self._problem(decision)
            case Won() | Drawn() | Abandoned():
                return f"{self._result(decision)} {self.words.sentence(decision.code)}"

    def _roll(self, roll: Roll | StartRoll) -> str:
        style = self._style
        if isinstance(roll, StartRoll):
            message = style.start_roll
        else:
            message = style.program_roll if roll.program else style.roll
        return self._fill(message, roll.side, faces=roll.faces, value=roll.value)

    def _fill(self, message: str, side: Side, **details: str | int) -> str:
        name = self.name(side)
        return self.words.text(message).format(side=name, name=name, **details)

    def _about_move(self, decision: Moved | Planned | Seems | TakenBack) -> str:
        style, side, move = self._style, decision.side, decision.move
        if move is None:
            return self._fill(style.unplanned, side)
        match decision:
            case Moved() if not style.moved:
                return played_sentence(parse_move(move), self.name(side), self.words)
            case Moved(confidence=confidence):
                why = self.words.text(CONFIDENCE[confidence])
                return self._fill(style.moved, side, move=self._move(move), why=why)
            case Planned(remote=remote):
                message = style.remote_move if remote else style.planned
            case Seems():
                message = style.seems
            case TakenBack():
                message = style.taken_back
        return self._fill(message, side, move=self._move(move))

    def _move(self, move: str) -> str:
        return move_text(parse_move(move), self.words) if self._style.in_words else move

    def _ready(self, squares: int) -> str:
        if not squares:
            return self.words.text(IS_SET_UP)
        return self.words.text(self._style.set_up).format(
            squares=self.words.joined(names_of(squares))
        )

    def _problem(self, decision: RollRefused | Warned | Refused | Fault) -> str:
        match decision:
            case RollRefused(code=code, dice=dice, side=side):
                details = {"side": side.value, "name": self.name(side)}
                details["dice"] = ", ".join(map(str, dice))
                sentence = self.words.sentence(code, details)
                message = self._style.roll_refused
                why = f"{sentence} [{self._rule(decision)}]"
                return self._fill(message, side, why=why) if message else sentence
            case Warned(code=code, text=text, side=side):
                text = text or self.words.sentence(code)
                message = self._style.warned
                section = self._rule(decision)
                return self._fill(message, side, text=text, section=section) if message else text
            case Refused(code=code):
                return self.words.sentence(code)
            case Fault(device=device, code=code):
                return self.words.sentence(code, {"device": device})

    def _result(self, decision: Won | Drawn | Abandoned) -> str:
        if isinstance(decision, Won):
            return self._fill(self._style.won, decision.side)
        return self.words.text(IS_DRAWN if isinstance(decision, Drawn) else IS_OVER)


def announcements(words: Words, light: str = "", dark: str = "") -> DecisionTexts:
    """Return the announcements for a game.

    Args:
        words: the texts of the language.
        light: the name of light's player; if empty, the default, the side is called by its colour.
        dark: the same for dark.
    """

    def name(side: Side) -> str:
        return (light, dark)[side.number] or words.side(side)

    return DecisionTexts(words, ANNOUNCEMENT, name)
