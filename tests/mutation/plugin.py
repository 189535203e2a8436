"""A pytest plugin: record which tests run each line, or run only some tests, the fastest first.

    pytest -p tests.mutation.plugin --record-lines=FILE --record-from=FOLDER
    pytest -p tests.mutation.plugin --only-tests=FILE

The first writes JSON: `lines` maps each file to its lines, and each line to the tests that ran it;
`seconds` maps each test to its duration. Lines that ran while a test was set up belong to the file
of the test, because its other tests may share the fixture. Lines that run only on import have no
test. The second reads a list of tests in their order.
"""

import json
from collections import defaultdict
from pathlib import Path

import coverage
import pytest


def pytest_addoption(parser):
    parser.addoption("--record-lines", metavar="FILE")
    parser.addoption("--record-from", metavar="FOLDER")
    parser.addoption("--only-tests", metavar="FILE")


def pytest_configure(config):
    if config.getoption("--record-lines"):
        config.pluginmanager.register(Recorder(config))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    name = config.getoption("--only-tests")
    if name:
        places = {test: at for at, test in enumerate(json.loads(Path(name).read_text("utf-8")))}
        items[:] = sorted(
            (item for item in items if item.nodeid in places),
            key=lambda item: places[item.nodeid],
        )


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    # A mutant that only renames the selected tests is not killed.
    if (
        session.config.getoption("--only-tests")
        and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED
    ):
        session.exitstatus = pytest.ExitCode.OK


class Recorder:
    def __init__(self, config):
        self._file = Path(config.getoption("--record-lines"))
        self._seconds = defaultdict(float)
        self._coverage = coverage.Coverage(
            data_file=None, source=[config.getoption("--record-from")], config_file=False
        )

    def pytest_collection_finish(self):
        self._coverage.start()

    def pytest_runtest_setup(self, item):
        self._coverage.switch_context(item.nodeid.partition("::")[0])

    def pytest_runtest_call(self, item):
        self._coverage.switch_context(item.nodeid)

    def pytest_runtest_logreport(self, report):
        self._seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self):
        self._coverage.stop()
        found = self._coverage.get_data()
        lines = {
            str(Path(file).relative_to(Path.cwd())): found.contexts_by_lineno(file)
            for file in found.measured_files()
        }
        self._file.write_text(json.dumps({"lines": lines, "seconds": self._seconds}), "utf-8")
