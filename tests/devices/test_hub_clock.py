from hypothesis import given
from hypothesis import strategies as st

from urpi.devices.hub_clock import WRAP, HubClock


def test_before_the_first_beat_a_report_is_of_now():
    assert HubClock().to_host_time(123, 5000) == 5000


def test_a_late_beat_does_not_move_the_clock():
    clock = HubClock()
    clock.on_heartbeat(1000, 51_000)
    clock.on_heartbeat(2000, 52_400)
    assert clock.to_host_time(1500, 53_000) == 51_500


def test_no_report_is_of_the_future():
    clock = HubClock()
    clock.on_heartbeat(1000, 51_000)
    assert clock.to_host_time(9000, 52_000) == 52_000


def test_a_report_from_before_the_first_beat_is_before_it():
    clock = HubClock()
    clock.on_heartbeat(1000, 51_000)
    assert clock.to_host_time(400, 51_000) == 50_400


def test_the_count_wraps():
    clock = HubClock()
    assert not clock.on_heartbeat(WRAP - 500, 10_000)
    assert not clock.on_heartbeat(500, 11_000)
    assert clock.to_host_time(100, 12_000) == 10_600
    assert clock.to_host_time(WRAP - 100, 12_000) == 10_400


def test_a_count_that_goes_back_is_a_new_start():
    clock = HubClock()
    clock.on_heartbeat(100_000, 500_000)
    assert clock.on_heartbeat(40, 501_000)
    assert clock.to_host_time(30, 501_000) == 500_990


def test_a_stalled_reader_is_no_new_start():
    clock = HubClock()
    clock.on_heartbeat(100_000, 500_000)
    assert not clock.on_heartbeat(101_000, 530_000)


def test_a_longer_count_than_before_is_a_new_start_when_too_much_is_missing():
    clock = HubClock()
    clock.on_heartbeat(5_000, 500_000)
    assert clock.on_heartbeat(9_000, 600_000, after_silence=True)


def test_the_same_hub_plugged_in_again_is_no_new_start():
    clock = HubClock()
    clock.on_heartbeat(5_000, 500_000)
    assert not clock.on_heartbeat(105_400, 600_000, after_silence=True)


@given(st.integers(0, WRAP - 1), st.integers(-100, 100), st.lists(st.integers(0, 40), min_size=40))
def test_the_clock_follows_the_drift_of_two_quartzes(start, ppm, delays):
    clock = HubClock()
    for second, delay in enumerate(delays):
        hub = (start + second * 1000 + second * ppm // 1000) % WRAP
        assert not clock.on_heartbeat(hub, 1_000_000 + second * 1000 + delay)
    last = 1_000_000 + (len(delays) - 1) * 1000
    assert abs(clock.to_host_time(hub, last + 40) - last) <= 40 + 4
