"""A pytest plugin for mutation tests: record which tests reach the mutants, or test these.

    pytest -p tests.mutation.plugin --record-reached=FILE
    pytest -p tests.mutation.plugin --only-tests=FILE --enough-seconds=SECONDS
    pytest -p tests.mutation.plugin --test-mutants=DESCRIPTOR

The first appends a line of JSON for each test that FILE does not have yet: `test` and `file`, the
digest of its file; `seconds`, its processor time with that of the processes which it starts, or
null if it failed; `reached`, the keys of the statements that it ran, as `sitecustomize` noted them;
and `shared`, the keys of those that other processes or the setup ran, which belong to all tests of
the file because these may share a fixture. Keys that were reached on import have the test "".

The second reads tests or files of tests, and these times, and runs them in their order for that
processor time.

The third collects the tests once and sends a message. Then it receives `Mutant` objects from the
connection at the file descriptor, and answers each with an `Outcome`. A forked process replaces the
mutated function in memory and runs the mutant's tests, which takes a tenth of a second instead of
the seconds in which pytest starts.
"""

import builtins
import contextlib
import enum
import gc
import hashlib
import json
import os
import resource
import select
import signal
import time
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FunctionType

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
    parser.addoption("--record-reached", metavar="FILE")
    parser.addoption("--only-tests", metavar="FILE")
    parser.addoption("--enough-seconds", metavar="SECONDS", type=int)
    parser.addoption("--test-mutants", metavar="DESCRIPTOR", type=int)


def pytest_configure(config):
    if config.getoption("--record-reached"):
        config.pluginmanager.register(Recorder(Path(config.getoption("--record-reached"))))


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


@cache
def digest_of(file):
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:12]


class Recorder:
    """Appends to the record what each test reached, so that an interrupted run can continue."""

    def __init__(self, record):
        self._record = record
        self._noted = Path(os.environ["MUTATION_REACHED"])
        self._failed = set()
        self._shared = set()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items):
        known = {(one["test"], one["file"]) for one in recorded(self._record)}
        items[:] = [one for one in items if (one.nodeid, digest_of(file_of(one))) not in known]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self):
        self._write(test="", file="", seconds=0, reached=self._reached()[0], shared=())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        before_s = used_s()
        self._shared.clear()
        result = yield
        seconds = None if item.nodeid in self._failed else used_s() - before_s
        reached, shared = self._reached()
        shared |= self._shared
        file = digest_of(file_of(item))
        self._write(test=item.nodeid, file=file, seconds=seconds, reached=reached, shared=shared)
        return result

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self):
        self._shared.update(*self._reached())

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self._failed.add(report.nodeid)

    def _reached(self):
        """Return the keys that were noted since the last time, here and in other processes."""
        builtins.mutation_reached.seen.clear()
        here, elsewhere = set(), set()
        if self._noted.exists():
            for line in self._noted.read_text("utf-8").splitlines():
                # A process whose disk is full may have written a part of a line.
                process, _, key = line.partition(" ")
                (here if process == str(os.getpid()) else elsewhere).add(key)
            self._noted.write_text("", "utf-8")
        return here, elsewhere

    def _write(self, *, reached, shared, **values):
        values |= {"reached": sorted(reached), "shared": sorted(shared)}
        with self._record.open("a", encoding="utf-8") as file:
            file.write(f"\n{json.dumps(values)}")


def recorded(record):
    """Return the lines of a record; the last one may be incomplete."""
    lines = record.read_text("utf-8").splitlines() if record.exists() else ()
    return [json.loads(line) for line in lines if line.endswith("}")]


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
