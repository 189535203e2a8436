"""The prepared throws of the lesson about a first game."""

from urpi.rules import PASS, Side, parse_position
from urpi.rules.lesson import FIRST_GAME


def test_each_prepared_throw_has_at_most_one_legal_move_and_leads_to_the_next() -> None:
    start = parse_position(FIRST_GAME.position)
    position, met = start, []
    while faces := FIRST_GAME.faces(position):
        throw = position.rules.dice.throw(faces)
        legal = position.rules.legal_moves(position, throw)
        assert len(legal) == (1 if position.turn is Side.LIGHT else 0)
        met.append(str(position))
        position = position.rules.play(position, throw, legal[0] if legal else PASS)
    assert met == list(FIRST_GAME.throws)
    assert position.off == (7, start.off[1])
    assert position.rules.winner(position) is Side.LIGHT
