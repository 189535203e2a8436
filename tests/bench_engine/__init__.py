"""Benchmarks and checks of what the engine looks up, computes and plays."""
