"""Change single expressions of a package, and report the changes that no test notices.

    python -m tests.mutation rules --sample 150

works on a copy of the tracked files in build/mutation. Cosmic Ray applies one random mutation at a
time there, at most one in each place, and pytest runs the package's tests (tests/PACKAGE, and its
doctests) until one fails. A mutant that survives shows a missing test, or it changes nothing that a
user could notice: those are listed with the reason in justified.txt, and are not run. Every other
survivor is printed as a diff. The exit status is 1 when less than 90 % of the mutants are killed or
justified.

The tests run once without a mutation, while Coverage.py records which of them run each line. A
mutant is then tested only with those that run its statement, the fastest first, until one fails or
they took half a minute. Mutants of a function are tested in forks of one pytest process. Where a
statement runs on import, as constants and default values do, pytest starts anew, with the tests
that run the function or any line of the file.

Where tests of other packages run much of a package, as those of web and commands run service, name
them with `--then`: they run for the mutants that survive the package's own tests.

Mutations that cannot change a result are not made: in annotations, in the separators `*` and `/`
of parameters, in the options `slots` and `frozen` of a data class, and between `==` and `is`.
Neither are those that Python cannot compile or import: every test would notice them.

That record and the killed mutants are stored: the same command continues an interrupted run, and
tests again only the survivors and the mutants of functions that have changed. The sample depends on
the names of the functions and on the mutated lines, so that it stays the same where the code does.
"""

import argparse
import difflib
import hashlib
import json
import multiprocessing
import os
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import click
from cosmic_ray.testing import run_tests
from cosmic_ray.work_item import MutationSpec, TestOutcome

from tests.mutation.changes import Change, change_of, function_at, related_lines, shuffled
from tests.mutation.plugin import FAILED, Mutant, Outcome

