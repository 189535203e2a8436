"""Tables, broker, club and database as real processes on loopback: `make test-club`."""
