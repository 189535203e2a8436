"""The lines of tests/perft/: positions, each with its leaves by depth in throws."""

from collections.abc import Iterator
from pathlib import Path

FILES = sorted((Path(__file__).parent.parent / "perft").glob("*.txt"))


def perft_lines(most_leaves: float = float("inf")) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Every position of every file, with the depths whose leaves are not too many."""
    for path in FILES:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                position, _, numbers = line.partition(" | ")
                words = [int(word) for word in numbers.split()]
                depths = zip(words[::2], words[1::2], strict=True)
                yield position, [(depth, n) for depth, n in depths if n <= most_leaves]
