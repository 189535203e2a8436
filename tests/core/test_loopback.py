"""Names and addresses that only this machine itself can reach."""

import pytest

from urpi.core.loopback import is_loopback


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("localhost", True),
        ("LocalHost", True),
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
def test_only_this_machine_s_own_addresses_are_loopback(host: str, here: bool) -> None:
    assert is_loopback(host) is here
