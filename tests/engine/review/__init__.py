"""Reviews of games: values, marks, kinds of mistakes, and what decided a game."""
