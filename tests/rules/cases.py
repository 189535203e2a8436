"""Tests of tables of hand-made cases: a position and faces, and the expected moves or codes."""

import pytest

from urpi.core.errors import UrpiError
from urpi.rules import parse_move, parse_position


def named(*rows):
    """Return a table for `parametrize`; the first column describes the row and names its test."""
    return [pytest.param(*row[1:], id=row[0]) for row in rows]


def legal(position, faces):
    """Return the legal moves, separated by spaces."""
    at = parse_position(position)
    return " ".join(str(move) for move in at.rules.legal_moves(at, at.rules.dice.throw(faces)))


def after(position, faces, move):
    """Return the position after a legal move or a pass, without the name of the rules."""
    at = parse_position(position)
    throw = at.rules.dice.throw(faces)
    assert move in (legal(position, faces) or "pass").split(" ")
    return str(at.rules.play(at, throw, parse_move(move))).partition(" ")[2]


def refusal(position, faces, move):
    """Return the code of a move's refusal, None if the move is legal."""
    at = parse_position(position)
    found = at.rules.refusal(at, at.rules.dice.throw(faces), parse_move(move))
    return found and found.code


def legal_cases(table):
    """Return a test that exactly the row's moves are legal."""

    @pytest.mark.parametrize(("position", "faces", "moves"), table)
    def check(position, faces, moves):
        assert legal(position, faces).split() == sorted(moves.split())

    return check


def after_cases(table):
    """Return a test that the row's move leads to the row's position."""

    @pytest.mark.parametrize(("position", "faces", "move", "result"), table)
    def check(position, faces, move, result):
        assert after(position, faces, move) == result

    return check


def refusal_cases(table):
    """Return a test that the row's move is refused with the row's code."""

    @pytest.mark.parametrize(("position", "faces", "move", "code"), table)
    def check(position, faces, move, code):
        assert refusal(position, faces, move) == code

    return check


def impossible_cases(table):
    """Return a test that the row's position is rejected with an error that names the fault."""

    @pytest.mark.parametrize(("position", "named_by"), table)
    def check(position, named_by):
        with pytest.raises(UrpiError, match=named_by):
            parse_position(position)

    return check
