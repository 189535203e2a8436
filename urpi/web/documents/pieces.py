"""A position, a rule set and a move, as the page draws them."""

from typing import Any

from urpi.rules import (
    HAND,
    OFF,
    SQUARE_NAMES,
    Move,
    Position,
    RuleSet,
    Side,
    Square,
    each_square,
    names_of,
    owner,
    parse_move,
)
from urpi.rules.board import Pile, turned
from urpi.words import Words
from urpi.words.sentences import N_

PLACES = {HAND: "hand", OFF: "off"}


def position_document(position: Position) -> dict[str, Any]:
    """What stands where: `text` is FORMATS.md's, a pile's `pieces` come bottom to top."""
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
    """A pile: whose its top piece is, how many there are, and each of them."""
    pieces = [{"side": _side(piece), "turned": turned(piece)} for piece in pile]
    return {"side": pieces[-1]["side"], "count": len(pieces), "pieces": pieces}


def _side(piece: str) -> str:
    side = owner(piece)
    assert side is not None
    return str(side.value)


def by_side(values: tuple[Any, Any]) -> dict[str, Any]:
    """Light's and dark's, by name."""
    return {side.value: values[side.number] for side in Side}


def rules_document(rules: RuleSet, words: Words) -> dict[str, Any]:
    """What the page must know of the rules to draw and to name them."""
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
        "dice": {"count": rules.dice.count, "body": rules.dice.body},
    }


def chances_document(rules: RuleSet) -> list[dict[str, Any]]:
    """Every throw of another meaning, with an example of its faces and its chance from 0 to 1."""
    return [
        {"value": throw.value, "faces": throw.faces, "chance": round(float(chance), 6)}
        for throw, chance in rules.dice.outcomes
    ]


def move_document(text: str, words: Words) -> dict[str, Any]:
    """A move: where its pieces come from and go to (squares, ``hand``, ``off``), in words."""
    move = parse_move(text)
    return {
        "move": text,
        "from": [_place(part.origin) for part in move.parts],
        "to": [_place(part.target) for part in move.parts],
        "said": move_said(move, words),
    }


def _place(square: Square) -> str:
    return PLACES.get(square) or SQUARE_NAMES[square]


ENTERS = {False: N_("A new piece to {target}"), True: N_("A new piece to {target}, capturing")}
GOES = {False: N_("{origin} to {target}"), True: N_("{origin} to {target}, capturing")}
LEAVES = N_("{origin} goes home")
PASSES = N_("No move")


def move_said(move: Move, words: Words) -> str:
    """A move in words, for who does not see the board."""
    if not move.parts:
        return words.text(PASSES)
    parts = []
    for part in move.parts:
        captures = any(stop.captures for stop in part.stops)
        template = ENTERS if part.origin == HAND else GOES
        message = LEAVES if part.target == OFF else template[captures]
        parts.append(
            words.text(message).format(origin=_place(part.origin), target=_place(part.target))
        )
    return "; ".join(parts)


def squares_document(squares: int) -> list[str]:
    """A set of squares as their names, in bit order."""
    return list(names_of(squares))
