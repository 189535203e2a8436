"""The club: receives its tables' games, stores them in PostgreSQL, and referees them again."""
