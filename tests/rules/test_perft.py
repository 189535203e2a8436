"""Perft: the number of ways every rule set can go, as the second implementation counted them.

Here every line of tests/perft/ is counted as deep as it goes in a moment;
`python -m tests.rules.compare --perft` counts every number.
"""

import pytest

from tests.rules.perft_lines import FILES, perft_lines
from urpi.rules import RULE_SETS, parse_position, perft

EVERYDAY_LEAVES = 5_000


@pytest.mark.parametrize("name", RULE_SETS)
def test_every_rule_set_has_perft_files(name):
    assert any(path.stem.partition("+")[0] == name for path in FILES)


@pytest.mark.parametrize(("text", "depths"), list(perft_lines(EVERYDAY_LEAVES)))
def test_a_game_goes_on_in_as_many_ways_as_were_counted(text, depths):
    position = parse_position(text)
    assert [(depth, perft(position, depth)) for depth, _ in depths] == depths
