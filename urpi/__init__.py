"""urpi: a referee for the Royal Game of Ur, under a real board."""

__version__ = "0.1.0"
