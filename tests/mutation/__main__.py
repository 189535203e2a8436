"""Change single expressions of a package or of all, and report the changes that no test notices.

    python -m tests.mutation rules --sample 150

works on a copy of the tracked files in build/mutation. Cosmic Ray applies one random mutation at a
time there, at most one in each place, and pytest runs the package's tests (tests/PACKAGE, and its
doctests) until one fails. A mutant that survives shows a missing test, or it changes nothing that a
user could notice: those are listed with the reason in justified.txt, and are not run. Every other
survivor is printed as a diff. The exit status is 1 when less than 90 % of the mutants are killed or
justified.

The tests run once without a mutation, while Coverage.py records which of them run each line. A
mutant is then tested only with those that run its statement, the fastest first, until one fails or
they took ten seconds. If none runs it, those that start other processes may. Mutants of a
function are tested in forks of one pytest process. Where a statement runs on import, as constants
and default values do, pytest starts again, with the tests that run the function or any line of the
file. Tests that `make test` leaves out are not run.

Where tests of other packages run much of a package, as those of page and cli run service, name
them with `--then`: they run for the mutants that survive the package's own tests.

    python -m tests.mutation urpi --sample 300

takes the sample from all domains, in proportion to their lines. Recording what the tests of all
domains run takes long and is not worth it for few mutants of each file: a mutant is tested with the
doctests of its file, then with the tests of its domain that import it and those of the folder that
has the file's place among the tests. `--record` records nevertheless.

Mutations that cannot change a result are not made: in annotations, in the separators `*` and `/`
of parameters, in the options `slots` and `frozen` of a data class, and between `==` and `is`.
Neither are those that Python cannot compile or import: every test would notice them.

That record and the results are stored: the same command continues an interrupted run, and tests
again only the mutants of functions that have changed, and the survivors if the package or its tests
have. Ctrl-C ends a run with a report of what it has tested. The sample depends on the names of the
functions and on the mutated lines, so that it stays the same where the code does.
"""

import argparse
import contextlib
import difflib
import hashlib
import json
import multiprocessing
import os
import re
import shlex
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import click
from cosmic_ray.testing import run_tests
from cosmic_ray.work_item import MutationSpec, TestOutcome

from tests.mutation.changes import Change, change_of, drawn, function_at, related_lines
from tests.mutation.plugin import FAILED, Mutant, Outcome

