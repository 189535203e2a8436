"""The documents of positions, rule sets and moves."""

from typing import Any

from urpi.rules import (
    HAND,
    OFF,
    RULE_SETS,
    SQUARE_NAMES,
    Position,
    RuleSet,
    Side,
    Square,
    each_square,
    names_of,
    owner,
    parse_move,
    rule_set,
)
from urpi.rules.board import Pile, turned
from urpi.show.words import Words
from urpi.show.words.move_texts import move_text

PLACES = {HAND: "hand", OFF: "off"}


def position_document(position: Position) -> dict[str, Any]:
    """A position: `text` has the format of FORMATS.md, Positions."""
    board = position.board
    return {
        "text": str(position),
        "squares": {
            SQUARE_NAMES[square]: pile_document(board[square])
            for square in each_square(position.occupancy)
        },
        "hand": by_side(position.hand),
        "off": by_side(position.off),
    }


def pile_document(pile: Pile) -> dict[str, Any]:
    """Return a pile: the side of its top piece, and its pieces from bottom to top."""
    pieces = [{"side": _side(piece), "turned": turned(piece)} for piece in pile]
    return {"side": pieces[-1]["side"], "count": len(pieces), "pieces": pieces}


def _side(piece: str) -> str:
    side = owner(piece)
    assert side is not None
    return str(side.value)


def by_side(values: tuple[Any, Any]) -> dict[str, Any]:
    """A pair of values, light's first, by the names of the sides."""
    return {side.value: values[side.number] for side in Side}


def rules_document(rules: RuleSet, words: Words) -> dict[str, Any]:
    """What the page requires to draw a game of a rule set and to name it."""
    return {
        "id": rules.id,
        "text": rules.text,
        "name": words.rules(rules.id),
        "options": dict(rules.options),
        "paths": {side.value: [SQUARE_NAMES[at] for at in rules.path(side)] for side in Side},
        "pieces": rules.pieces,
        "piles": rules.piles,
        "draws": rules.draws,
        "won_by": rules.win_code,
        "dice": {
            "count": rules.dice.count,
            "body": rules.dice.body,
            "binary": rules.dice.binary,
        },
    }


def rule_sets_document(words: Words) -> list[dict[str, Any]]:
    """Return all rule sets: id, name, how the starter is chosen, and the options.

    The first value of an option is its default.
    """
    return [
        {
            "id": kind.id,
            "name": words.rules(kind.id),
            "starter": rule_set(kind.id).starter.value,
            "options": [
                {"name": one.name, "values": list(one.values), "about": words.text(one.about)}
                for one in kind.known_options
            ],
        }
        for kind in RULE_SETS.values()
    ]


def chances_document(rules: RuleSet) -> list[dict[str, Any]]:
    """Each distinct throw with example faces and its probability from 0 to 1."""
    return [
        {"value": throw.value, "faces": throw.faces, "chance": round(float(chance), 6)}
        for throw, chance in rules.dice.outcomes
    ]


def move_document(text: str, words: Words) -> dict[str, Any]:
    """Return a move: origin and target (square, ``hand`` or ``off``) of each part, and its text."""
    move = parse_move(text)
    return {
        "move": text,
        "from": [_place(part.origin) for part in move.parts],
        "to": [_place(part.target) for part in move.parts],
        "text": move_text(move, words),
    }


def _place(square: Square) -> str:
    return PLACES.get(square) or SQUARE_NAMES[square]


def squares_document(squares: int) -> list[str]:
    """The names of a set of squares, in bit order."""
    return list(names_of(squares))
