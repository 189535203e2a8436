"""What decided a game."""

from dataclasses import replace

import pytest

from tests.engine.test_evaluator import PROGRESS
from urpi.engine.review import Review, review_record, verdict_of
from urpi.rules import Side
from urpi.rules.record import parse_record


def game(result: float | None, stop: float, lucks: tuple[float, float], losses: float) -> Review:
    """Return a review of two throws: the luck of light and dark, and what dark's move lost."""
    record = parse_record('[Rules "finkel"]\n\n1. L gs-- +A3\n2. D gs-- +C3\n')
    found = review_record(record, PROGRESS)
    light, dark = found.throws
    throws = (
        replace(light, before=0.5, best_value=0.5 + lucks[0], after=0.5 + lucks[0]),
        replace(dark, before=0.5, best_value=0.5 + lucks[1], after=0.5 + lucks[1] - losses),
    )
    return Review(found.rules, found.source, throws, 0.5, stop, result)


@pytest.mark.parametrize(
    ("result", "stop", "lucks", "loss", "code", "side"),
    [
        (1, 1, (0.5, 0.0), 0.0, "luck", "light"),
        (1, 1, (0.7, 0.0), -0.2, "luck-despite", "light"),
        (1, 1, (0.0, 0.0), 0.5, "moves", "light"),
        (1, 1, (0.0, 0.2), 0.7, "moves-despite", "light"),
        (1, 1, (0.3, 0.0), 0.2, "both", "light"),
        (0, 0, (0.0, 0.5), 0.0, "luck", "dark"),
        (1, 1, (0.02, 0.0), 0.02, "ahead", "light"),
        (0.5, 0.6, (0.1, 0.0), 0.0, "draw", None),
        (None, 0.4, (0.0, 0.1), 0.0, "open", "dark"),
        (1, 0.5, (0.0, 0.0), 0.0, "gave-up", "light"),
        # A player who resigns with a chance of more than a fifth gives something up.
        (1, 0.79, (0.0, 0.0), 0.0, "gave-up", "light"),
        (1, 0.81, (0.0, 0.0), 0.0, "ahead", "light"),
        (0, 0.21, (0.0, 0.0), 0.0, "gave-up", "dark"),
        (0, 0.19, (0.0, 0.0), 0.0, "ahead", "dark"),
        (1, 0.9, (0.4, 0.0), 0.0, "luck", "light"),
    ],
)
def test_the_greater_difference_decides(
    result: float | None,
    stop: float,
    lucks: tuple[float, float],
    loss: float,
    code: str,
    side: str | None,
) -> None:
    verdict = verdict_of(game(result, stop, lucks, loss))
    assert (verdict.code, verdict.side) == (code, None if side is None else Side(side))


def test_the_chance_is_that_of_the_side_that_gave_up() -> None:
    assert verdict_of(game(0, 0.6, (0, 0), 0)).chance == pytest.approx(0.6)
