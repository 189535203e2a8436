"""The rules: board, dice, positions, moves, rule sets and game records."""

from typing import TYPE_CHECKING

from urpi.core.lazy import export

if TYPE_CHECKING:
    from urpi.rules.board import (
        ALL_SQUARES,
        SQUARE_NAMES,
        Side,
        Square,
        Squares,
        each_square,
        names_of,
        owner,
        parse_square,
        squares_of,
    )
    from urpi.rules.dice import TIP_LETTERS, DiceSet, Throw
    from urpi.rules.given_position import check_given, given_position
    from urpi.rules.moves import HAND, OFF, PASS, Move, Part, Stop, parse_move
    from urpi.rules.notation import RULE_SETS, parse_position, parse_rules, rule_set
    from urpi.rules.perft import perft
    from urpi.rules.position import Position
    from urpi.rules.refusals import REFUSAL_CODES, Refusal
    from urpi.rules.ruleset import RuleSet, Starter

export(__name__)
