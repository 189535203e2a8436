"""Diagnosis: pure functions from the facts and the configuration to findings."""
