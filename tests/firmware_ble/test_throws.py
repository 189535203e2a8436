"""Throws and other motions of the bodies' physics, from the sensor to the antenna."""

import pytest

from tests.slow import slow_except

from .bodies import Body
from .die import Die, settings

ROLLING, SETTLED, COCKED, HANDLED = 0, 1, 2, 3
MOVED, THROWN = 1, 2
BODIES = {"tetrahedron-52": 4, "cube-30": 6}


def laid(image, motions, body, seed):
    die = Die(image, settings(kind=BODIES[body]), seed=seed)
    die.body = Body(motions, body, seed)
    die.sensor.source = die.body.felt
    die.run(3000)
    (report,) = die.reports()
    assert (report.state, report.face) == (SETTLED, 1)
    return die


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(it, marks=pytest.mark.slow) for it in (2, 3, 4))]
)
def test_throws_are_reported_with_their_face(image, motions, body, seed):
    die = laid(image, motions, body, seed)
    throws = 0
    for _ in range(3):
        die.body.do(die.chip.now, "throw")
        die.run(7000)
        assert die.body.is_still()
        *before, last = die.reports()
        assert ROLLING in {it.state for it in before}
        assert (last.state, last.face, last.verdict) == (SETTLED, die.body.face(), THROWN)
        assert last.throws > throws
        throws = last.throws


@pytest.mark.parametrize("body", slow_except(BODIES, "cube-30"))
@pytest.mark.parametrize("action", ["drop", "place", "set_down"])
def test_a_die_that_is_put_down_was_not_thrown(image, motions, body, action):
    die = laid(image, motions, body, 6)
    die.body.do(die.chip.now, action, 2)
    die.run(9000)
    last = die.reports()[-1]
    assert (last.state, last.face) == (SETTLED, die.body.face())
    # One that is dropped at a slant may tumble, and then shows a face that nobody chose.
    assert last.verdict == MOVED or (action == "drop" and last.face != 2)


def test_a_knock_on_the_table_is_no_report(image, motions):
    die = laid(image, motions, "cube-30", 4)
    die.run(15000)
    die.reports()
    die.body.do(die.chip.now, "knock")
    die.run(4000)
    assert all(it.throws == 0 and it.state == SETTLED for it in die.reports())


def age_ms(frame):
    """Return how long ago the report's state was decided."""
    exponent, rest = frame[9] >> 4, frame[9] & 15
    return (16 + rest) << (exponent - 1) if exponent else rest


def test_a_result_is_sent_within_150_ms(image, motions):
    """After rest is decided; the FIFO holds a sample for at most 25 ms before."""
    die = laid(image, motions, "tetrahedron-52", 8)
    die.advertisements()
    for _ in range(4):
        die.body.do(die.chip.now, "throw")
        die.run(7000)
        sent = [it.frame for _, _, it in die.advertisements() if it.frame[1] & 7 == SETTLED]
        new = [frame for frame in sent if frame[10:14] == sent[-1][10:14]]
        assert age_ms(new[0]) + 25 <= 150


def test_a_die_that_is_thrown_again_at_once_loses_no_result(image, motions):
    """The first is sent twelve times or more: with a loss of 40 %, 0.002 % are not heard."""
    die = laid(image, motions, "cube-30", 9)
    die.body.do(die.chip.now, "throw")
    results = 0
    for _ in range(2000):
        die.run(5)
        heard = [it for _, _, it in die.advertisements()]
        if any(it.frame[1] & 7 == SETTLED for it in heard):
            break
    die.body.do(die.chip.now, "throw")
    for _ in range(100):
        die.run(20)
        results += sum(
            it.frame[1] & 7 == SETTLED and mhz == 2402 for _, mhz, it in die.advertisements()
        )
    assert results >= 11
