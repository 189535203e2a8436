from hypothesis import given
from hypothesis import strategies as st

from urpi.hardware.hub_link import DRIFT, JUMP_MS, WRAP, HubClock


def test_time_before_the_first_heartbeat_is_now():
    assert HubClock().to_host_time(123, 5000) == 5000


def test_late_heartbeat_is_ignored():
    clock = HubClock()
    clock.on_heartbeat(1000, 51_000)
    clock.on_heartbeat(2000, 52_400)
    assert clock.to_host_time(1500, 53_000) == 51_500


def test_time_is_never_in_the_future():
    clock = HubClock()
    clock.on_heartbeat(1000, 51_000)
    assert clock.to_host_time(9000, 52_000) == 52_000


def test_time_before_the_first_heartbeat_can_be_converted():
    clock = HubClock()
    clock.on_heartbeat(1000, 51_000)
    assert clock.to_host_time(400, 51_000) == 50_400


def test_hub_time_wraps():
    clock = HubClock()
    assert not clock.on_heartbeat(WRAP - 500, 10_000)
    assert not clock.on_heartbeat(500, 11_000)
    assert clock.to_host_time(100, 12_000) == 10_600
    assert clock.to_host_time(WRAP - 100, 12_000) == 10_400


def test_hub_time_going_back_is_a_restart():
    clock = HubClock()
    clock.on_heartbeat(100_000, 500_000)
    assert clock.on_heartbeat(40, 501_000)
    assert clock.to_host_time(30, 501_000) == 500_990


def test_delayed_heartbeat_is_not_a_restart():
    clock = HubClock()
    clock.on_heartbeat(100_000, 500_000)
    assert not clock.on_heartbeat(101_000, 530_000)


def test_hub_time_that_advanced_too_little_is_a_restart():
    clock = HubClock()
    clock.on_heartbeat(5_000, 500_000)
    assert clock.on_heartbeat(9_000, 600_000, after_silence=True)


def test_reconnected_hub_is_not_a_restart():
    clock = HubClock()
    clock.on_heartbeat(5_000, 500_000)
    assert not clock.on_heartbeat(105_400, 600_000, after_silence=True)


@given(st.integers(3_000, 7 * 86_400_000))
def test_the_longer_a_silence_the_more_a_quartz_may_be_off(silence_ms):
    allowed_ms = JUMP_MS + silence_ms // DRIFT
    for off_ms in (-allowed_ms - 1, -allowed_ms, allowed_ms, allowed_ms + 1):
        clock = HubClock()
        clock.on_heartbeat(5_000, 500_000)
        hub_ms, now = 5_000 + silence_ms + off_ms, 500_000 + silence_ms
        restarted = clock.on_heartbeat(hub_ms, now, after_silence=True)
        assert restarted is (abs(off_ms) > allowed_ms)


@given(st.integers(0, WRAP - 1), st.integers(-100, 100), st.lists(st.integers(0, 40), min_size=40))
def test_clock_follows_the_drift_of_the_quartzes(start, ppm, delays):
    clock = HubClock()
    for second, delay in enumerate(delays):
        hub = (start + second * 1000 + second * ppm // 1000) % WRAP
        assert not clock.on_heartbeat(hub, 1_000_000 + second * 1000 + delay)
    last = 1_000_000 + (len(delays) - 1) * 1000
    assert abs(clock.to_host_time(hub, last + 40) - last) <= 40 + 4
