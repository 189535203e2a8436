"""The page and its routes: what a browser sees of the table, and what it may order there."""
