"""Pure: what a table and its club exchange: topics, messages, checksums, what is sent when."""
