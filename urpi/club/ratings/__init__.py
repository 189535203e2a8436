"""Ratings of players by the Glicko-2 system. Pure: no I/O."""
