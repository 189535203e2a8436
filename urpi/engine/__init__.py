"""The engine, pure: the values of positions and moves, luck and loss."""