ROOT: Final = Path(__file__).parents[2]
JUSTIFIED: Final = Path(__file__).parent / "justified.txt"
LEAST_KILLED: Final = 0.9
ENOUGH_S: Final = 10
"""The processor time after which a mutant counts as survived, though slower tests are left."""
RECORDED_S: Final = 20
"""The time after which a test is left out of the record: mutants are killed by faster ones."""
LIMIT_S: Final = 300
"""The time after which a test run counts as failed: a mutant may wait forever."""
PYTEST: Final = [
    *(sys.executable, "-m", "pytest", "-qp", "no:randomly"),
    *("-m", "not slow", "--hypothesis-profile=everyday"),
]
"""What `make test` runs."""
TESTED_WITH: Final = {
    "core": [
        *("tests/cli/test_invitation.py", "tests/link/protocol/test_messages.py"),
        *("tests/page/test_names.py", "tests/page/test_schema.py"),
    ],
    "http": ["tests/page"],
}
"""Tests of other domains that test what is imported by these: names, links, schemas, requests."""
RESULTS: Final = ("killed", "justified", "survived")
PLUGIN: Final = ["-p", "tests.mutation.plugin"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("package", help="a package of urpi, such as rules, or urpi for all")
    parser.add_argument("--files", nargs="*", default=["*.py"], help="mutate these of its files")
    parser.add_argument("--tests", nargs="*", help="run these instead of tests/PACKAGE")
    parser.add_argument("--then", nargs="*", help="run these too if a mutant survives")
    parser.add_argument("--record", action="store_true", help="record the lines also with urpi")
    parser.add_argument("--sample", type=int, default=150, help="the number of mutants")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the sample")
    args = parser.parse_args()
    folder = Path("urpi") / ("" if args.package == "urpi" else args.package)
    if not (ROOT / folder).is_dir():
        parser.error(f"urpi has no package {args.package!r}; name a folder of urpi, such as rules")
    for path in [*(args.tests or ()), *(args.then or ())]:
        if not (ROOT / path.partition("::")[0]).exists():
            parser.error(f"there is no {path}; name files or folders of tests, such as tests/rules")
    os.chdir(copy_tracked_files(args.package.replace("/", "-")))
    files = {file for pattern in args.files for file in folder.rglob(pattern)}
    # The two files outside of all domains only start the program.
    found = drawn(sorted(file for file in files if len(file.parts) > 2), args.seed)
    is_recorded = args.record or args.package != "urpi"
    suites = Suites(args.package, args.tests, args.then, Recorded if is_recorded else Importing)
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    with contextlib.suppress(KeyboardInterrupt):
        for package, result, diff in run(found, args.sample, suites):
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
    os.environ["PYTHONPATH"] = str(copy)
    os.environ["PYTHONPYCACHEPREFIX"] = str(copy.with_name("compiled"))
    return copy


class Suites:
    """The tests of each package, which start when its first mutant is tested.

    Args:
        package: The package that all files belong to, or ``urpi`` if it is their domain.
        paths: Tests that run instead of the package's own.
        then: Tests that run after those.
        tests: How the tests of a mutant are found.
    """

    def __init__(
        self, package: str, paths: list[str] | None, then: list[str] | None, tests: type["Tests"]
    ) -> None:
        self._package, self._paths, self._then, self._tests = package, paths, then, tests
        self._started: dict[str, list[Tests]] = {}

    def package_of(self, file: Path) -> str:
        return file.parts[1] if self._package == "urpi" else self._package

    def of(self, package: str) -> list["Tests"]:
        """Return the tests of a package, those that run first and those that run for survivors."""
        if package not in self._started:
            own = [f"tests/{package}", f"urpi/{package}", *TESTED_WITH.get(package, ())]
            stages = self._paths or own, self._then
            self._started[package] = [self._tests(each, package) for each in stages if each]
        return self._started[package]


class Tests(ABC):
    """The tests of a package."""

    def __init__(self, paths: list[str], package: str) -> None:
        self.digest = digest_of([f"urpi/{package}", *paths])

    @abstractmethod
    def survives(self, mutation: MutationSpec, after: str) -> bool:
        """Run the tests of a mutant, whose text is already written to its file."""

    def _survives_again(self, chosen: dict[str, float]) -> bool:
        """Run tests in a new process, which imports the mutant.

        Args:
            chosen: Names of tests or of their files, each with its processor time in seconds.
        """
        Path("tests.json").write_text(json.dumps(chosen), "utf-8")
        options = ["--only-tests=tests.json", f"--enough-seconds={ENOUGH_S}", "-x"]
        files = sorted({name.partition("::")[0] for name in chosen})
        command = shlex.join([*PYTEST, *PLUGIN, *options, *files])
        outcome, output = run_tests(command, LIMIT_S)
        failed = (line for line in output.splitlines() if line.startswith(("FAILED", "ERROR ")))
        click.echo(next(failed, f"{outcome.value}, without a failed test"), err=True)
        return outcome is TestOutcome.SURVIVED


class Recorded(Tests):
    """Tests that run the mutated statement, as recorded, the fastest first."""

    def __init__(self, paths: list[str], package: str) -> None:
        super().__init__(paths, package)
        record = Path.cwd().with_name(f"{package.replace('/', '-')}-{self.digest}.json")
        if not record.exists():
            record_lines(record, package, paths)
        recorded = json.loads(record.read_text("utf-8"))
        self._lines: dict[str, dict[str, list[str]]] = recorded["lines"]
        self._starting: list[str] = recorded["starting"]
        seconds: dict[str, float] = recorded["seconds"]
        self._seconds = dict(sorted(seconds.items(), key=lambda pair: pair[1]))
        self._connection = start_testing(paths)

    def survives(self, mutation: MutationSpec, after: str) -> bool:
        """Run the tests of a mutant, whose text is already written to its file."""
        lines = self._lines.get(str(mutation.module_path), {})
        names = {name for line in related_lines(mutation) for name in lines.get(str(line), ())}
        # Only another process can run a line that no test runs in this one.
        names = names or set(self._starting)
        chosen = {
            name: seconds
            for name, seconds in self._seconds.items()
            if {name, name.partition("::")[0]} & names
        }
        if not chosen:
            return "" not in names or self._survives_again(self._seconds)
        function = function_at(mutation)
        if function:
            file = mutation.module_path.resolve()
            mutant = Mutant(file, after, function, chosen, ENOUGH_S, LIMIT_S)
            outcome = self._outcome(mutant)
            if outcome is Outcome.KILLED:
                click.echo(FAILED.read_text("utf-8"), err=True)
                return False
            # What ran on import may have stored results of the unchanged function.
            if outcome is Outcome.SURVIVED and "" not in names:
                return True
        return self._survives_again(chosen)

    def _outcome(self, mutant: Mutant) -> Outcome:
        self._connection.send(mutant)
        found: Outcome = self._connection.recv()
        return found


class Importing(Tests):
    """The doctests of the mutated file, the tests that import it, and those of its folder."""

    def __init__(self, paths: list[str], package: str) -> None:
        super().__init__(paths, package)
        found = [file for path in paths for file in [Path(path), *Path(path).rglob("test_*.py")]]
        self._texts = {file: file.read_text("utf-8") for file in found if file.suffix == ".py"}

    def survives(self, mutation: MutationSpec, after: str) -> bool:  # noqa: ARG002
        """Run the tests of a mutant, whose text is already written to its file."""
        file = mutation.module_path
        *package, name = file.with_suffix("").parts
        dotted = re.escape(".".join(package))
        imported = re.compile(rf"\b{dotted}(\.{name}\b| import [^(]*?\b{name}\b)")
        importing = [test for test, text in self._texts.items() if imported.search(text)]
        folder = Path("tests", *file.parent.parts[1:])
        folders = {test.parent for test in self._texts}
        folder = next((each for each in (folder, *folder.parents) if each in folders), folder)
        near = [test for test in self._texts if test.parent == folder]
        near.sort(key=lambda test: test.stem != f"test_{name}")
        # Many tests import a module by the names that its package re-exports.
        tests = dict.fromkeys([file, *importing, *near])
        return self._survives_again({str(test): float(RECORDED_S) for test in tests})


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


def digest_of(paths: list[str]) -> str:
    """Return a digest of names of Python files or folders, and of what these contain."""
    found = {file for path in paths for file in [Path(path), *Path(path).rglob("*.py")]}
    texts = b"".join(file.read_bytes() for file in sorted(found) if file.is_file())
    return hashlib.sha256(" ".join(paths).encode() + texts).hexdigest()[:12]


def record_lines(record: Path, package: str, paths: list[str]) -> None:
    # This run alone stores compiled files, so that the others start quickly.
    done = subprocess.run(
        [
            *(*PYTEST, *PLUGIN, f"--record-lines={record}", f"--record-from=urpi/{package}"),
            *(f"--timeout={RECORDED_S}", *paths),
        ],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""},
        check=False,
        capture_output=True,
        text=True,
    )
    if not record.exists():
        sys.exit(f"{done.stdout[-3000:]}{done.stderr[-3000:]}")
    if done.returncode:
        click.echo(done.stdout[-3000:])
        click.echo("Tests that fail without any mutation are left out.")


