"""Access control: PIN, sessions, attempts, rate limits, host names and origins."""

import re
import stat
import tempfile
from ipaddress import IPv6Address
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.each import each
from urpi.http.access import (
    MAX_ALL_ATTEMPTS,
    MAX_ATTEMPTS,
    MAX_SESSIONS,
    Access,
    new_pin,
    read_access,
    write_access,
)
from urpi.http.hosts import AllowedHosts, same_site, split_host
from urpi.http.limits import MAX_ADDRESSES, AttemptLimit, AttemptLimits, RateLimit, client_key

PIN = "314159"
ELSEWHERE = "192.168.1.77"


def enter(access: Access, pin: str, address: str = ELSEWHERE, now: float = 0.0) -> str:
    """Return the result of an attempt: in, wrong, or wait."""
    attempt = access.enter(pin, address, now)
    if attempt.token:
        return "in"
    return "wait" if attempt.wait_s else "wrong"


def test_each_new_pin_has_six_digits_and_is_different() -> None:
    pins = {new_pin() for _ in range(50)}
    assert all(re.fullmatch("[0-9]{6}", pin) for pin in pins)
    assert len(pins) > 40


def test_the_pin_begins_a_session_that_lasts_until_it_is_ended() -> None:
    access = Access(PIN)
    token = access.enter(PIN, ELSEWHERE, 0.0).token
    assert len(token) >= 43
    assert access.is_valid(token)
    access.end(token)
    assert not access.is_valid(token)


@pytest.mark.parametrize("token", ["", "x", "\ud800", "0" * 5000])
def test_other_tokens_are_invalid(token: str) -> None:
    access = Access(PIN)
    access.enter(PIN, ELSEWHERE, 0.0)
    assert not access.is_valid(token)


def test_the_oldest_session_is_dropped_when_there_are_too_many() -> None:
    access = Access(PIN)
    tokens = [access.enter(PIN, ELSEWHERE, 0.0).token for _ in range(MAX_SESSIONS + 1)]
    assert [access.is_valid(token) for token in tokens] == [False] + [True] * MAX_SESSIONS


@given(st.lists(st.sampled_from(["enter", "end", "restart", "replace", "remove"]), max_size=12))
def test_sessions_outlast_a_restart_and_end_with_a_new_pin(acts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "journal.db.page")
        access, valid, ended = Access(file=file), list[str](), list[str]()
        for act in acts:
            pin = access.pin
            if act == "enter":
                valid.append(access.enter(pin, ELSEWHERE, 0.0).token)
            elif act == "end" and valid:
                ended.append(valid.pop(0))
                access.end(ended[-1])
            elif act == "restart":
                access = Access(file=file)
            elif act == "replace":
                # Another process: `urpi pin --new`.
                pin = new_pin()
                write_access(file, pin)
                ended, valid = ended + valid, []
            elif act == "remove":
                file.unlink()
                # What the program knows stays valid, and is kept with the next session.
                valid.append(access.enter(pin, ELSEWHERE, 0.0).token)
            assert access.pin == pin
            assert [access.is_valid(token) for token in valid] == [True] * len(valid)
            assert not any(map(access.is_valid, ended))
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            assert not any(token in file.read_text("utf-8") for token in valid)


DIGEST = "0" * 64


@given(st.binary(max_size=200))
@example(b"")
@example(b'{"format":1,"pin":"12345","sessions":[]}')
@example(b'{"format":1,"pin":"1234567","sessions":[]}')
@example(('{"format":1,"pin":"' + "\u0661" * 6 + '","sessions":[]}').encode())
@example(b'{"format":2,"pin":"123456","sessions":[]}')
@example(b'{"format":1,"pin":"123456","sessions":[1]}')
@example(b'{"format":1,"pin":"123456","sessions":["x"]}')
@example(b'{"format":1,"pin":"123456","sessions":{}}')
@example(b'{"format":1,"pin":123456,"sessions":[]}')
@example(b"[" * 10_000)
def test_a_damaged_file_is_replaced_with_a_new_pin(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "journal.db.page")
        file.write_bytes(content)
        with pytest.raises(ValueError):  # noqa: PT011 - also those of the decoders
            read_access(file)
        access = Access(file=file)
        assert read_access(file) == (access.pin, {})
        # While it runs: what it knows stays valid.
        token = access.enter(access.pin, ELSEWHERE, 0.0).token
        file.write_bytes(content)
        assert access.is_valid(token)


def test_a_folder_that_cannot_be_written_costs_no_game(tmp_path: Path) -> None:
    access = Access(file=tmp_path / "missing" / "journal.db.page")
    assert access.is_valid(access.enter(access.pin, ELSEWHERE, 0.0).token)


def test_after_five_wrong_pins_even_the_correct_one_must_wait_a_minute() -> None:
    access = Access(PIN)
    assert [enter(access, f"00000{n}") for n in range(MAX_ATTEMPTS)] == ["wrong"] * MAX_ATTEMPTS
    assert enter(access, PIN) == "wait"
    assert enter(access, PIN, now=59.9) == "wait"
    assert enter(access, PIN, now=60.0) == "in"


def test_wrong_pins_of_one_address_do_not_keep_others_out() -> None:
    access = Access(PIN)
    tried = [enter(access, "000000", "10.0.0.1", now=n / 100) for n in range(1000)]
    assert tried == ["wrong"] * MAX_ATTEMPTS + ["wait"] * (1000 - MAX_ATTEMPTS)
    assert enter(access, "000000", "10.0.0.2", now=10.0) == "wrong"
    assert enter(access, PIN, "10.0.0.2", now=10.0) == "in"


