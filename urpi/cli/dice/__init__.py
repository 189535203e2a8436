"""`urpi dice`: watch the dice, calibrate their faces, and test whether they are fair."""

from urpi.cli.dice.group import dice

__all__ = ["dice"]
