"""Change single expressions of a package or of all, and report the changes that no test notices.

    python -m tests.mutation rules --sample 150

works on a copy of the tracked files in build/mutation. Cosmic Ray applies one random mutation at a
time there, at most one in each place, and pytest runs the package's tests (tests/PACKAGE, and its
doctests) until one fails. A mutant that survives shows a missing test, or it changes nothing that a
user could notice: those are listed with the reason in justified.txt, and are not run. Every other
survivor is printed as a diff. The exit status is 1 when less than 90 % of the mutants are killed or
justified.

The tests run once without a mutation, while the statements of the sample note which tests reach
them, also in processes that the tests start. A mutant is then tested only with those that reach its
statement, the fastest first, and those of its own domain before slower ones, until one fails or
they took ten seconds. Mutants of a function are tested in forks of one pytest process. Where a
statement runs on import, as constants and default values do, pytest starts again, with the tests
that reach a function of the file, or one that mentions the name which the statement defines. Tests
that `make test` leaves out are not run.

    python -m tests.mutation urpi --sample 300

takes the sample from all domains, in proportion to their lines, and tests it with all tests.

Mutations that cannot change a result are not made: in annotations, in the separators `*` and `/`
of parameters, in the options `slots` and `frozen` of a data class, and between `==` and `is`.
Neither are those that Python cannot compile or import: every test would notice them.

That record and the results are stored in build/mutation: the same command continues an interrupted
run. Later it records the tests of changed files only, and tests again only the mutants of functions
that have changed, and the survivors that other tests reach than before. Ctrl-C ends a run with a
report of what it has tested. The sample depends on the names of the functions and on the mutated
lines, so that it stays the same where the code does.
"""

import argparse
import contextlib
import difflib
import hashlib
import json
import multiprocessing
import os
import shlex
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final, TextIO

import click
import pytest
from cosmic_ray.testing import run_tests
from cosmic_ray.work_item import MutationSpec, TestOutcome

from tests.mutation.changes import (
    Change,
    Place,
    change_of,
    drawn,
    function_at,
    places_by_name,
    reached_at,
)
from tests.mutation.plugin import FAILED, Mutant, Outcome, digest_of, recorded

