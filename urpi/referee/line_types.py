"""The table of line types: every fact and decision. Their keys follow from their classes.

FORMATS.md, Event stream. `urpi.referee.lines` parses and formats lines with it.
"""

from typing import Final

from urpi.core.codec import Type
from urpi.core.errors import UrpiError
from urpi.referee import decisions, facts
from urpi.referee.seats import remote_side
from urpi.rules import parse_position, rule_set


def _check_game(game: facts.Game) -> None:
    rules = rule_set(game.rules, dict(game.options))
    if (game.shared is None) != (remote_side(game.seats) is None):
        message = "a game has `shared` if one side's seat is remote, and only then."
        raise UrpiError(message)
    if game.clock is not None and game.shared is not None:
        message = "a game of two tables has no clock."
        raise UrpiError(message)
    if game.start not in {None, rules.start_value}:
        message = (
            f"a game's start must be that of its rules, {rules.start_value or 'none'}; found "
            f"{game.start}."
        )
        raise UrpiError(message)
    if game.position is None:
        return
    begun = parse_position(game.position).rules
    if begun is not rules:
        message = f"the position is one of {begun.text}, but the game's rules are {rules.text}."
        raise UrpiError(message)


def _check_answer(answer: facts.Answer) -> None:
    given = (answer.move, answer.faces, answer.first, answer.takeback or None)
    if sum(value is not None for value in given) != 1:
        message = "an answer must be exactly one of move, faces, first or takeback."
        raise UrpiError(message)


FACT_TYPES: Final = (
    Type("game", facts.Game, _check_game, first=("t", "rules", "options")),
    Type("time", facts.Time),
    Type("occupancy", facts.Occupancy),
    Type("square", facts.Edge),
    Type("field", facts.Field),
    Type("die", facts.Die),
    Type("button", facts.Button),
    Type("chute", facts.Chute),
    Type("answer", facts.Answer, _check_answer),
    Type("plan", facts.Plan),
    Type("program-throw", facts.ProgramThrow),
    Type("remote-throw", facts.RemoteThrow),
    Type("remote-move", facts.RemoteMove),
    Type("remote-takeback", facts.RemoteTakeback),
    Type("hint", facts.Hint),
    Type("coach", facts.Coach),
    Type("resign", facts.Resign),
    Type("claim", facts.Claim),
    Type("decline", facts.Decline),
    Type("draw", facts.Draw),
    Type("abandon", facts.Abandon),
)
DECISION_TYPES: Final = (
    Type("ready", decisions.Ready),
    Type("throw-for-start", decisions.ThrowForStart),
    Type("start-roll", decisions.StartRoll),
    Type("starts", decisions.Starts),
    Type("roll", decisions.Roll),
    Type("roll-refused", decisions.RollRefused),
    Type("move", decisions.Moved),
    Type("planned", decisions.Planned),
    Type("hinted", decisions.Hinted),
    Type("coached", decisions.Coached),
    Type("seems", decisions.Seems),
    Type("pass", decisions.Passed),
    Type("warning", decisions.Warned),
    Type("cleared", decisions.Cleared),
    Type("question", decisions.Question),
    Type("takeback", decisions.TakenBack),
    Type("fault", decisions.Fault),
    Type("refused", decisions.Refused),
    Type("won", decisions.Won),
    Type("drawn", decisions.Drawn),
    Type("abandoned", decisions.Abandoned),
)
