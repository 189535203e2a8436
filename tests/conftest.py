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
collect_ignore = (
    [] if find_spec("playwright") else ["page", "bench_page/in_browser.py", "bench_page/wall.py"]
)
# `make test-kernel` installs it for the simulated Bluetooth dice.
collect_ignore_glob = [] if find_spec("bumble") else ["kernel/*bumble*", "kernel/*/bluetooth_*"]
# `make bench` and `make mutation` install what these import.
collect_ignore += [] if find_spec("royalur") else ["bench_engine/random_games.py"]
collect_ignore += [] if find_spec("coverage") else ["mutation/plugin.py"]
collect_ignore += (
    [] if find_spec("cosmic_ray") else ["mutation/changes.py", "mutation/test_arguments.py"]
)

SLOW = (
    *("bench_referee/test_memory.py", "club/test_delivery.py", "commands/test_demo.py"),
    *("commands/test_dice_calibrate.py", "commands/test_evaluate.py", "commands/test_serve.py"),
    *("firmware/test_demo.py", "firmware/test_dice_commands.py", "firmware/test_images.py"),
    *("firmware/test_second_model.py", "firmware/test_sim.py", "solver/test_reachable.py"),
    *("firmware/test_sim_parts.py", "firmware/test_verdict.py", "journal/test_flips.py"),
    *("journal/test_lock.py", "journal/test_outages.py", "journal/test_power_cut.py"),
    *("journal/test_repair.py", "referee/test_properties.py", "referee/test_reading_rates.py"),
    *("resume/test_kills.py", "rules/test_against_second.py", "service/test_interactive.py"),
    *("service/test_lockstep.py", "service/test_menu_at_the_table.py", "service/test_virtual.py"),
    *("solver/test_review.py", "solver/test_solving.py", "systemd/test_system_calls.py"),
    *("train/test_kernels.py", "web/test_attacks.py"),
)
"""The files that take most of the time of all tests; `--quick` leaves them out."""

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
    parser.addoption(
        "--screenshots",
        action="store_true",
        help="save pictures of the page in tests/browser/screenshots, to look at them",
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
