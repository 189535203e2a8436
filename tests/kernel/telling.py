"""Lines to whoever watches, at once."""

import sys


def tell(line: str) -> None:
    """Say a line now, and not when a buffer is full."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
