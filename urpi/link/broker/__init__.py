"""A table's connection to its club: reads the journal, and publishes it to an MQTT broker."""
