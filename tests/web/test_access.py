"""Who may act: PIN, sessions, tries, rates, names and origins."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from urpi.web.access import MOST_SESSIONS, TRIES, Access, new_pin
from urpi.web.hosts import Hosts, is_loopback, same_site, split_host
from urpi.web.rates import MOST_ADDRESSES, Rate, Tries, TriesByAddress, whose

PIN = "314159"
ELSEWHERE = "192.168.1.77"


def enter(access: Access, pin: str, host: str = ELSEWHERE, now: float = 0.0) -> str:
    """What came of it: in, wrong, or wait."""
    entered = access.enter(pin, host, now)
    if entered.token:
        return "in"
    return "wait" if entered.wait_s else "wrong"


def test_a_pin_is_six_digits_and_another_each_time() -> None:
    pins = {new_pin() for _ in range(50)}
    assert all(re.fullmatch("[0-9]{6}", pin) for pin in pins)
    assert len(pins) > 40


def test_whoever_knows_the_pin_gets_a_session_that_ends_when_it_is_left() -> None:
    access = Access(PIN)
    token = access.enter(PIN, ELSEWHERE, 0.0).token
    assert len(token) >= 43
    assert access.knows(token)
    access.leave(token)
    assert not access.knows(token)


@pytest.mark.parametrize("token", ["", "x", "\ud800", "0" * 5000])
def test_no_other_token_is_known(token: str) -> None:
    access = Access(PIN)
    access.enter(PIN, ELSEWHERE, 0.0)
    assert not access.knows(token)


def test_sessions_are_bounded_and_the_oldest_goes() -> None:
    access = Access(PIN)
    tokens = [access.enter(PIN, ELSEWHERE, 0.0).token for _ in range(MOST_SESSIONS + 1)]
    assert [access.knows(token) for token in tokens] == [False] + [True] * MOST_SESSIONS


def test_five_wrong_pins_a_minute_and_then_even_the_right_one_waits() -> None:
    access = Access(PIN)
    assert [enter(access, f"00000{n}") for n in range(TRIES)] == ["wrong"] * TRIES
    assert enter(access, PIN) == "wait"
    assert enter(access, PIN, now=59.9) == "wait"
    assert enter(access, PIN, now=60.0) == "in"


def test_many_addresses_have_five_tries_together() -> None:
    access = Access(PIN)
    tried = [enter(access, "000000", f"10.0.{n}.1") for n in range(20)]
    assert tried == ["wrong"] * TRIES + ["wait"] * (20 - TRIES)


def test_the_right_pin_costs_no_try() -> None:
    access = Access(PIN)
    assert [enter(access, PIN) for _ in range(20)] == ["in"] * 20


def test_an_address_that_asks_too_often_waits_and_others_do_not() -> None:
    rate = Rate(burst=3, per_s=1)
    assert [rate.allows("a", 0.0) for _ in range(5)] == [True] * 3 + [False] * 2
    assert rate.allows("b", 0.0)
    assert [rate.allows("a", 2.0) for _ in range(3)] == [True, True, False]


def test_a_million_addresses_take_no_more_room_than_a_thousand() -> None:
    rate, tries = Rate(burst=3, per_s=1), TriesByAddress(5, 60.0)
    for number in range(3 * MOST_ADDRESSES):
        rate.allows(str(number), 0.0)
        tries.of(str(number)).count(0.0)
    assert len(rate) == MOST_ADDRESSES
    assert len(tries._tries) == MOST_ADDRESSES


@given(st.lists(st.floats(0, 300), max_size=60).map(sorted))
def test_there_are_never_more_than_five_tries_in_a_minute(times: list[float]) -> None:
    tries, made = Tries(5, 60.0), []
    for now in times:
        if not tries.wait_s(now):
            tries.count(now)
            made.append(now)
    assert all(later - first >= 60.0 for first, later in zip(made, made[5:], strict=False))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.168.1.20", "192.168.1.21", False),
        ("::ffff:192.168.1.20", "192.168.1.20", True),
        ("2001:db8::1", "2001:db8::ffff", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("fe80::1%eth0", "fe80::2%wlan0", True),
        ("unix", "unix", True),
    ],
)
def test_an_ipv6_network_is_one_household_s(one: str, other: str, same: bool) -> None:
    assert (whose(one) == whose(other)) is same


HOSTS = Hosts.of(("urpi", "urpi.local"), ("ur.example.org",))


@pytest.mark.parametrize(
    ("header", "arrived_at", "known"),
    [
        ("localhost:8011", "127.0.0.1", True),
        ("LOCALHOST", "127.0.0.1", True),
        ("127.0.0.1:8011", "127.0.0.1", True),
        ("[::1]:8011", "::1", True),
        ("urpi.local:8011", "192.168.1.20", True),
        ("urpi.local.:8011", "192.168.1.20", True),
        ("Ur.Example.org", "192.168.1.20", True),
        ("192.168.1.20:8011", "192.168.1.20", True),
        ("192.168.1.20:8011", "::ffff:192.168.1.20", True),
        ("[fe80::1]:8011", "fe80::1%eth0", True),
        ("192.168.1.21:8011", "192.168.1.20", False),
        ("evil.example:8011", "192.168.1.20", False),
        ("evil.example", "127.0.0.1", False),
        ("localhost.evil.example", "127.0.0.1", False),
        ("urpi.local.evil.example", "192.168.1.20", False),
        ("127.0.0.1.nip.io:8011", "127.0.0.1", False),
        ("2130706433:8011", "127.0.0.1", False),
        ("localhost:80x", "127.0.0.1", False),
        ("localhost@evil.example", "127.0.0.1", False),
        ("evil.example#localhost", "127.0.0.1", False),
        ("[::1", "::1", False),
        ("", "127.0.0.1", False),
    ],
)
def test_the_page_is_asked_for_by_its_own_names_alone(
    header: str, arrived_at: str, known: bool
) -> None:
    assert HOSTS.knows(header, arrived_at) is known


@given(st.text())
@example(".")
@example("[.]:1")
def test_no_host_header_is_too_strange_to_be_read(text: str) -> None:
    split = split_host(text)
    assert split is None or split[0]


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("::ffff:192.168.1.20", False),
        ("0.0.0.0", False),
        ("192.168.1.20", False),
        ("localhost.example", False),
    ],
)
def test_loopback_is_this_machine_alone(host: str, here: bool) -> None:
    assert is_loopback(host) is here


@pytest.mark.parametrize(
    ("origin", "fetch_site", "same"),
    [
        ("http://urpi:8011", "same-origin", True),
        ("http://urpi:8011", None, True),
        ("HTTP://URPI:8011", None, True),
        (None, "same-origin", True),
        (None, "none", True),
        (None, None, False),
        ("null", None, False),
        ("null", "same-origin", False),
        ("https://urpi:8011", None, False),
        ("http://urpi", None, False),
        ("http://urpi:80110", None, False),
        ("http://urpi:8011.evil.example", None, False),
        ("http://evil.example", "cross-site", False),
        ("http://urpi:8011", "cross-site", False),
        ("http://urpi:8011", "same-site", False),
        (None, "cross-site", False),
        (None, "same-site", False),
    ],
)
def test_only_the_own_page_acts(origin: str | None, fetch_site: str | None, same: bool) -> None:
    assert same_site({"http://urpi:8011"}, origin, fetch_site) is same
