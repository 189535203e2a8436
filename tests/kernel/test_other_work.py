import pytest

from tests.kernel.other_work import Moment


def test_the_share_of_others_is_the_busy_time_without_this_program_s() -> None:
    before = Moment(all_s=100.0, busy_s=40.0, own_s=5.0)
    after = Moment(all_s=120.0, busy_s=52.0, own_s=9.0)
    assert after.others_since(before) == pytest.approx(0.4)


def test_the_share_of_others_is_0_if_only_this_program_is_busy() -> None:
    before = Moment(all_s=100.0, busy_s=40.0, own_s=5.0)
    after = Moment(all_s=110.0, busy_s=44.0, own_s=9.1)
    assert after.others_since(before) == 0.0


def test_the_counters_increase() -> None:
    before = Moment.now()
    assert Moment.now().all_s >= before.all_s
