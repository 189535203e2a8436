"""`urpi games`: the games in the journal."""

from urpi.cli.games.group import games

__all__ = ["games"]
