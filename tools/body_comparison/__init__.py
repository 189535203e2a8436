"""The simulator's bodies compared with those of MuJoCo: `python -m tools.body_comparison`."""
