"""Benchmarks of a club with many simulated tables."""
