"""Probes: each finds out one thing about a machine, given the files and openers to ask."""
