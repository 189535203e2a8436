"""Pure: what two tables that play one game send each other, and what follows from it."""
