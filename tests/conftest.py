"""What all tests share: command-line options, and the settings of hypothesis."""

import gc
import re
import signal
from collections import Counter
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

import hypothesis
import pytest

# A shell starts background processes with Ctrl-C ignored, and so would be every program under test.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

HERE = Path(__file__).parent
IN_BROWSER = re.compile(r"^from (?:playwright|tests\.browser)\b", re.MULTILINE)

# `make test-page` tests the page in a browser, and installs what that needs.
collect_ignore = (
    []
    if find_spec("playwright")
    else [
        "browser",
        *(
            str(path)
            for folder in ("bench_page", "mutation")
            for path in (HERE / folder).iterdir()
            if path.is_file() and IN_BROWSER.search(path.read_text("utf-8"))
        ),
    ]
)
# `make test-kernel` installs it for the simulated Bluetooth dice.
collect_ignore_glob = [] if find_spec("bumble") else ["kernel/*bumble*", "kernel/*/bluetooth_*"]
# `make bench` and `make mutation` install what these import.
collect_ignore += [] if find_spec("royalur") else ["bench_engine/random_games.py"]
collect_ignore += ["mutation/reached"]
collect_ignore += (
    []
    if find_spec("cosmic_ray")
    else [
        "mutation/changes.py",
        "mutation/scripts.py",
        "mutation/test_arguments.py",
        "mutation/test_sample.py",
    ]
)

# Tests do not depend on the speed of the machine.
hypothesis.settings.register_profile("usual", deadline=None)
# For `make test`.
hypothesis.settings.register_profile("everyday", deadline=None, max_examples=10)
# For `--hypothesis-profile=thorough`: before a release, and after a change of a parser.
hypothesis.settings.register_profile("thorough", deadline=None, max_examples=3000)
hypothesis.settings.load_profile("usual")


EVERYDAY_SHARE = 10
"""How many times more random inputs are tried than in the everyday profile."""


def pytest_collection_modifyitems(config, items):
    leave_out_slow(config, items)
    obey_profile(config, items)


def leave_out_slow(config, items):
    """Leave out the slow tests of the files of `--everyday`."""
    files = {config.rootpath / name for name in config.getoption("--everyday")}
    left = [item for item in items if item.path in files and item.get_closest_marker("slow")]
    if left:
        omitted = set(left)
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in omitted]


def obey_profile(config, items):
    """Let tests that set a number of examples of their own obey the everyday profile, too."""
    if config.getoption("--hypothesis-profile") != "everyday":
        return
    functions = {item.function for item in items if hasattr(item, "function")}
    for test in functions:
        if getattr(test, "_hypothesis_internal_settings_applied", False):
            own = test._hypothesis_internal_use_settings
            few = max(3, own.max_examples // EVERYDAY_SHARE)
            test._hypothesis_internal_use_settings = hypothesis.settings(own, max_examples=few)


def pytest_configure(config):
    # With several processes, the first one receives all reports.
    config.pluginmanager.register(OnlyExamples())
    path = config.getoption("--passed")
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(PassedFiles(Path(path)))


class OnlyExamples:
    """Does not import modules to look for examples in docstrings where there are none."""

    def pytest_ignore_collect(self, collection_path):
        # Written so that tools/once does not take it for a pattern of files that a test reads.
        is_module = collection_path.suffix[1:] == "py" and collection_path.stem[:5] != "test_"
        return True if is_module and not self.has_examples(collection_path) else None

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path):
        found = yield
        if len(found) > 1 and not self.has_examples(file_path):
            return [one for one in found if isinstance(one, pytest.Module)]
        return found

    def has_examples(self, path):
        return ">>> " in path.read_text("utf-8")


class PassedFiles:
    """Adds each file whose tests have all passed to a list, at once: the run may be interrupted."""

    def __init__(self, path):
        self.path, self.left, self.failed = path, Counter(), set()
        lines = path.read_text("utf-8").splitlines() if path.exists() else []
        self.keys = dict(line.split()[1::-1] for line in lines)

    def pytest_collection_finish(self, session):
        self.left = Counter(map(file_of, (item.nodeid for item in session.items)))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids):
        self.left = Counter(map(file_of, ids))

    def pytest_runtest_logreport(self, report):
        name = file_of(report.nodeid)
        if report.failed:
            self.failed.add(name)
        if report.when == "teardown":
            self.left[name] -= 1
            if not self.left[name] and name not in self.failed:
                when = datetime.now().astimezone().isoformat(timespec="seconds")
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(f"{self.keys.get(name)} {name} {when}\n")


def file_of(nodeid):
    return nodeid.partition("::")[0]


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """Collect without the garbage collector, and leave what was collected out of its later work."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_addoption(parser):
    parser.addoption(
        "--everyday",
        action="append",
        default=[],
        metavar="FILE",
        help="leave out the slow tests of this file",
    )
    parser.addoption(
        "--passed",
        metavar="FILE",
        help="add each file whose tests have passed to this list; see tools/once",
    )
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


@pytest.fixture
def update_golden(request):
    """Return whether to rewrite the golden files instead of comparing with them."""
    return request.config.getoption("--update-golden")
