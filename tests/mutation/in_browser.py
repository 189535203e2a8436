"""A pytest plugin that tests the mutants in the page's scripts; see `tests.mutation.scripts`."""

import inspect
import json
import time
from collections import Counter, defaultdict
from itertools import zip_longest
from pathlib import Path

import click
import pytest
from playwright.sync_api import Browser

ENOUGH = 10
"""The number of tests after which a mutant counts as survived."""
CASES = 2
"""The number of cases of a test that run."""
WAIT_MS = 20_000
"""The time after which an action counts as failed."""

ASKED = """
{
  const seen = new Set();
  globalThis.mutated = (key) => {
    if (!seen.has(key)) console.debug(`mutant ${key}`);
    seen.add(key);
    return key === ACTIVE;
  };
}
"""


def pytest_addoption(parser):
    parser.addoption("--mutants", metavar="FILE", type=Path)
    parser.addoption("--mutants-found", metavar="FILE", type=Path)


def pytest_configure(config):
    config.pluginmanager.register(Mutants(config))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    cases = defaultdict(list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    items[:] = [item for found in cases.values() for item in found[:CASES]]


class Mutants:
    def __init__(self, config):
        self._store = config.getoption("--mutants-found")
        self._wanted = json.loads(config.getoption("--mutants").read_text("utf-8"))
        self._active = None
        self._reached = set()
        self._failed = self._passed = False
        new_context = Browser.new_context

        def with_mutant(browser, **options):
            context = new_context(browser, **options)
            context.set_default_timeout(WAIT_MS)
            context.add_init_script(ASKED.replace("ACTIVE", json.dumps(self._active)))
            context.on("console", self._note)
            return context

        Browser.new_context = with_mutant

    def _note(self, message):
        if message.text.startswith("mutant "):
            self._reached.add(message.text.removeprefix("mutant "))

    def pytest_runtest_logreport(self, report):
        self._failed |= report.failed
        self._passed |= report.passed and report.when == "call"

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session):
        items = {item.nodeid: item for item in session.items}
        known = self._known("test")
        left = [item for name, item in items.items() if name not in known]
        for item, following in zip_longest(left, left[1:]):
            begun = time.monotonic()
            passes = self._passes(item, following)
            seconds = time.monotonic() - begun
            reached = sorted(self._reached)
            self._write(test=item.nodeid, passes=passes, seconds=seconds, reached=reached)
        tests = [one for one in self._known("test").values() if one["test"] in items]
        found = self._known("mutant")
        for number, (mutant, script) in enumerate(self._wanted.items(), 1):
            tried = found[mutant]["tried"] if mutant in found else []
            if mutant in found and found[mutant]["by"]:
                continue
            names = self._chosen(mutant, script, tests, items, tried)
            by = next((name for name in names if self._fails(items, name, mutant)), None)
            if names or mutant not in found:
                self._write(mutant=mutant, by=by, tried=[*tried, *names])
            click.echo(f"{number}/{len(self._wanted)} {mutant} {by or 'survived'}")
        return True

    def _chosen(self, mutant, script, tests, items, tried):
        """Return tests that reach a mutant and have not tried it.

        Those that mention the name of its script come first, then the fastest of each file.
        """
        reaching = [one for one in tests if mutant in one["reached"] and one["passes"]]
        reaching = [one for one in reaching if one["test"] not in tried]
        reaching.sort(key=lambda one: one["seconds"])
        before = Counter()
        ranked = []
        for one in reaching:
            name = one["test"]
            text = f"{name} {inspect.getsource(items[name].function)}"
            file = name.partition("::")[0]
            ranked.append((script not in text.lower(), before[file], one["seconds"], name))
            before[file] += 1
        return [name for *_, name in sorted(ranked)][:ENOUGH]

    def _fails(self, items, name, mutant):
        """Return whether a test fails with a mutant, and passes without it."""
        # The fixtures of its file end with the test, and the browser remains.
        file = name.partition("::")[0]
        following = next((one for other, one in items.items() if file not in other), None)
        self._active = mutant
        try:
            passes = self._passes(items[name], following)
        finally:
            self._active = None
        return not passes and self._passes(items[name], following)

    def _passes(self, item, following):
        self._failed = self._passed = False
        self._reached.clear()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        return self._passed and not self._failed

    def _known(self, kind):
        lines = self._store.read_text("utf-8").splitlines() if self._store.exists() else ()
        return {one[kind]: one for one in map(json.loads, lines) if kind in one}

    def _write(self, **values):
        with self._store.open("a", encoding="utf-8") as file:
            file.write(json.dumps(values) + "\n")
