"""Games are the same after a round trip through every format, in every rule set."""

from pathlib import Path

import pytest

from tests.bench.round_trips import check_games
from tests.slow import slow_except
from urpi.rules import RULE_SETS


@pytest.mark.parametrize("rules", slow_except(RULE_SETS, "skiryuk"))
def test_every_format_gives_the_same_game_again(rules: str, tmp_path: Path) -> None:
    # In one of the games nobody throws.
    assert check_games(rules, (1, 20, 21), tmp_path) > 50
