import pytest

from tests.kernel.other_work import Moment


def test_what_others_take_is_what_was_busy_and_was_not_ours() -> None:
    before = Moment(all_s=100.0, busy_s=40.0, own_s=5.0)
    after = Moment(all_s=120.0, busy_s=52.0, own_s=9.0)
    assert after.others_since(before) == pytest.approx(0.4)


def test_a_machine_that_is_all_ours_has_nothing_of_others() -> None:
    before = Moment(all_s=100.0, busy_s=40.0, own_s=5.0)
    after = Moment(all_s=110.0, busy_s=44.0, own_s=9.1)
    assert after.others_since(before) == 0.0


def test_time_goes_on() -> None:
    before = Moment.now()
    assert Moment.now().all_s >= before.all_s
