"""Tables of hand-made cases: position texts and faces in, texts and codes out."""

import pytest

from urpi.errors import UrpiError
from urpi.rules import parse_move, parse_position


def named(*rows):
    """A table whose first column is the rule that the row holds; it names the test."""
    return [pytest.param(*row[1:], id=row[0]) for row in rows]


def legal(position, faces):
    """The legal moves' texts, separated by spaces."""
    at = parse_position(position)
    return " ".join(str(move) for move in at.rules.legal_moves(at, at.rules.dice.throw(faces)))


def after(position, faces, move):
    """The words behind the rules of the position after a move, which must be legal or a pass."""
    at = parse_position(position)
    throw = at.rules.dice.throw(faces)
    assert move in (legal(position, faces) or "pass").split(" ")
    return str(at.rules.play(at, throw, parse_move(move))).partition(" ")[2]


def refusal(position, faces, move):
    """The code that refuses a move, None when it is legal."""
    at = parse_position(position)
    told = at.rules.refusal(at, at.rules.dice.throw(faces), parse_move(move))
    return told and told.code


def legal_cases(table):
    """A test that every row's position and faces have just the row's legal moves."""

    @pytest.mark.parametrize(("position", "faces", "moves"), table)
    def check(position, faces, moves):
        assert legal(position, faces).split() == sorted(moves.split())

    return check


def after_cases(table):
    """A test that every row's move leads to the row's position."""

    @pytest.mark.parametrize(("position", "faces", "move", "result"), table)
    def check(position, faces, move, result):
        assert after(position, faces, move) == result

    return check


def refusal_cases(table):
    """A test that every row's move is refused by the row's code."""

    @pytest.mark.parametrize(("position", "faces", "move", "code"), table)
    def check(position, faces, move, code):
        assert refusal(position, faces, move) == code

    return check


def impossible_cases(table):
    """A test that every row's position is refused, and by what it names."""

    @pytest.mark.parametrize(("position", "named_by"), table)
    def check(position, named_by):
        with pytest.raises(UrpiError, match=named_by):
            parse_position(position)

    return check
