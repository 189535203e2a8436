"""Benchmarks and checks of exact tables that have been built, see `tests.bench_tables.__main__`."""
