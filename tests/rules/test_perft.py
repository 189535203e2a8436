"""Perft: the numbers of games of each rule set, as counted by the second implementation.

Each line of tests/perft/ is counted to a depth that takes a moment;
`python -m tests.rules.compare --perft` counts all of them.
"""

import pytest

from tests.each import each
from tests.rules.perft_lines import FILES, perft_lines
from urpi.rules import RULE_SETS, Side, parse_position, perft, rule_set

EVERYDAY_LEAVES = 5_000


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_rule_set_has_perft_files(name):
    assert any(path.stem.partition("+")[0] == name for path in FILES)


@each(("text", "depths"), list(perft_lines(EVERYDAY_LEAVES)))
def test_a_game_continues_in_as_many_ways_as_were_counted(text, depths):
    position = parse_position(text)
    assert [(depth, perft(position, depth)) for depth, _ in depths] == depths
    assert perft(position, 0) == 1


@pytest.mark.parametrize(
    ("name", "counts"),
    [("masters", [4, 19, 116, 846, 6556]), ("blitz", [5, 28, 192, 1496, 12588])],
)
def test_the_library_of_royalur_counts_as_many_ways(name, counts):
    start = rule_set(name).start(Side.LIGHT)
    assert [perft(start, depth) for depth in range(1, 6)] == counts
