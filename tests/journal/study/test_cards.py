"""The schedule of flash cards, for any answers on any days."""

from random import Random

import pytest

from urpi.journal.study import INTERVALS, NEW, Card, card_after, card_of


def answers(random: Random) -> list[tuple[int, bool]]:
    """Return answers on days that never decrease."""
    day, found = random.randrange(700_000, 800_000), []
    for _ in range(random.randrange(1, 40)):
        day += random.choice((0, 0, 1, 1, 2, 3, 5, 20, 400))
        found.append((day, random.random() < 0.7))
    return found


@pytest.mark.parametrize("seed", range(20))
def test_a_card_is_due_after_the_interval_of_its_box_or_never(seed: int) -> None:
    given = answers(Random(seed))
    card = card_of(given)
    assert 1 <= card.box <= len(INTERVALS) + 1
    assert card.known == (card.due is None) == (card.box == len(INTERVALS) + 1)
    if card.due is not None:
        days = [day for day, _ in given]
        assert card.due - INTERVALS[card.box - 1] in days
        assert card.is_due(card.due)
        assert not card.is_due(card.due - 1)


@pytest.mark.parametrize("seed", range(20))
def test_one_bad_answer_begins_again_whatever_was_before(seed: int) -> None:
    given = answers(Random(seed))
    day = given[-1][0] + Random(seed).randrange(3)
    assert card_of([*given, (day, False)]) == Card(1, day + 1)


@pytest.mark.parametrize("seed", range(20))
def test_only_a_good_answer_in_time_moves_a_card_on_and_by_one_box(seed: int) -> None:
    random = Random(seed)
    card = NEW
    for day, good in answers(random):
        after = card_after(card, (day, good))
        if good and card != NEW and not card.is_due(day):
            assert after == card
        elif good:
            assert after.box == max(card.box, 1) + 1
        card = after


def test_good_answers_on_the_days_when_they_are_due_end_after_a_month() -> None:
    day = first = 739_000
    card, days = NEW, []
    while not card.known:
        card = card_after(card, (day, True))
        days.append(day - first)
        day = card.due or day
    assert days == [0, 2, 6, 14, 30]


def test_a_new_card_is_not_due_because_it_is_set_after_those_that_are() -> None:
    assert not NEW.is_due(739_000)
    assert not NEW.known