def test_all_addresses_together_have_sixty_attempts_in_a_minute() -> None:
    access = Access(PIN)
    tried = [enter(access, "000000", f"10.0.{n}.1") for n in range(MAX_ALL_ATTEMPTS + 20)]
    assert tried == ["wrong"] * MAX_ALL_ATTEMPTS + ["wait"] * 20
    assert enter(access, PIN, now=60.0) == "in"


def test_the_correct_pin_is_not_counted_as_an_attempt() -> None:
    access = Access(PIN)
    assert [enter(access, PIN) for _ in range(20)] == ["in"] * 20


def test_an_address_is_limited_to_its_burst_and_others_are_not_affected() -> None:
    rate = RateLimit(burst=4, per_s=0.5)
    assert [rate.allows("a", 0.0) for _ in range(6)] == [True] * 4 + [False] * 2
    assert rate.allows("b", 0.0)
    assert [rate.allows("a", 6.0) for _ in range(4)] == [True] * 3 + [False]


def test_a_quiet_address_saves_up_no_more_than_its_burst() -> None:
    rate = RateLimit(burst=3, per_s=1)
    assert rate.allows("a", 0.0)
    an_hour_later = [rate.allows("a", 3600.0) for _ in range(5)]
    assert an_hour_later == [True] * 3 + [False] * 2


def test_the_next_attempt_is_allowed_when_the_oldest_one_expires() -> None:
    limit = AttemptLimit(3, 60.0)
    for now in (0.0, 10.0, 20.0):
        assert limit.wait_s(now) == 0
        limit.add(now)
    assert limit.wait_s(20.0) == 40.0
    limit.add(60.0)
    assert limit.wait_s(60.0) == 10.0


def test_the_number_of_tracked_addresses_is_bounded() -> None:
    rate, limits = RateLimit(burst=3, per_s=1), AttemptLimits(5, 60.0)
    for number in range(3 * MAX_ADDRESSES):
        rate.allows(str(number), 0.0)
        limits.of(str(number)).add(0.0)
    assert len(rate) == MAX_ADDRESSES
    assert len(limits) == MAX_ADDRESSES


def test_an_address_that_comes_after_many_others_is_limited_like_them() -> None:
    """Dropping the newest address instead would let a guesser try PINs without end."""
    rate, limits = RateLimit(burst=3, per_s=1), AttemptLimits(5, 60.0)
    for number in range(MAX_ADDRESSES):
        rate.allows(str(number), 0.0)
        limits.of(str(number)).add(0.0)
    assert [rate.allows("guesser", 0.0) for _ in range(5)] == [True] * 3 + [False] * 2
    for _ in range(5):
        limits.of("guesser").add(0.0)
    assert limits.of("guesser").wait_s(1.0) == 59.0


def test_an_address_in_use_keeps_its_limit_however_many_others_come() -> None:
    rate, limits = RateLimit(burst=1, per_s=0.0001), AttemptLimits(1, 60.0)
    rate.allows("guesser", 0.0)
    limits.of("guesser").add(0.0)
    for number in range(3 * MAX_ADDRESSES):
        rate.allows(str(number), 0.0)
        limits.of(str(number)).add(0.0)
        assert not rate.allows("guesser", 0.0)
        assert limits.of("guesser").wait_s(1.0) == 59.0


@given(st.lists(st.floats(0, 300), max_size=60).map(sorted))
def test_there_are_never_more_than_five_attempts_in_a_minute(times: list[float]) -> None:
    limit, made = AttemptLimit(5, 60.0), []
    for now in times:
        if not limit.wait_s(now):
            limit.add(now)
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
def test_addresses_of_one_ipv6_network_are_counted_together(
    one: str, other: str, same: bool
) -> None:
    assert (client_key(one) == client_key(other)) is same


@given(st.integers(0, 2**128 - 1), st.integers(0, 127))
def test_the_first_64_bits_of_an_ipv6_address_identify_its_network(number: int, bit: int) -> None:
    one, other = IPv6Address(number), IPv6Address(number ^ (1 << bit))
    if not (one.ipv4_mapped or other.ipv4_mapped):
        assert (client_key(str(one)) == client_key(str(other))) is (bit < 64)


HOSTS = AllowedHosts.of(("urpi", "urpi.local"), ("ur.example.org",))


@each(
    ("header", "connected_to", "allowed"),
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
def test_only_the_page_s_own_host_names_are_allowed(
    header: str, connected_to: str, allowed: bool
) -> None:
    assert HOSTS.allows(header, connected_to) is allowed


@given(st.text())
@example(".")
@example("[.]:1")
def test_any_host_header_can_be_parsed(text: str) -> None:
    split = split_host(text)
    assert split is None or split[0]


@pytest.mark.parametrize(
    "text",
    ["a b", "a@b", "a/b", "[::1", "[::1]x", "urpi:80x", "urpi:٨٠", "urpi:" + "8" * 5000, ":80", ""],
)
def test_a_malformed_host_header_is_invalid(text: str) -> None:
    assert split_host(text) is None


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
def test_only_the_page_s_own_origin_may_act(
    origin: str | None, fetch_site: str | None, same: bool
) -> None:
    assert same_site({"http://urpi:8011"}, origin, fetch_site) is same
