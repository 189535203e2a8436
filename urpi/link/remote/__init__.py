"""Pure: the protocol of two tables that play one game."""
