"""What tables and clubs send each other, and a table's connection to the broker."""
