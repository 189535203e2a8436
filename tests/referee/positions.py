"""Positions that occur in games, for tests that need any of them."""

from random import Random

from urpi.rules import PASS, Position, Side, rule_set


def reached(rules: str, rng: Random, turns: int) -> Position:
    """Return the position after `turns` random turns, or before a turn that wins the game."""
    kind = rule_set(rules)
    position = kind.start(rng.choice(list(Side)))
    for _ in range(turns):
        throw = kind.dice.roll(rng.random())
        legal = kind.legal_moves(position, throw)
        after = kind.play(position, throw, rng.choice(legal) if legal else PASS)
        if after.turn is None:
            break
        position = after
    return position
