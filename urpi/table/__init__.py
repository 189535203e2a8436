"""The virtual table: pieces, hands, dice and hub, with a truth of its own."""
