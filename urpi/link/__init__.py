"""What tables, and a table and its club, exchange, and a table's connection to the broker."""
