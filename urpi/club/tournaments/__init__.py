"""Tournaments: pairings, byes, standings and tie-breaks. Pure: no I/O."""
