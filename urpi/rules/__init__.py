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
    from urpi.rules.moves import HAND, OFF, PASS, Move, Part, Stop, parse_move
    from urpi.rules.notation import RULE_SETS, parse_position, parse_rules, rule_set
    from urpi.rules.perft import perft
    from urpi.rules.position import Position
    from urpi.rules.refusals import REFUSAL_CODES, Refusal
    from urpi.rules.ruleset import RuleSet, Starter
else:
    export(
        __name__,
        {
            "board": (
                "ALL_SQUARES",
                "SQUARE_NAMES",
                "Side",
                "Square",
                "Squares",
                "each_square",
                "names_of",
                "owner",
                "parse_square",
                "squares_of",
            ),
            "dice": ("TIP_LETTERS", "DiceSet", "Throw"),
            "moves": ("HAND", "OFF", "PASS", "Move", "Part", "Stop", "parse_move"),
            "notation": ("RULE_SETS", "parse_position", "parse_rules", "rule_set"),
            "perft": ("perft",),
            "position": ("Position",),
            "refusals": ("REFUSAL_CODES", "Refusal"),
            "ruleset": ("RuleSet", "Starter"),
        },
    )

__all__ = [
    "ALL_SQUARES",
    "HAND",
    "OFF",
    "PASS",
    "REFUSAL_CODES",
    "RULE_SETS",
    "SQUARE_NAMES",
    "TIP_LETTERS",
    "DiceSet",
    "Move",
    "Part",
    "Position",
    "Refusal",
    "RuleSet",
    "Side",
    "Square",
    "Squares",
    "Starter",
    "Stop",
    "Throw",
    "each_square",
    "names_of",
    "owner",
    "parse_move",
    "parse_position",
    "parse_rules",
    "parse_square",
    "perft",
    "rule_set",
    "squares_of",
]
