"""The squares of a disturbed board on the OLED: the next one by name, and how many remain."""

import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.referee.positions import reached
from tests.show.views.text_monitor import monitored
from urpi.referee import Phase
from urpi.referee.snapshot import Snapshot
from urpi.rules import RULE_SETS, names_of, owner, parse_square, squares_of
from urpi.show.views import draw
from urpi.show.views.turn import DISC, draw_disc
from urpi.show.words import display_languages, words_for

NAMED = re.compile(r"\b[A-C][1-8]\b")


@pytest.mark.parametrize("language", display_languages())
@settings(max_examples=40, deadline=None)
@given(st.sampled_from(list(RULE_SETS)), st.integers(0, 2**32), st.integers(3, 20))
def test_the_next_square_is_named_the_others_are_counted_and_no_line_is_cut(
    language: str, rules: str, seed: int, count: int
) -> None:
    rng = Random(seed)
    position = reached(rules, rng, rng.randrange(0, 90))
    wrong = squares_of(rng.sample(range(20), count))
    fill, clear = wrong & position.occupancy, wrong & ~position.occupancy
    shown = Snapshot(Phase.SET_UP, position, fill=fill, clear=clear)
    with monitored() as monitor:
        picture = draw(shown, words_for(language))
    lines = [line.text for line in monitor.lines]
    [named] = [name for line in lines for name in NAMED.findall(line)]
    [more] = [int(one) for line in lines for one in re.findall(r"\+(\d+)", line)]
    assert named in names_of(clear or fill)
    assert 1 + more == count
    if not clear:
        disc = Image.new("1", (DISC, DISC))
        draw_disc(disc, (0, 0), owner(position.board[parse_square(named)]))
        assert picture.crop((0, 3, DISC, 3 + DISC)).tobytes() == disc.tobytes()
