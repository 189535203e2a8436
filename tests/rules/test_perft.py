"""Perft: the number of ways every rule set can go, as the second implementation counted them.

The files in tests/perft/ say how they were written. Here every line is checked as deep as
it goes in a moment; `python -m tests.rules.compare --perft` checks every number of them.
"""

from pathlib import Path

import pytest

from urpi.rules import parse_position, perft

FILES = sorted((Path(__file__).parent.parent / "perft").glob("*.txt"))
EVERYDAY_LEAVES = 2_500


def cases(most_leaves):
    """Every position of every file with the depths and leaves that are not too many."""
    for path in FILES:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                position, _, numbers = line.partition(" | ")
                words = [int(word) for word in numbers.split()]
                depths = zip(words[::2], words[1::2], strict=True)
                yield position, [(depth, n) for depth, n in depths if n <= most_leaves]


def test_there_are_perft_files_for_every_rule_set():
    assert len(FILES) >= 20


@pytest.mark.parametrize(("text", "depths"), list(cases(EVERYDAY_LEAVES)))
def test_a_game_goes_on_in_as_many_ways_as_were_counted(text, depths):
    position = parse_position(text)
    assert [(depth, perft(position, depth)) for depth, _ in depths] == depths
