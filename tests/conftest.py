"""What all tests share: command-line options, and the settings of hypothesis."""

import signal
from importlib.util import find_spec
from pathlib import Path

import hypothesis
import pytest

# A shell starts background processes with Ctrl-C ignored, and so would be every program under test.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# `make test-page` tests the page in a browser, and installs what that needs.
collect_ignore = [] if find_spec("playwright") else ["page", "bench_page/in_browser.py"]
# `make bench` and `make mutation` install what these import.
collect_ignore += [] if find_spec("royalur") else ["bench_engine/random_games.py"]
collect_ignore += [] if find_spec("coverage") else ["mutation/plugin.py"]
collect_ignore += [] if find_spec("cosmic_ray") else ["mutation/changes.py"]

SLOW = (
    *("commands/test_demo.py", "commands/test_dice_calibrate.py", "commands/test_serve.py"),
    *("firmware/test_demo.py", "firmware/test_dice_commands.py", "firmware/test_sim.py"),
    *("firmware/test_sim_parts.py", "journal/test_lock.py", "journal/test_repair.py"),
    *("referee/test_properties.py", "referee/test_reading_rates.py"),
    *("rules/test_against_second.py", "service/test_interactive.py", "service/test_lockstep.py"),
    *("service/test_menu_at_the_table.py", "service/test_virtual.py", "solver/test_solving.py"),
    "web/test_attacks.py",
)
"""The files that take more than half of the time of all tests; `--quick` leaves them out."""

# Tests do not depend on the speed of the machine.
hypothesis.settings.register_profile("urpi", deadline=None)
# For `--hypothesis-profile=thorough`: before a release, and after a change of a parser.
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=3000)
hypothesis.settings.load_profile("urpi")


def pytest_addoption(parser):
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite the golden files from the results; look at them before a commit",
    )
    parser.addoption("--quick", action="store_true", help="leave out the slowest files of tests")


def pytest_ignore_collect(collection_path, config):
    """Ignore the slow files in a quick run."""
    folder = Path(__file__).parent
    quick = config.getoption("--quick")
    return True if quick and collection_path in {folder / name for name in SLOW} else None


@pytest.fixture
def update_golden(request):
    """Return whether to rewrite the golden files instead of comparing with them."""
    return request.config.getoption("--update-golden")
