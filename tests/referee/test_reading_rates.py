"""What hands do is understood alike, however their edges come to the referee.

Every behaviour of `tables/` is played with each transport of `urpi.bench.transports`: polled
slowly, late, clumped, repeated, or with edges lost.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.referee.sitting import Behaviour, Sitting, behaviours
from urpi.bench.transports import CLUMP_MS, LATE_MS, TRANSPORTS

BEHAVIOURS = behaviours()
UNDERSTOOD = [name for name, behaviour in BEHAVIOURS.items() if not behaviour.not_yet]
LATER_MS = {
    "as-is": 0,
    "repeated": 0,
    "polled-1": 1,
    "polled-5": 5,
    "polled-20": 20,
    "late": LATE_MS,
    "clumped": CLUMP_MS,
}
"""So much later than with the edges as they are may anything be told."""
SEEDS = range(2)
CHANGES = ("move", "takeback")


def cases() -> list[object]:
    """Every behaviour with every transport that loses nothing."""
    return [
        pytest.param(
            behaviour,
            transport,
            id=f"{name} - {transport}",
            marks=[pytest.mark.xfail(strict=True, reason=behaviour.not_yet)]
            if behaviour.not_yet
            else [],
        )
        for name, behaviour in BEHAVIOURS.items()
        for transport in LATER_MS
    ]


def kept(news: list[str]) -> list[str]:
    """The moves that stand in the end."""
    moves: list[str] = []
    for word, _, text in (one.partition(" ") for one in news):
        if word == "move":
            moves.append(text)
        elif word == "takeback":
            assert moves.pop() == text
    return moves


def begins_alike(news: list[str], right: list[str]) -> bool:
    """Whether only such moves were made as are right, and those that stand in their order."""
    changes = {one for one in news if one.startswith(CHANGES)}
    moves = kept(news)
    return changes <= set(right) and moves == kept(right)[: len(moves)]


@pytest.mark.parametrize(("behaviour", "transport"), cases())
def test_the_same_is_told_with_every_transport(behaviour: Behaviour, transport: str) -> None:
    for seed in SEEDS:
        told = Sitting(behaviour, transport, seed).play()
        news = [one for _, one in told]

        assert news in behaviour.right(transport), f"seed {seed}"
        if news == behaviour.news:
            late = LATER_MS[transport]
            for (t, one), (begin, end) in zip(told, behaviour.windows(), strict=True):
                assert begin <= t <= end + late, f"seed {seed}: {one} came at {t}"


@pytest.mark.parametrize("name", UNDERSTOOD)
def test_an_edge_lost_now_and_then_makes_no_other_move(name: str) -> None:
    behaviour = BEHAVIOURS[name]
    for seed in SEEDS:
        news = [one for _, one in Sitting(behaviour, "lossy", seed).play()]

        assert any(begins_alike(news, right) for right in behaviour.right("lossy")), seed


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(UNDERSTOOD), st.sampled_from(list(TRANSPORTS)), st.integers(0, 2**32 - 1))
def test_no_transport_makes_a_move_another_one(name: str, transport: str, seed: int) -> None:
    behaviour = BEHAVIOURS[name]
    news = [one for _, one in Sitting(behaviour, transport, seed).play()]

    assert any(begins_alike(news, right) for right in behaviour.right(transport))
