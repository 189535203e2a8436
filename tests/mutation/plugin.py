"""A pytest plugin for mutation tests: record which tests run each line, or test mutants.

    pytest -p tests.mutation.plugin --record-lines=FILE --record-from=FOLDER
    pytest -p tests.mutation.plugin --only-tests=FILE --enough-seconds=SECONDS
    pytest -p tests.mutation.plugin --test-mutants=DESCRIPTOR

The first writes JSON: `lines` maps each file to its lines, and each line to the tests that ran it;
`seconds` maps each test that passes to its processor time, with that of the processes which it
starts; `starting` lists the tests that start processes, in which no lines are recorded. Lines that
ran while a test was set up belong to the file of the test, because its other tests may share the
fixture. Lines that ran on import belong to the test "".

The second reads tests or files of tests, and these times, and runs them in their order for that
processor time.

The third collects the tests once and sends a message. Then it receives `Mutant` objects from the
connection at the file descriptor, and answers each with an `Outcome`. A forked process replaces the
mutated function in memory and runs the mutant's tests, which takes a tenth of a second instead of
the seconds in which pytest starts.
"""

import contextlib
import enum
import gc
import json
import os
import resource
import select
import signal
import time
from collections import defaultdict
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FunctionType

import coverage
import hypothesis
import pytest


@dataclass(frozen=True)
class Mutant:
    """A file with a mutation inside a function, and the tests of that function.

    Its tests, with their processor times in seconds, run in order, until one fails or they took
    `enough_s` of processor time. A mutant that waits forever is killed after `limit_s`.
    """

    file: Path
    text: str
    function: str
    tests: dict[str, float]
    enough_s: int
    limit_s: float


def file_of(item):
    return item.nodeid.partition("::")[0]


