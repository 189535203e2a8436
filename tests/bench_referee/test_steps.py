"""No step is so expensive that it holds up the facts behind it; work is counted, not time."""

import pytest

from tests.bench_referee.steps import Case, a_row_of_blinks, a_throw, worst_step
from tests.slow import slow_except
from urpi.rules import parse_position

MAX_CALLS = 12_000
"""Calls of Python functions in one step: a few milliseconds; `steps` measures them."""


CASES = [
    (
        "freecompany A1:L,A3:L,A8:D,B1:L,B3:D,B4:D,B5:D,B6:L,B8:L,C1:D,C2:L,C4:L L0D2 L0D0 L",
        "gg",
    ),
    ("freecompany A1:L,A4:D,B2:L,B4:L,B6:L,B8:L,C2:L,C4:L,C8:D L0D5 L0D0 L", "gg"),
    (
        "skiryuk A1:L,A3:L,B1:D',B2:L,B3:LD',B6:DD,B7:D',C1:D,C2:D,C7:L,C8:L L1D0 L0D0 L",
        "-s-",
    ),
    ("ravensburger A1:L,A4:L,B4:L'D',B5:L,B6:DL,B8:LDDDL,C2:D,C8:LDD L2D2 L0D0 L", "1"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("position", "faces"), slow_except(CASES, CASES[1]))
def test_a_row_of_blinks_costs_little_whichever_piece_is_lifted(position: str, faces: str) -> None:
    standing = parse_position(position)
    calls = [
        worst_step(Case(position, (*a_throw(faces), *a_row_of_blinks(standing, lifted, 46)))).calls
        for lifted in range(standing.occupancy.bit_count())
    ]

    assert max(calls) < MAX_CALLS
