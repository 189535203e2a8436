"""The values of a card: what is accepted, and the sentence for what is not."""

from collections.abc import Callable

import pytest

from tests.each import each
from tests.install.card.cards import KEY
from urpi.install.card import values
from urpi.install.card.values import CardValueError

RSA = (
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAQQC7Wv7R7dRrZs0o3S5f1mVnJ7b8p5q9wJ0x1kz3m4n5o6p7q8r9s0t1"
    "u2v3w4x5y6z7A8B9C0D1E2F3G4H5"
)


def zone(text: str) -> str:
    return values.parse_time_zone(text, {"UTC", "Europe/Budapest"})


def passphrase(text: str) -> str:
    return values.pre_shared_key("Ur", text)


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (values.parse_hostname, "Ur-1", "ur-1"),
        (values.parse_hostname, "a" * 63, "a" * 63),
        (values.parse_user, "pi", "pi"),
        (values.parse_user, "a" * 32, "a" * 32),
        (values.parse_ssid, "é" * 16, "é" * 16),
        (values.parse_ssid, ' my "net" : {#', ' my "net" : {#'),
        (values.parse_country, "gb", "GB"),
        (zone, "Europe/Budapest", "Europe/Budapest"),
        (values.parse_ssh_keys, f"# mine\n\n{KEY}\n", (KEY,)),
        (values.parse_ssh_keys, f"{KEY}\n{RSA}\r\n", (KEY, RSA)),
    ],
)
def test_valid_values(parse: Callable[[str], object], text: str, value: object) -> None:
    assert parse(text) == value


@each(
    ("parse", "text", "sentence"),
    [
        (values.parse_hostname, "", "The host name must be 1 to 63"),
        (values.parse_hostname, "a" * 64, "The host name must be 1 to 63"),
        (values.parse_hostname, "-ur", "The host name must be 1 to 63"),
        (values.parse_hostname, "ur.local", "found 'ur.local'"),
        (values.parse_hostname, "ur\n", "The host name must be 1 to 63"),
        (values.parse_hostname, "localhost", "The host name must be"),
        (values.parse_user, "Pi", "The user must be 1 to 32 of a-z"),
        (values.parse_user, "a" * 33, "The user must be 1 to 32 of a-z"),
        (values.parse_user, "urpi", "'urpi' is one of the system's own; choose another"),
        (values.parse_user, "root", "is one of the system's own"),
        (values.parse_ssid, "", "must have 1 to 32 bytes; '' has 0"),
        (values.parse_ssid, "é" * 17, "has 34"),
        (values.parse_ssid, "a\tb", "has control characters"),
        (values.parse_ssid, "a\udce9", "is not UTF-8"),
        (passphrase, "1234567", "8 to 63 printable ASCII characters"),
        (passphrase, "g" * 64, "found 64 characters"),
        (passphrase, "őőőőőőőőő", "8 to 63 printable ASCII characters"),
        (passphrase, "1234567\n8", "8 to 63 printable ASCII characters"),
        (values.parse_country, "UK", "such as GB or HU; found 'UK'"),
        (values.parse_country, "HUN", "found 'HUN'"),
        (zone, "Europe/Pest", "such as Europe/Budapest or UTC; found 'Europe/Pest'"),
        (zone, "../../etc/passwd", "The time zone must be a name"),
        (values.parse_ssh_keys, "", "has 0 keys; allowed are 1 to 20"),
        (values.parse_ssh_keys, f"{KEY}\n" * 21, "has 21 keys"),
        (values.parse_ssh_keys, KEY[:50], "is damaged"),
        (values.parse_ssh_keys, KEY.replace("ssh-ed25519", "ssh-rsa"), "is damaged"),
        (values.parse_ssh_keys, "ssh-dss AAAA", "must begin with its type"),
        (values.parse_ssh_keys, f"{KEY}\x1b[2J", "has control characters"),
        (
            values.parse_ssh_keys,
            "-----BEGIN OPENSSH PRIVATE KEY-----\nsecret\n",
            "is a private key, which must stay secret; give the file with .pub",
        ),
    ],
)
def test_invalid_values(parse: Callable[[str], object], text: str, sentence: str) -> None:
    with pytest.raises(CardValueError) as raised:
        parse(text)
    assert sentence in str(raised.value)
    assert "\n" not in str(raised.value)
    assert "secret\n" not in str(raised.value)


def test_a_passphrase_never_appears_in_its_error() -> None:
    with pytest.raises(CardValueError) as raised:
        passphrase("geheimő-and-long-enough")
    assert "geheim" not in str(raised.value)


def test_the_key_is_that_of_the_standard() -> None:
    """The vectors of IEEE 802.11-2020, J.4.2."""
    key = "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"
    assert values.pre_shared_key("IEEE", "password") == key
    key = "0dc0d6eb90555ed6419756b9a15ec3e3209b63df707dd508d14581f8982721af"
    assert values.pre_shared_key("ThisIsASSID", "ThisIsAPassword") == key
    assert values.pre_shared_key("any", key.upper()) == key
