"""`urpi games`: what the journal holds, and what can be done with it."""

from urpi.commands.games import care, disputing, listing, replaying, stats, transferring
from urpi.commands.games.group import games

__all__ = ["care", "disputing", "games", "listing", "replaying", "stats", "transferring"]
