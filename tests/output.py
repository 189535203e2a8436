"""Output of the programs among the tests."""

import sys


def print_line(line: str) -> None:
    """Print a line and flush it, so that a pipe's reader gets it at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