ROOT: Final = Path(__file__).parents[2]
JUSTIFIED: Final = Path(__file__).parent / "justified.txt"
LEAST_KILLED: Final = 0.9
ENOUGH_S: Final = 30
"""The processor time after which a mutant counts as survived, though slower tests are left."""
LIMIT_S: Final = 600
"""The time after which a test run counts as failed: a mutant may wait forever."""
PYTEST: Final = [sys.executable, "-m", "pytest", "-qp", "no:randomly"]
PLUGIN: Final = ["-p", "tests.mutation.plugin"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("package", help="a package of urpi, such as rules")
    parser.add_argument("--files", nargs="*", default=["*.py"], help="mutate these of its files")
    parser.add_argument("--tests", nargs="*", help="run these instead of tests/PACKAGE")
    parser.add_argument("--then", nargs="*", help="run these too if a mutant survives")
    parser.add_argument("--sample", type=int, default=150, help="the number of mutants")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the sample")
    args = parser.parse_args()
    if not (ROOT / "urpi" / args.package).is_dir():
        parser.error(f"urpi has no package {args.package!r}; name a folder of urpi, such as rules")
    for path in [*(args.tests or ()), *(args.then or ())]:
        if not (ROOT / path.partition("::")[0]).exists():
            parser.error(f"there is no {path}; name files or folders of tests, such as tests/rules")
    copy = copy_tracked_files(args.package)
    files = [
        file for pattern in args.files for file in (copy / "urpi" / args.package).glob(pattern)
    ]
    os.chdir(copy)
    paths = args.tests or [f"tests/{args.package}", f"urpi/{args.package}"]
    stages = [Tests(each, args.package) for each in (paths, args.then) if each]
    found = shuffled(sorted(file.relative_to(copy) for file in files), args.seed)
    store = copy.parent / f"{args.package}.txt"
    counts: Counter[str] = Counter()
    for result, diff in run(found, args.sample, stages, store):
        counts[result] += 1
        if result == "survived":
            click.echo("\n".join(diff))
    total = counts.total()
    click.echo(
        f"{args.package}, seed {args.seed}: {total} mutants, {counts['killed']} killed, "
        f"{counts['justified']} justified, {counts['survived']} survived"
    )
    sys.exit(counts["survived"] > (1 - LEAST_KILLED) * total)


def copy_tracked_files(package: str) -> Path:
    """Copy the repository's tracked files, as they are now, and return the copy's folder."""
    copy = ROOT / "build" / "mutation" / package
    shutil.rmtree(copy, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    # The environment has the repository installed; the copy comes first.
    os.environ["PYTHONPATH"] = str(copy)
    os.environ["PYTHONPYCACHEPREFIX"] = str(copy.with_name("compiled"))
    return copy


class Tests:
    """The tests of a package, which of them run each line, and the process that runs them."""

    def __init__(self, paths: list[str], package: str) -> None:
        record = Path.cwd().with_name(f"{package}-{digest_of([f'urpi/{package}', *paths])}.json")
        if not record.exists():
            record_lines(record, package, paths)
        recorded = json.loads(record.read_text("utf-8"))
        self._lines: dict[str, dict[str, list[str]]] = recorded["lines"]
        seconds: dict[str, float] = recorded["seconds"]
        self._seconds = dict(sorted(seconds.items(), key=lambda pair: pair[1]))
        self._connection = start_testing(paths)

    def survives(self, mutation: MutationSpec, after: str) -> bool:
        """Run the tests of a mutant, whose text is already written to its file."""
        recorded = self._lines.get(str(mutation.module_path), {})
        lines = related_lines(mutation)
        names = {name for line in lines for name in recorded.get(str(line), ())}
        chosen = {
            name: seconds
            for name, seconds in self._seconds.items()
            if {name, name.partition("::")[0]} & names
        } or self._seconds
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
        Path("tests.json").write_text(json.dumps(chosen), "utf-8")
        options = ["--only-tests=tests.json", f"--enough-seconds={ENOUGH_S}", "-x"]
        files = sorted({name.partition("::")[0] for name in chosen})
        command = shlex.join([*PYTEST, *PLUGIN, *options, *files])
        outcome, output = run_tests(command, LIMIT_S)
        failed = (line for line in output.splitlines() if line.startswith(("FAILED", "ERROR ")))
        click.echo(next(failed, ""), err=True)
        return outcome is TestOutcome.SURVIVED

    def _outcome(self, mutant: Mutant) -> Outcome:
        self._connection.send(mutant)
        found: Outcome = self._connection.recv()
        return found


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
        [*PYTEST, *PLUGIN, f"--record-lines={record}", f"--record-from=urpi/{package}", *paths],
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
    found: Iterable[tuple[str, MutationSpec]], size: int, stages: Sequence[Tests], store: Path
) -> Iterator[tuple[str, list[str]]]:
    """Yield the results of `size` mutants, and the diffs of survivors; store the other results."""
    stored = dict(map(str.split, store.read_text("utf-8").splitlines())) if store.exists() else {}
    number = 0
    with store.open("a", encoding="utf-8") as file:
        for key, mutation in found:
            result, diff = (stored[key], []) if key in stored else result_of(mutation, stages)
            if result in {"killed", "invalid"} and key not in stored:
                file.write(f"{key} {result}\n")
                file.flush()
            if result == "invalid":
                continue
            yield result, diff
            number += 1
            place = f"{mutation.module_path}:{mutation.start_pos[0]}"
            name = mutation.operator_name.removeprefix("core/")
            click.echo(f"{number}/{size} {place} {name} {result}", err=True)
            if number == size:
                return


def result_of(mutation: MutationSpec, stages: Sequence[Tests]) -> tuple[str, list[str]]:
    """Apply a mutation, run its tests, and return the result and the diff."""
    change = change_of(mutation)
    if change is None:
        return "invalid", []
    diff = diff_of(change)
    if changed_lines(diff) in JUSTIFIED.read_text("utf-8"):
        return "justified", diff
    change.file.write_text(change.after, "utf-8")
    try:
        if function_at(mutation) is None and not is_importable(change.file):
            return "invalid", diff
        survives = all(tests.survives(mutation, change.after) for tests in stages)
        return "survived" if survives else "killed", diff
    finally:
        change.file.write_text(change.before, "utf-8")


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
