"""Lines that the club's operator has removed are not stored again, and games go on."""

from copy import deepcopy

import pytest

from tests.link.protocol.delivery import Delivery, RemovedLines
from tests.slow import slow_except


@pytest.mark.parametrize("seed", slow_except(range(40), 0))
def test_every_line_that_was_not_removed_is_stored(seed: int) -> None:
    one = RemovedLines(seed)
    for _ in range(300):
        one.next_event()
    one.settle()
    one.check()


def club_without_lines(*, finished: bool = False) -> Delivery:
    """A club that has removed the lines of a game that it had received."""
    one = Delivery()
    one.play(2000)
    if finished:
        one.finish()
    one.settle()
    one.store.remove_lines(1)
    return one


@pytest.mark.parametrize("finished", [False, True])
def test_removed_lines_are_not_stored_again(finished: bool) -> None:
    one = club_without_lines(finished=finished)
    before = deepcopy(one.store)
    one.ledger.stored.clear()
    one.restart_table()
    one.settle()
    assert one.store == before


def test_a_game_whose_lines_were_removed_goes_on() -> None:
    one = club_without_lines()
    one.play(5)
    one.finish()
    one.settle()
    (stored,) = one.store.stored.values()
    lines = one.journal.games_by_number[1].lines
    assert stored.lines == [""] * stored.removed + lines[stored.removed :]
    assert len(lines) > stored.removed
    assert stored.finished


@pytest.mark.parametrize("ends_earlier", [False, True])
def test_another_course_of_a_game_whose_lines_were_removed_is_a_second_history(
    ends_earlier: bool,
) -> None:
    one = Delivery()
    one.play(1000)
    backup = one.journal.backup()
    one.play(20)
    one.settle()
    one.store.remove_lines(1)
    one.restore_journal(backup)
    if ends_earlier:
        one.play(1)
        one.finish()
    else:
        one.play(2000)
    one.settle()
    first, second = one.store.stored.values()
    assert not any(first.lines)
    assert first.finished is None
    lines = one.journal.games_by_number[1].lines
    assert len(second.lines) == len(lines)
    assert second.lines[second.removed :] == lines[second.removed :]
    assert second.removed < first.removed
    assert one.store.current == {second.key: 2}


def test_later_courses_are_stored_although_the_lines_of_the_first_one_were_removed() -> None:
    one = Delivery()
    one.play(10)
    backup = one.journal.backup()
    one.play(1000)
    one.settle()
    one.restore_journal(backup)
    one.play(10)
    backup = one.journal.backup()
    one.play(10)
    one.settle()
    one.store.remove_lines(1)
    one.restore_journal(backup)
    one.play(10)
    one.settle()
    assert one.store.stored[3].lines == one.journal.games_by_number[1].lines
