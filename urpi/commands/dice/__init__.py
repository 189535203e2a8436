"""`urpi dice`: look at the dice, teach them their faces, and see whether they are fair."""

from urpi.commands.dice.group import dice

__all__ = ["dice"]
