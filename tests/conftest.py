"""What all tests share: the option that renews the golden files."""

import pytest


def pytest_addoption(parser):
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write the golden files anew from what the tests find; look at them before a commit",
    )


@pytest.fixture
def update_golden(request):
    """Whether this run is to renew the golden files instead of comparing with them."""
    return request.config.getoption("--update-golden")
