"""The squares of a disturbed board on the OLED: as many as fit, and how many more there are."""

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.referee.positions import reached
from tests.show.views.text_monitor import monitored
from urpi.referee import Phase
from urpi.referee.snapshot import Snapshot
from urpi.rules import RULE_SETS, Side, each_square, names_of, owner, squares_of
from urpi.show.views import draw
from urpi.show.words import languages, words_for

NAMED = re.compile(r"\b[A-C][1-8]\b")


@pytest.mark.parametrize("language", languages())
@settings(max_examples=40, deadline=None)
@given(st.sampled_from(list(RULE_SETS)), st.integers(0, 2**32), st.integers(3, 20))
def test_every_square_is_named_or_counted_and_no_line_is_cut(
    language: str, rules: str, seed: int, count: int
) -> None:
    rng = Random(seed)
    position = reached(rules, rng, rng.randrange(0, 90))
    wrong = squares_of(rng.sample(range(20), count))
    fill, clear = wrong & position.occupancy, wrong & ~position.occupancy
    shown = Snapshot(Phase.SET_UP, position, fill=fill, clear=clear)
    with monitored() as monitor:
        draw(shown, words_for(language))
    lines = [line.text for line in monitor.lines]
    named = [name for line in lines for name in NAMED.findall(line)]
    more = sum(int(one) for line in lines for one in re.findall(r"\+(\d+)", line))
    assert len(named) + more == count
    assert set(named) <= set(names_of(wrong))
    for side in Side:
        own = [each for each in each_square(fill) if owner(position.board[each]) is side]
        first = [line for line in lines if line.startswith(words_for(language).side(side))]
        assert bool(own) == bool(first)
