"""Games for the tests: random ones, and an evaluator that needs neither table nor network."""

from dataclasses import replace
from random import Random
from zlib import crc32

from urpi.engine.evaluator import EvaluatorKind
from urpi.rules import PASS, Position, RuleSet, Side
from urpi.rules.record import GameRecord, Play, Thrown, Turn


class Arbitrary:
    """An evaluator whose values have nothing to do with each other."""

    kind: EvaluatorKind = "network"

    @staticmethod
    def value(position: Position) -> float:
        """Return a number from 0 to 1 that depends on the position alone."""
        return crc32(str(position).encode()) / 2**32


def random_game(rules: RuleSet, random: Random, most: int) -> GameRecord:
    """Return a game of random throws and moves, stopped after a number of throws.

    Some extra throws are declined where the rules allow it.
    """
    position = rules.start(random.choice(list(Side)))
    turns: list[Turn] = []
    for _ in range(most):
        side = position.turn
        if side is None:
            break
        throw = rules.dice.roll(random.random())
        move = random.choice(rules.legal_moves(position, throw) or (PASS,))
        thrown = Thrown(throw.faces, (Play(move.text),))
        if turns and turns[-1].side is side:
            turns[-1] = Turn(side, (*turns[-1].throws, thrown))
        else:
            turns.append(Turn(side, (thrown,)))
        position = rules.play(position, throw, move)
        if rules.may_decline and position.turn is side and random.random() < 0.3:
            turns[-1] = Turn(side, (*turns[-1].throws[:-1], replace(thrown, declined=True)))
            position = rules.decline(position)
    winner = rules.winner(position) if position.turn is None else None
    tags = (("Rules", rules.text), ("Result", winner.value if winner else "*"))
    return GameRecord(tags, tuple(turns))
