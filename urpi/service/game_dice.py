"""The dice with Bluetooth in a game: what they count for in its rules, and whose they are. Pure."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from urpi.config import Config
from urpi.hardware.die_faces import parity_tip, use_of
from urpi.referee.facts import Die
from urpi.rules import DiceSet

Paired: TypeAlias = Mapping[int, Mapping[str, str | int]]
"""The paired dice by number, as in the section [dice] of the configuration."""


def paired_of(config: Config) -> Paired:
    """Return the paired dice that a configuration uses."""
    return config.dice.paired if config.dice.source in {"bluetooth", "both"} else {}


def in_game(fact: Die, dice: DiceSet, paired: Paired) -> Die:
    """Return a die's fact as the rules of the game count it.

    In rules that count the marks of tetrahedral dice, a die with numbers stands in for one: odd is
    a mark, even is blank. Where its numbers cannot stand in, it counts as moved by hand.

    >>> from urpi.rules import rule_set
    >>> paired = {1: {"faces": 6}}
    >>> in_game(Die(5, 1, "settled", "3", True), rule_set("finkel").dice, paired).face
    'g'
    """
    if fact.face is None or fact.die not in paired:
        return fact
    match use_of(int(paired[fact.die]["faces"]), dice):
        case "itself":
            return fact
        case "none":
            return replace(fact, state="handled", face=None, tumbled=False)
        case "parity":
            numbered = fact.face.isdecimal()
            return replace(fact, face=parity_tip(int(fact.face))) if numbered else fact


def unsuitable(dice: DiceSet, paired: Paired) -> tuple[int, ...]:
    """Return the numbers of the dice of a throw that cannot be used in the rules of a game.

    Args:
        dice: The dice of the rules.
        paired: The paired dice.

    >>> from urpi.rules import rule_set
    >>> paired = {1: {"faces": 4}, 2: {"faces": 4}}
    >>> unsuitable(rule_set("ravensburger").dice, paired), unsuitable(rule_set("bell").dice, paired)
    ((1,), ())
    """
    used = own_dice(paired, dice.count) or (tuple(range(1, dice.count + 1)),)
    numbers = sorted(number for side in used for number in side if number in paired)
    return tuple(n for n in numbers if use_of(int(paired[n]["faces"]), dice) == "none")


def own_dice(paired: Paired, count: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Return the numbers of light's and of dark's own dice, None if they share dice.

    Args:
        paired: The paired dice.
        count: The number of dice in a throw.

    >>> owners = ["light", "light", "dark", "dark"]
    >>> paired = {number: {"owner": owner} for number, owner in enumerate(owners, 1)}
    >>> own_dice(paired, 2), own_dice(paired, 1), own_dice(paired, 3)
    (((1, 2), (3, 4)), ((1,), (3,)), None)
    """
    light, dark = (
        tuple(number for number, die in sorted(paired.items()) if die.get("owner") == side)[:count]
        for side in ("light", "dark")
    )
    return (light, dark) if len(light) == len(dark) == count else None
