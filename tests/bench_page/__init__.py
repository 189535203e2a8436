"""Benchmark of the page: its first view, its watchers, and the referee's latency beside them."""
