"""`urpi games`: what the journal holds, and what can be done with it."""

from urpi.commands.games.group import games

__all__ = ["games"]
