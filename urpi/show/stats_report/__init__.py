"""Statistics of stored games: read from a journal, as tables, charts and values."""
