"""The club's page: the wall with all live tables, and the archive of their games."""
