"""Probes: each examines one part of a machine through the files and functions it is given."""