ROOT: Final = Path(__file__).parents[2]
JUSTIFIED: Final = Path(__file__).parent / "justified.txt"
LEAST_KILLED: Final = 0.9
ENOUGH_S: Final = 10
"""The processor time after which a mutant counts as survived, though slower tests are left."""
NEAR: Final = 5
"""How many times slower a test of the mutant's domain may be and still runs before another."""
FIRST_FILES: Final = 4
"""The number of files of tests that a mutant's first process imports; often one of them fails."""
LIMIT_S: Final = 300
"""The time after which a test run counts as failed: a mutant may wait forever."""
PYTEST: Final = [
    *(sys.executable, "-m", "pytest", "-qp", "no:randomly"),
    *("-m", "not slow", "--hypothesis-profile=everyday", "--ignore=tests/browser"),
]
"""What `make test` runs."""
RESULTS: Final = ("killed", "justified", "survived")
PLUGIN: Final = ["-p", "tests.mutation.plugin"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("package", help="a package of urpi, such as rules, or urpi for all")
    parser.add_argument("--files", nargs="*", default=["*.py"], help="mutate these of its files")
    parser.add_argument("--tests", nargs="*", help="run these instead of the package's own")
    parser.add_argument("--sample", type=int, default=150, help="the number of mutants")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the sample")
    args = parser.parse_args()
    folder = Path("urpi") / ("" if args.package == "urpi" else args.package)
    if not (ROOT / folder).is_dir():
        parser.error(f"urpi has no package {args.package!r}; name a folder of urpi, such as rules")
    for path in args.tests or ():
        if not (ROOT / path.partition("::")[0]).exists():
            parser.error(f"there is no {path}; name files or folders of tests, such as tests/rules")
    os.chdir(copy_tracked_files(args.package.replace("/", "-")))
    files = {file for pattern in args.files for file in folder.rglob(pattern)}
    # The two files outside of all domains only start the program.
    found = drawn(sorted(file for file in files if len(file.parts) > 2), args.seed)
    own = [] if args.package == "urpi" else [f"tests/{args.package}", str(folder)]
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    with contextlib.suppress(KeyboardInterrupt):
        for file, result, diff in run(found, args.sample, args.tests or own):
            package = file.parts[1] if args.package == "urpi" else args.package
            counts[package][result] += 1
            if result == "survived":
                click.echo("\n".join(diff))
    click.echo(f"{args.package}, seed {args.seed}\n{table_of(counts)}")
    total = Counter[str]()
    for each in counts.values():
        total += each
    sys.exit(total["survived"] > (1 - LEAST_KILLED) * total.total())


def table_of(counts: Mapping[str, Counter[str]]) -> str:
    """Return the numbers of mutants by package and result, in Markdown."""
    rows = [["package", "mutants", *RESULTS], ["---"] * (2 + len(RESULTS))]
    for package, of in sorted(counts.items()):
        rows.append([f"`{package}`", str(of.total()), *(str(of[result]) for result in RESULTS)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def copy_tracked_files(name: str) -> Path:
    """Copy the repository's tracked files, as they are now, and return the copy's folder."""
    copy = ROOT / "build" / "mutation" / name
    shutil.rmtree(copy, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    for file in listed.stdout.splitlines():
        if (ROOT / file).is_file():
            (copy / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, copy / file)
    # The environment has the repository installed; the copy comes first.
    os.environ["PYTHONPATH"] = f"{copy}:{copy / 'tests' / 'mutation' / 'reached'}"
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    return copy


@dataclass(frozen=True)
class Sampled:
    """A mutant of the sample, and what was stored of it."""

    key: str
    mutation: MutationSpec
    change: Change
    diff: list[str]
    stored: str


def run(
    found: Iterable[tuple[str, MutationSpec]], size: int, paths: list[str]
) -> Iterator[tuple[Path, str, list[str]]]:
    """Yield the files, results and diffs of `size` mutants, and store the results."""
    with Path.cwd().with_suffix(".txt").open("a+", encoding="utf-8") as file:
        file.seek(0)
        stored = dict(map(str.split, file))
        sample = [*islice(sampled(found, stored, file), size)]
        tests = Tests([(one.key, one.mutation) for one in sample], paths)
        for number, one in enumerate(sample, 1):
            result = result_of(one, tests)
            if result not in {"justified", one.stored}:
                file.write(f"{one.key} {result}\n")
                file.flush()
            name = result.partition("-")[0]
            yield one.mutation.module_path, name, one.diff
            place = f"{one.mutation.module_path}:{one.mutation.start_pos[0]}"
            operator = one.mutation.operator_name.removeprefix("core/")
            click.echo(f"{number}/{len(sample)} {place} {operator} {name}", err=True)


def sampled(
    found: Iterable[tuple[str, MutationSpec]], stored: Mapping[str, str], file: TextIO
) -> Iterator[Sampled]:
    """Yield the mutants that have an effect and can be imported; store which cannot."""
    for key, mutation in found:
        if stored.get(key) == "invalid":
            continue
        change = change_of(mutation)
        if change is None:
            continue
        if key not in stored and function_at(mutation) is None:
            with written(change):
                importable = is_importable(change.file)
            file.write(f"{key} {'untested' if importable else 'invalid'}\n")
            file.flush()
            if not importable:
                continue
        yield Sampled(key, mutation, change, diff_of(change), stored.get(key, ""))


@contextlib.contextmanager
def written(change: Change) -> Iterator[None]:
    """Let a file contain a mutation for a while."""
    change.file.write_text(change.after, "utf-8")
    try:
        yield
    finally:
        change.file.write_text(change.before, "utf-8")


def result_of(one: Sampled, tests: "Tests") -> str:
    """Apply a mutation, run its tests, and return the result, with the tests of a survivor."""
    if changed_lines(one.diff) in JUSTIFIED.read_text("utf-8"):
        return "justified"
    chosen = tests.chosen(one)
    survived = f"survived-{tests.digest_of(chosen)}"
    if one.stored in {"killed", survived}:
        return one.stored
    with written(one.change):
        return survived if tests.survives(one, chosen) else "killed"


def file_of(test: str) -> str:
    return test.partition("::")[0]


class Tests:
    """The tests that reach each mutant of a sample, as recorded.

    Args:
        sample: The mutants, by their keys.
        paths: The files or folders of the tests, or none for all.
    """

    def __init__(self, sample: list[tuple[str, MutationSpec]], paths: list[str]) -> None:
        self._seconds: dict[str, float] = {}
        self._digests: dict[str, str] = {}
        self._reaching: defaultdict[str, set[str]] = defaultdict(set)
        """The tests, and files of tests, that reach each key; "" for those that do on import."""
        keys = " ".join(sorted(key for key, _ in sample))
        record = Path.cwd().with_name(
            f"reached-{hashlib.sha256(keys.encode()).hexdigest()[:12]}.json"
        )
        record_reached(record, sample, paths)
        for line in recorded(record):
            test, seconds = line["test"], line["seconds"]
            file = file_of(test)
            is_current = Path(file).is_file() and digest_of(file) == line["file"]
            if test and not (is_current and test.startswith(tuple(paths or [""]))):
                continue
            if test and seconds is not None:
                self._seconds[test] = seconds
                self._digests[test] = line["file"]
            for key in line["reached"]:
                self._reaching[key].add(test)
            for key in line["shared"]:
                self._reaching[key].add(file)
        names = {file_of(name) for names in self._reaching.values() for name in names}
        self._connection = start_testing(sorted(names & {*map(file_of, self._seconds)}))

    def chosen(self, one: Sampled) -> dict[str, float]:
        """Return the tests of a mutant with their times, in the order in which they run."""
        names = self._reaching[one.key]
        place = one.mutation.module_path
        near = (f"tests/{place.parts[1]}/", str(place))

        def rank(pair: tuple[str, float]) -> float:
            return pair[1] / NEAR if pair[0].startswith(near) else pair[1]

        tests = [pair for pair in self._seconds.items() if {pair[0], file_of(pair[0])} & names]
        total, chosen = 0.0, {}
        for test, seconds in sorted(tests, key=rank):
            if total < ENOUGH_S:
                chosen[test] = seconds
            total += seconds
        return chosen

    def digest_of(self, tests: Iterable[str]) -> str:
        texts = sorted(f"{test} {self._digests[test]}" for test in tests)
        return hashlib.sha256(" ".join(texts).encode()).hexdigest()[:12]

    def survives(self, one: Sampled, chosen: dict[str, float]) -> bool:
        """Run the tests of a mutant, whose text is already written to its file."""
        if not chosen:
            return True
        function = function_at(one.mutation)
        if function:
            file = one.mutation.module_path.resolve()
            outcome = self._outcome(
                Mutant(file, one.change.after, function, chosen, ENOUGH_S, LIMIT_S)
            )
            if outcome is Outcome.KILLED:
                click.echo(FAILED.read_text("utf-8"), err=True)
                return False
            # What ran on import may have stored results of the unchanged function.
            if outcome is Outcome.SURVIVED and "" not in self._reaching[one.key]:
                return True
        files = [*dict.fromkeys(file_of(test) for test in chosen)]
        first = {
            test: seconds
            for test, seconds in chosen.items()
            if file_of(test) in files[:FIRST_FILES]
        }
        rest = {test: seconds for test, seconds in chosen.items() if test not in first}
        return survives_again(first) and (not rest or survives_again(rest))

    def _outcome(self, mutant: Mutant) -> Outcome:
        self._connection.send(mutant)
        found: Outcome = self._connection.recv()
        return found


def survives_again(chosen: dict[str, float]) -> bool:
    """Run tests with their processor times in a new process, which imports the mutant."""
    Path("tests.json").write_text(json.dumps(chosen), "utf-8")
    options = ["--only-tests=tests.json", f"--enough-seconds={ENOUGH_S}", "-x"]
    files = sorted({file_of(name) for name in chosen})
    outcome, output = run_tests(shlex.join([*PYTEST, *PLUGIN, *options, *files]), LIMIT_S)
    failed = (line for line in output.splitlines() if line.startswith(("FAILED", "ERROR ")))
    click.echo(next(failed, f"{outcome.value}, without a failed test"), err=True)
    return outcome is TestOutcome.SURVIVED


def start_testing(paths: list[str]) -> Connection:
    """Start a process that tests mutants, and wait until it has imported the unchanged code."""
    ours, theirs = multiprocessing.Pipe()
    subprocess.Popen(
        [*PYTEST, *PLUGIN, f"--test-mutants={theirs.fileno()}", *paths],
        pass_fds=[theirs.fileno()],
        stdout=subprocess.DEVNULL,
    )
    theirs.close()
    ours.recv()
    return ours


def record_reached(record: Path, sample: list[tuple[str, MutationSpec]], paths: list[str]) -> None:
    """Record which tests reach the mutants of a sample, where this is not yet recorded."""
    mentions: defaultdict[str, set[Place]] = defaultdict(set)
    for file in Path("urpi").rglob("*.py"):
        for name, named in places_by_name(file).items():
            mentions[name] |= named
    places: defaultdict[str, list[tuple[int, int, str]]] = defaultdict(list)
    for key, mutation in sample:
        for path, line, column in reached_at(mutation, mentions):
            places[str(Path(path).resolve())].append((line, column, key))
    noted = record.with_suffix(".places")
    noted.write_text(json.dumps(places), "utf-8")
    reached = record.with_suffix(".reached")
    reached.unlink(missing_ok=True)
    done = subprocess.run(
        [*PYTEST, *PLUGIN, f"--record-reached={record}", *paths],
        env=os.environ | {"MUTATION_PLACES": str(noted), "MUTATION_REACHED": str(reached)},
        check=False,
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode == pytest.ExitCode.TESTS_FAILED:
        click.echo(
            f"{done.stdout[-3000:]}\nThese are left out: they fail without a mutation.", err=True
        )
    elif done.returncode not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        sys.exit(done.stdout[-3000:])


def is_importable(file: Path) -> bool:
    module = ".".join(file.with_suffix("").parts)
    command = [sys.executable, "-Bc", f"import {module}"]
    return not subprocess.run(command, check=False, capture_output=True).returncode


def diff_of(change: Change) -> list[str]:
    lines = change.before.splitlines(), change.after.splitlines()
    return list(difflib.unified_diff(*lines, str(change.file), str(change.file), lineterm=""))


def changed_lines(diff: list[str]) -> str:
    """Return the file and the changed lines of a diff, as an entry of justified.txt has them."""
    file = diff[0].removeprefix("--- ")
    lines = [f"{line[0]} {line[1:].strip()}" for line in diff[2:] if line[:1] in "+-"]
    return "\n".join([file, *lines, "because "])


if __name__ == "__main__":
    main()