def used_s():
    """Return the processor time of this process and of those which it started."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


SECONDS = pytest.StashKey[float]()
BEGUN_S = pytest.StashKey[float]()
"""The processor time of the process when its first test began."""
STARTING_S = 0.05
"""A test starts processes if these take that processor time; the clocks differ by less."""
LOOP_S = 5
LOOP_FACTOR = 3
"""A test never ends if it takes `LOOP_S` more than that many times its recorded time."""
FAILED = Path("failed.txt")
"""The name of the test that found a mutant in memory."""


class Outcome(enum.Enum):
    SURVIVED = 0
    KILLED = 1
    NOT_APPLIED = 2
    """The function cannot be replaced in memory."""


def pytest_addoption(parser):
    parser.addoption("--record-lines", metavar="FILE")
    parser.addoption("--record-from", metavar="FOLDER")
    parser.addoption("--only-tests", metavar="FILE")
    parser.addoption("--enough-seconds", metavar="SECONDS", type=int)
    parser.addoption("--test-mutants", metavar="DESCRIPTOR", type=int)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config):
    options = early_config.known_args_namespace
    if options.record_lines:
        early_config.pluginmanager.register(Recorder(options.record_lines, options.record_from))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    name = config.getoption("--only-tests")
    if name:
        seconds = json.loads(Path(name).read_text("utf-8"))
        places = {test: at for at, test in enumerate(seconds)}
        found = []
        for item in items:
            test = next((one for one in (item.nodeid, file_of(item)) if one in places), None)
            if test is not None:
                item.stash[SECONDS] = seconds[test]
                found.append((places[test], item))
        items[:] = [item for _, item in sorted(found, key=lambda pair: pair[0])]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item):
    """Leave out the tests for which no time is left, and end the process if a test never ends."""
    if SECONDS not in item.stash:
        return None
    now_s, enough_s = used_s(), item.config.getoption("--enough-seconds")
    # Importing the tests can take longer than all of them.
    begun_s = item.session.stash.setdefault(BEGUN_S, now_s)
    if enough_s and now_s - begun_s > enough_s:
        return True
    limit_s = int(time.process_time() + LOOP_S + LOOP_FACTOR * item.stash[SECONDS])
    resource.setrlimit(resource.RLIMIT_CPU, (limit_s, resource.RLIM_INFINITY))
    return None


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session, exitstatus):
    # A mutant that only renames the selected tests is not killed.
    if (
        session.config.getoption("--only-tests")
        and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED
    ):
        session.exitstatus = pytest.ExitCode.OK


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    descriptor = session.config.getoption("--test-mutants")
    if descriptor is None:
        return None
    items = {item.nodeid: item for item in session.items}
    functions = functions_by_name()
    gc.freeze()
    with Connection(descriptor) as connection:
        connection.send("ready")
        while True:
            try:
                mutant = connection.recv()
            except EOFError:
                return True
            tests = []
            for name, seconds in mutant.tests.items():
                items[name].stash[SECONDS] = seconds
                tests.append(items[name])
            connection.send(outcome_of(mutant, functions, tests, session))


class Recorder:
    """Coverage.py, which records each test's lines: since before the first import."""

    def __init__(self, file, folder):
        self._file = Path(file)
        self._seconds = {}
        self._starting = []
        self._failed = set()
        self._coverage = coverage.Coverage(data_file=None, source=[folder], config_file=False)
        self._coverage.start()

    def pytest_configure(self):
        # Few examples reach the same lines as many.
        few = hypothesis.settings(hypothesis.settings.default, max_examples=10)
        hypothesis.settings.register_profile("few", few)
        hypothesis.settings.load_profile("few")

    def pytest_runtest_setup(self, item):
        self._coverage.switch_context(file_of(item))

    def pytest_runtest_call(self, item):
        self._coverage.switch_context(item.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        before, own = used_s(), time.process_time()
        result = yield
        self._seconds[item.nodeid] = used_s() - before
        if self._seconds[item.nodeid] - (time.process_time() - own) > STARTING_S:
            self._starting.append(item.nodeid)
        return result

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self._failed.add(report.nodeid)

    def pytest_sessionfinish(self):
        self._coverage.stop()
        found = self._coverage.get_data()
        lines = {
            str(Path(file).relative_to(Path.cwd())): found.contexts_by_lineno(file)
            for file in found.measured_files()
        }
        seconds = {test: s for test, s in self._seconds.items() if test not in self._failed}
        found = {"lines": lines, "seconds": seconds, "starting": self._starting}
        self._file.write_text(json.dumps(found), "utf-8")


def functions_by_name():
    """Return the functions that exist, by the file and the name of their code."""
    found = defaultdict(list)
    for one in gc.get_objects():
        if isinstance(one, FunctionType):
            found[one.__code__.co_filename, one.__code__.co_qualname].append(one)
    return found


def outcome_of(mutant, functions, tests, session):
    """Test a mutant in a forked process."""
    child = os.fork()
    if not child:
        outcome = Outcome.KILLED
        try:
            outcome = outcome_here(mutant, functions, tests, session)
        finally:
            os._exit(outcome.value)
    process = os.pidfd_open(child)
    try:
        ended, _, _ = select.select([process], [], [], mutant.limit_s)
        if not ended:
            os.kill(child, signal.SIGKILL)
    finally:
        os.close(process)
    _, status = os.waitpid(child, 0)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)  # What the tests started.
    return Outcome(status >> 8) if os.WIFEXITED(status) else Outcome.KILLED


def outcome_here(mutant, functions, tests, session):
    os.setsid()
    if not replace(mutant, functions):
        return Outcome.NOT_APPLIED
    for test, following in zip(tests, [*tests[1:], None], strict=True):
        FAILED.write_text(test.nodeid, "utf-8")
        test.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
        if session.testsfailed:
            return Outcome.KILLED
        if used_s() > mutant.enough_s:
            break
    return Outcome.SURVIVED


def replace(mutant, functions):
    """Give every existing function of the mutated code that code; return whether one had it."""
    replaced = False
    for code in codes_of(compile(mutant.text, str(mutant.file), "exec")):
        name = code.co_qualname
        if name == mutant.function or name.startswith(f"{mutant.function}.<locals>."):
            for function in functions[str(mutant.file), name]:
                if function.__code__.co_freevars != code.co_freevars:
                    return False
                if function.__code__.co_firstlineno == code.co_firstlineno:
                    function.__code__ = code
                    replaced = True
    return replaced


def codes_of(code):
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from codes_of(one)
