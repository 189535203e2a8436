"""What all tests share: the option that renews the golden files, and hypothesis' settings."""

import signal
from importlib.util import find_spec

import hypothesis
import pytest

# What a shell starts in the background ignores Ctrl-C, and so would every program that is tried.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The page is tested in a browser, by `make test-page`, which installs what that takes.
collect_ignore = [] if find_spec("playwright") else ["page"]

# A machine that is busy with something else is slow, and no test is about that.
hypothesis.settings.register_profile("urpi", deadline=None)
# What `--hypothesis-profile=thorough` asks for: before a release, and when a parser has changed.
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=3000)
hypothesis.settings.load_profile("urpi")


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