def run(
    found: Iterable[tuple[str, MutationSpec]], size: int, suites: Suites
) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the packages, results and diffs of `size` mutants, and store the results."""
    store = Path.cwd().with_suffix(".txt")
    stored = dict(map(str.split, store.read_text("utf-8").splitlines())) if store.exists() else {}
    number = 0
    with store.open("a", encoding="utf-8") as file:
        for key, mutation in found:
            package = suites.package_of(mutation.module_path)
            result, diff = result_of(mutation, stored.get(key, ""), suites.of(package))
            kept = survived_with(suites.of(package)) if result == "survived" else result
            if result != "justified" and stored.get(key) != kept:
                file.write(f"{key} {kept}\n")
                file.flush()
            if result == "invalid":
                continue
            yield package, result, diff
            number += 1
            place = f"{mutation.module_path}:{mutation.start_pos[0]}"
            name = mutation.operator_name.removeprefix("core/")
            click.echo(f"{number}/{size} {place} {name} {result}", err=True)
            if number == size:
                return


def result_of(
    mutation: MutationSpec, stored: str, stages: Sequence[Tests]
) -> tuple[str, list[str]]:
    """Apply a mutation, run its tests, and return the result and the diff."""
    if stored in {"killed", "invalid"}:
        return stored, []
    change = change_of(mutation)
    if change is None:
        return "invalid", []
    diff = diff_of(change)
    if changed_lines(diff) in JUSTIFIED.read_text("utf-8"):
        return "justified", diff
    if stored == survived_with(stages):
        return "survived", diff
    change.file.write_text(change.after, "utf-8")
    try:
        if function_at(mutation) is None and not is_importable(change.file):
            return "invalid", diff
        survives = all(tests.survives(mutation, change.after) for tests in stages)
        return "survived" if survives else "killed", diff
    finally:
        change.file.write_text(change.before, "utf-8")


def survived_with(stages: Sequence[Tests]) -> str:
    """Return what is stored of a survivor, until its package or the tests of that change."""
    return "-".join(["survived", *(tests.digest for tests in stages)])


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
