"""The firmware of the die with a bought board, as it is linked, on models of its chips."""
