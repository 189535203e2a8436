"""Tables of exact values: their file format, and those that are installed."""
