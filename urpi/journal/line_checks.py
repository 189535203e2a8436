"""Checks of lines before they are stored.

Separate from `urpi.journal.entries`, because only writing needs the referee's line types, which
take longer to import than the rest of the journal.
"""

from urpi.core.errors import UrpiError
from urpi.journal.entries import Line, one_line
from urpi.referee.decisions import Decision
from urpi.referee.facts import Fact, Game
from urpi.referee.lines import parse_decision, parse_fact, type_of
from urpi.rules import rule_set


def checked_game(line: str) -> tuple[str, str, str]:
    """The RULES word and the names of light and dark of a `game` fact's line.

    Raises:
        UrpiError: If the line is not a `game` fact.
    """
    game = parse_fact(line)
    if not isinstance(game, Game):
        message = f"A game must begin with a line of type game; found type {type_of(game)}."
        raise UrpiError(message)
    return rule_set(game.rules, dict(game.options)).text, game.light, game.dark


def checked_fact(line: str) -> Line:
    """A fact's line to be stored.

    Raises:
        UrpiError: If the line is not a fact.
    """
    return _checked(parse_fact(line), line)


def checked_decision(line: str) -> Line:
    """A decision's line to be stored.

    Raises:
        UrpiError: If the line is not a decision.
    """
    return _checked(parse_decision(line), line)


def _checked(value: Fact | Decision, line: str) -> Line:
    side = getattr(value, "side", None)
    return Line(one_line(line), type_of(value), None if side is None else side.value)
