"""Kinds of values: addresses, host names and URLs of the page."""

import pytest

from urpi.config.address_kinds import HostNames, Listen, PageUrl


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("127.0.0.1:8011", "127.0.0.1:8011"),
        ("0.0.0.0:80", "0.0.0.0:80"),
        ("[::1]:8011", "[::1]:8011"),
        ("localhost:0", "localhost:0"),
        ("off", "off"),
        ("", "off"),
    ],
)
def test_an_address_with_a_port_is_accepted(text: str, parsed: str) -> None:
    assert Listen().parse(text) == parsed


@pytest.mark.parametrize(
    "value", ["8011", "127.0.0.1", "urpi.local:8011", "::1:8011", "1.2.3.4:65536", "[::1]", 8011]
)
def test_another_text_is_not_an_address(value: object) -> None:
    with pytest.raises(ValueError, match="an address with a port"):
        Listen().parse(value)


def test_names_are_converted_to_lower_case() -> None:
    assert HostNames().parse(["Ur.Example.org", "board_2"]) == ("ur.example.org", "board_2")


@pytest.mark.parametrize("value", ["ur", [""], ["a b"], ["a..b"], ["http://a"], ["a:80"], [8]])
def test_an_invalid_list_of_names_is_rejected(value: object) -> None:
    with pytest.raises(ValueError, match="a list of host names"):
        HostNames().parse(value)


@pytest.mark.parametrize(
    ("url", "parsed"),
    [
        ("https://ur.example.org", "https://ur.example.org"),
        ("HTTPS://Ur.Example.org/", "https://ur.example.org"),
        ("http://192.168.1.20:8080", "http://192.168.1.20:8080"),
        ("https://[2001:db8::1]:8443/", "https://[2001:db8::1]:8443"),
        ("", ""),
    ],
)
def test_a_public_url_has_a_scheme_a_host_and_a_port(url: str, parsed: str) -> None:
    assert PageUrl().parse(url) == parsed


@pytest.mark.parametrize(
    "value",
    [
        "ur.example.org",
        "ftp://ur.example.org",
        "https://ur.example.org/ur",
        "https://ur.example.org?a",
        "https://ur.example.org#a",
        "https://me@ur.example.org",
        "https://ur.example.org:0",
        "https://ur.example.org:65536",
        "https://ur.example.org:",
        "https://ur..org",
        "https://[::1",
        "https://[1.2.3.4]",
        "https://\u00fcr.example.org",
        "https://ur.example.org ",
        "https://ur.example.org\n",
        "https://",
        8011,
        None,
    ],
)
def test_another_text_is_not_a_public_url(value: object) -> None:
    with pytest.raises(ValueError, match="a URL without a path"):
        PageUrl().parse(value)
