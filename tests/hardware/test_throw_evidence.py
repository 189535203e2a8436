"""The evidence of a die, as sent by the firmware, and what each strictness makes of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.hardware.hub_link import HubSettings
from urpi.hardware.protocol import DieLine
from urpi.hardware.protocol_constants import STATES
from urpi.hardware.throw_evidence import Evidence, angle_of, evidence_of


def settled(angle_deg, tumbles, fall_ms, thrown=1, state="settled"):
    return DieLine(1, 2, state, 41, 4, 1, angle_deg, tumbles, fall_ms, 3870, None, thrown, t_ms=5)


@given(
    lean=st.integers(0, 15),
    turned=st.integers(0, 60),
    edges=st.integers(0, 3),
    flight_ms=st.integers(60, 1275),
    thrown=st.integers(0, 1),
)
def test_evidence_is_read_as_the_die_packs_it(lean, turned, edges, flight_ms, thrown):
    line = settled(16 + lean, 4 * turned + edges, flight_ms, thrown)
    assert evidence_of(line) == Evidence(flight_ms, edges, None if turned == 60 else 3 * turned)
    assert angle_of(line) == lean


@given(angle=st.integers(0, 90), tumbles=st.integers(0, 255), fall_ms=st.integers(0, 65535))
def test_reports_of_older_dice_have_no_evidence(angle, tumbles, fall_ms):
    """They send no verdict, or an angle of at most 15 degrees, or are cocked."""
    old = (
        settled(angle, tumbles, fall_ms, None),
        settled(angle % 16, tumbles, fall_ms),
        settled(angle, tumbles, fall_ms, state="cocked"),
    )
    assert [evidence_of(line) for line in old] == [None] * 3
    assert [angle_of(line) for line in old] == [angle, angle % 16, angle]


@pytest.mark.parametrize(
    ("evidence", "home", "club"),
    [
        (Evidence(110, 0, None), None, None),
        (Evidence(75, 0, None), None, None),
        (Evidence(70, 0, None), None, "gentle"),
        (Evidence(60, 0, None), None, "gentle"),
        (Evidence(110, 0, 3), "dropped", "dropped"),
        (Evidence(110, 0, 42), "dropped", "dropped"),
        (Evidence(110, 0, 45), None, "held"),
        (Evidence(110, 1, 108), None, "held"),
        (Evidence(110, 1, 0), "dropped", "dropped"),
        (Evidence(110, 2, 0), None, "held"),
        (Evidence(110, 3, 0), None, None),
        (Evidence(60, 3, 0), None, "gentle"),
        (Evidence(60, 0, 90), None, "held"),
    ],
)
def test_club_counts_no_die_that_a_hand_held(evidence, home, club):
    assert (evidence.refusal("home"), evidence.refusal("club")) == (home, club)
    assert (evidence.is_throw("home"), evidence.is_throw("club")) == (not home, not club)


@pytest.mark.parametrize(
    ("tumbles", "fall_ms", "why"),
    [
        (0, 0, "by-hand"),
        (1, 55, "by-hand"),
        (2, 0, "gentle"),
        (9, 55, "gentle"),
        (0, 60, None),  # it fell, but ended in the hand
    ],
)
def test_reason_of_a_die_that_did_not_fly(tumbles, fall_ms, why):
    assert HubSettings().why(settled(3, tumbles, fall_ms, thrown=0)) == why


@given(
    angle=st.integers(0, 90),
    tumbles=st.integers(0, 255),
    fall_ms=st.integers(0, 65535),
    thrown=st.none() | st.integers(0, 1),
    state=st.sampled_from(STATES),
    strictness=st.sampled_from(["home", "club"]),
)
def test_only_a_settled_die_that_was_not_thrown_has_a_reason(
    angle, tumbles, fall_ms, thrown, state, strictness
):
    line = settled(angle, tumbles, fall_ms, thrown, state)
    settings = HubSettings(strictness=strictness)
    if settings.why(line) is not None:
        assert state == "settled"
        assert not settings.thrown(line)
        assert thrown is not None
    elif evidence_of(line) is not None:
        assert settings.thrown(line)


@given(
    st.builds(
        Evidence,
        st.integers(60, 1275),
        st.integers(0, 3),
        st.none() | st.integers(0, 179),
    )
)
def test_what_counts_at_a_club_counts_at_home(evidence):
    assert evidence.is_throw("home") or not evidence.is_throw("club")
