"""Positions that are given to begin a game with: on the page, in a command, at a board."""

from urpi.core.errors import UrpiError
from urpi.rules.board import Side
from urpi.rules.impossible import ImpossiblePositionError
from urpi.rules.notation import parse_position
from urpi.rules.position import Position
from urpi.rules.ruleset import RuleSet


def given_position(text: str, rules: RuleSet | None = None, first: Side | None = None) -> Position:
    """Return the position of a text, from which a game can begin.

    Args:
        text: The text form (FORMATS.md, Positions).
        rules: The rule set of the game, None for that of the position.
        first: The side that begins, None for the one that the position names.

    Raises:
        UrpiError: If the text is invalid, or no game can begin from the position.

    >>> str(given_position("finkel B4:L L6D7 L0D0 D"))
    'finkel B4:L L6D7 L0D0 D'
    """
    position = parse_position(text)
    if rules is not None and position.rules is not rules:
        message = (
            f"The game's rules are {rules.text}, but its position is one of {position.rules.text}; "
            "give a position of these rules."
        )
        raise UrpiError(message)
    check_given(position)
    if first is not None and position.turn is first.other:
        message = (
            f"In the position {position} {first.other.value} is to throw; found {first.value} "
            "as the side that begins."
        )
        raise UrpiError(message)
    return position


def check_given(position: Position) -> None:
    """Check that a game can begin from a position.

    Raises:
        ImpossiblePositionError: If it contradicts its rules, the game is over, or no game leads
            to it, as far as that is decided (`RuleSet.check_reachable`).
    """
    position.rules.check(position)
    if position.turn is None:
        message = (
            f"In the position {position} the game is over; a game can begin from one in which L or "
            "D is to throw."
        )
        raise ImpossiblePositionError(message, "over")
    position.rules.check_reachable(position)
