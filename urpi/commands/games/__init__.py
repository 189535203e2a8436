"""`urpi games`: the games in the journal."""

from urpi.commands.games.group import games

__all__ = ["games"]
