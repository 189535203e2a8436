import pytest
from hypothesis import given
from hypothesis import strategies as st

from urpi.hardware.presses import ButtonState, PressTiming, due, on_edge, tick

TIMING = PressTiming(stable_ms=20, long_ms=800)


def presses_of(edges, end):
    state, presses = ButtonState(), ()
    for t, on in edges:
        state, more = on_edge(state, t, on=bool(on), timing=TIMING)
        presses += more
    state, more = tick(state, end, TIMING)
    return [*presses, *more], state


@pytest.mark.parametrize(
    ("case", "edges", "presses"),
    [
        ("nothing", [], []),
        ("a short press is reported when it ends", [(100, 1), (300, 0)], [(320, "short")]),
        ("a long press is reported while held", [(100, 1), (2000, 0)], [(900, "long")]),
        ("a held button is long once", [(100, 1)], [(900, "long")]),
        ("one ms less is short", [(100, 1), (899, 0)], [(919, "short")]),
        ("released when due is long", [(100, 1), (900, 0)], [(900, "long")]),
        ("a spike is ignored", [(100, 1), (119, 0)], []),
        ("a spike while up ends no press", [(100, 1), (300, 0), (310, 1)], [(900, "long")]),
        (
            "bounce at both ends is one press",
            [(100, 1), (103, 0), (105, 1), (109, 0), (111, 1), (300, 0), (304, 1), (307, 0)],
            [(327, "short")],
        ),
        (
            "a long press that bounces when due is reported afterwards",
            [(100, 1), (895, 0), (905, 1), (1500, 0)],
            [(905, "long")],
        ),
        (
            "two presses",
            [(100, 1), (200, 0), (300, 1), (400, 0)],
            [(220, "short"), (420, "short")],
        ),
        ("a repeated level is not an edge", [(100, 1), (150, 1), (300, 0)], [(320, "short")]),
    ],
)
def test_presses_of_edges(case, edges, presses):
    assert presses_of(edges, 5000)[0] == presses, case


def test_button_at_rest_is_not_due():
    assert due(ButtonState(), TIMING) is None
    assert due(presses_of([(100, 1)], 900)[1], TIMING) is None


edge_lists = st.lists(st.tuples(st.integers(0, 900), st.booleans()), max_size=30).map(
    lambda steps: [(sum(gap for gap, _ in steps[: i + 1]), on) for i, (_, on) in enumerate(steps)]
)


@given(edge_lists, st.lists(st.integers(0, 27_000)))
def test_presses_do_not_depend_on_the_times_of_ticks(edges, ticks):
    state, presses = ButtonState(), []
    steps = sorted(
        [(t, 1, on) for t, on in edges] + [(t, 0, None) for t in ticks], key=lambda m: m[:2]
    )
    for t, _, on in steps:
        state, more = (
            tick(state, t, TIMING) if on is None else on_edge(state, t, on=on, timing=TIMING)
        )
        presses += more
    presses += tick(state, 60_000, TIMING)[1]
    assert presses == presses_of(edges, 60_000)[0]
    assert presses == sorted(presses)
