"""Findings: pure functions from what was found out, and the configuration, to what it means."""
