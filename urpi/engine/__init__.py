"""The engine: values of positions and moves, exact tables, luck and loss, reviews of games."""
