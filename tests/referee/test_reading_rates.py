"""The referee decides the same with every transport of the edges.

Every behaviour of `tables/` is played with each transport of `tools.bench.transports`: polled
slowly, late, clumped, repeated, or with edges lost.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.referee.sitting import Behaviour, Sitting, behaviours
from tests.slow import mostly_slow
from tools.bench.transports import CLUMP_MS, LATE_MS, TRANSPORTS

BEHAVIOURS = behaviours()
SUPPORTED = [name for name, behaviour in BEHAVIOURS.items() if not behaviour.not_yet]
DELAY_MS = {
    "as-is": 0,
    "repeated": 0,
    "polled-1": 1,
    "polled-5": 5,
    "polled-20": 20,
    "late": LATE_MS,
    "clumped": CLUMP_MS,
}
"""Maximum delay of a decision with a transport, compared with undelayed edges."""
EVERYDAY = ("polled-20", "late", "clumped")
"""`make test` plays each behaviour with one of these, in turn."""
SEEDS = range(2)
CHANGES = ("move", "takeback")


def cases() -> list[object]:
    """Return every behaviour with every transport that loses no edge."""
    return [
        pytest.param(
            behaviour,
            transport,
            id=f"{name} - {transport}",
            marks=[
                *[pytest.mark.xfail(strict=True, reason=behaviour.not_yet)]
                * bool(behaviour.not_yet),
                *[pytest.mark.slow] * (transport != EVERYDAY[number % len(EVERYDAY)]),
            ],
        )
        for number, (name, behaviour) in enumerate(BEHAVIOURS.items())
        for transport in DELAY_MS
    ]


def kept(decisions: list[str]) -> list[str]:
    """Return the moves that were not taken back."""
    moves: list[str] = []
    for word, _, text in (one.partition(" ") for one in decisions):
        if word == "move":
            moves.append(text)
        elif word == "takeback":
            assert moves.pop() == text
    return moves


def begins_correctly(decisions: list[str], correct: list[str]) -> bool:
    """Return whether all moves are correct ones, and those not taken back in their order."""
    changes = {one for one in decisions if one.startswith(CHANGES)}
    moves = kept(decisions)
    return changes <= set(correct) and moves == kept(correct)[: len(moves)]


@pytest.mark.parametrize(("behaviour", "transport"), mostly_slow(cases(), 80))
def test_every_transport_leads_to_the_same_decisions(behaviour: Behaviour, transport: str) -> None:
    for seed in SEEDS:
        timed = Sitting(behaviour, transport, seed).play()
        decisions = [one for _, one in timed]

        assert decisions in behaviour.correct(transport), f"seed {seed}"
        if decisions == behaviour.decisions:
            late = DELAY_MS[transport]
            for (t, one), (begin, end) in zip(timed, behaviour.windows(), strict=True):
                assert begin <= t <= end + late, f"seed {seed}: {one} at {t}"


@pytest.mark.parametrize("name", mostly_slow(SUPPORTED, 30))
def test_lost_edges_do_not_lead_to_other_moves(name: str) -> None:
    behaviour = BEHAVIOURS[name]
    for seed in SEEDS:
        decisions = [one for _, one in Sitting(behaviour, "lossy", seed).play()]

        assert any(begins_correctly(decisions, each) for each in behaviour.correct("lossy")), seed


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SUPPORTED), st.sampled_from(list(TRANSPORTS)), st.integers(0, 2**32 - 1))
def test_no_transport_leads_to_other_moves(name: str, transport: str, seed: int) -> None:
    behaviour = BEHAVIOURS[name]
    decisions = [one for _, one in Sitting(behaviour, transport, seed).play()]

    assert any(begins_correctly(decisions, each) for each in behaviour.correct(transport))
