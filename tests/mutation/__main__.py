"""Change single expressions of a package, and report the changes that no test notices.

    python -m tests.mutation rules --sample 150

works on a copy of the tracked files in build/mutation. Cosmic Ray applies one random mutation at a
time there, and pytest runs the package's tests (tests/PACKAGE, and its doctests) until one fails.
A mutant that survives shows a missing test, or it changes nothing that a user could notice: those
are listed with the reason in justified.txt, and are not run. Every other survivor is printed as a
diff. The exit status is 1 when less than 90 % of the mutants are killed or justified.

The tests run once without a mutation, while Coverage.py records which of them run each line. A
mutant is then tested only with those that run its statement, the fastest first. Statements that
run only on import, such as constants and default values, are tested with those that run the
function or any line of the file, and what no test runs is tested with all.

That record and the killed mutants are stored: the same command continues an interrupted run, and
tests again only the survivors and the mutants of files that have changed.
"""

import argparse
import ast
import difflib
import hashlib
import json
import os
import random
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click
from cosmic_ray.commands.init import init
from cosmic_ray.mutating import use_mutation
from cosmic_ray.plugins import get_operator
from cosmic_ray.testing import run_tests
from cosmic_ray.work_db import use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome

ROOT: Final = Path(__file__).parents[2]
JUSTIFIED: Final = Path(__file__).parent / "justified.txt"
LEAST_KILLED: Final = 0.9
TIMEOUT_S: Final = 600
"""The time after which a test run counts as failed: a mutant may loop forever."""
PYTEST: Final = [sys.executable, "-m", "pytest", "-xqp", "no:randomly"]
PLUGIN: Final = ["-p", "tests.mutation.plugin"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package", help="a package of urpi, such as rules")
    parser.add_argument("--files", nargs="*", default=["*.py"], help="mutate these of its files")
    parser.add_argument("--tests", nargs="*", help="run these instead of tests/PACKAGE")
    parser.add_argument("--sample", type=int, default=150, help="the number of mutants")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the sample")
    args = parser.parse_args()
    copy = copy_tracked_files(args.package)
    files = [
        file for pattern in args.files for file in (copy / "urpi" / args.package).glob(pattern)
    ]
    os.chdir(copy)
    tests = Tests(args.tests or [f"tests/{args.package}", f"urpi/{args.package}"], args.package)
    sample = sample_of(sorted(file.relative_to(copy) for file in files), args.sample, args.seed)
    store = copy.parent / f"{args.package}-{args.seed}.jsonl"
    survivors = list(run(sample, tests, store))
    for diff in survivors:
        click.echo(diff)
    killed = 1 - len(survivors) / len(sample)
    click.echo(f"{len(sample)} mutants, seed {args.seed}: {killed:.1%} killed or justified")
    sys.exit(killed < LEAST_KILLED)


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
    """The tests of a package, which of them run each line, and their durations."""

    def __init__(self, paths: list[str], package: str) -> None:
        self._paths = paths
        record = Path.cwd().with_name(f"{package}-{digest_of([f'urpi/{package}', *paths])}.json")
        if not record.exists():
            record_lines(record, package, paths)
        recorded = json.loads(record.read_text("utf-8"))
        self._lines: dict[str, dict[str, list[str]]] = recorded["lines"]
        self._seconds: dict[str, float] = recorded["seconds"]

    def command(self, mutation: MutationSpec) -> str:
        """Return the command that runs the tests of a mutant, the fastest first."""
        lines = self._lines.get(str(mutation.module_path), {})
        found = {
            name
            for line in related_lines(mutation.module_path, mutation.start_pos[0])
            for name in lines.get(str(line), ())
        }
        chosen = [name for name in self._seconds if {name, name.partition("::")[0]} & found]
        chosen.sort(key=lambda name: self._seconds[name])
        if not chosen:
            return shlex.join([*PYTEST, *self._paths])
        Path("tests.json").write_text(json.dumps(chosen), "utf-8")
        files = sorted({name.partition("::")[0] for name in chosen})
        return shlex.join([*PYTEST, *PLUGIN, "--only-tests=tests.json", *files])


def digest_of(paths: list[str]) -> str:
    """Return a digest of Python files, given by their names or folders."""
    found = {file for path in paths for file in [Path(path), *Path(path).rglob("*.py")]}
    texts = b"".join(file.read_bytes() for file in sorted(found) if file.is_file())
    return hashlib.sha256(texts).hexdigest()[:12]


def record_lines(record: Path, package: str, paths: list[str]) -> None:
    # This run alone stores compiled files, so that the others start quickly.
    done = subprocess.run(
        [*PYTEST, *PLUGIN, f"--record-lines={record}", f"--record-from=urpi/{package}", *paths],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""},
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        click.echo(done.stdout[-3000:])
        sys.exit("The tests fail without any mutation: make them pass first.")


def related_lines(file: Path, line: int) -> range:
    """Return the lines whose tests depend on the statement at a line.

    Inside a function these are the lines of the statement, for a function's signature and
    decorators those of the function, and otherwise those of the file.
    """
    text = file.read_text("utf-8")
    around = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.stmt) and first_line(node) <= line <= last_line(node)
    ]
    if not any(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) for node in around):
        return range(1, text.count("\n") + 1)
    innermost = max(around, key=lambda node: (first_line(node), -last_line(node)))
    if isinstance(innermost, ast.FunctionDef | ast.AsyncFunctionDef):
        return range(innermost.lineno, last_line(innermost) + 1)
    return range(innermost.lineno, line + 1)


def first_line(node: ast.stmt) -> int:
    return min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])


def last_line(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def sample_of(files: Iterable[Path], size: int, seed: int) -> list[MutationSpec]:
    """Return random mutations of the files, none of them in an annotation."""
    with use_db(":memory:") as database:
        init(files, database, {})
        found = [mutation for item in database.work_items for mutation in item.mutations]
    annotated = {file: set(annotated_lines(file)) for file in files}
    wanted = [one for one in found if not is_annotation(one, annotated[one.module_path])]
    wanted.sort(key=lambda one: (one.module_path, one.operator_name, one.occurrence))
    return random.Random(seed).sample(wanted, min(size, len(wanted)))


def annotated_lines(file: Path) -> Iterator[tuple[int, int, int, int]]:
    """Yield where each annotation of a file begins and ends: line, column, line, column."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        for field in ("annotation", "returns"):
            part = getattr(node, field, None)
            if part is not None:
                yield part.lineno, part.col_offset, part.end_lineno, part.end_col_offset


def is_annotation(mutation: MutationSpec, annotations: set[tuple[int, int, int, int]]) -> bool:
    at = mutation.start_pos
    return any((first, column) <= at < (last, end) for first, column, last, end in annotations)


def run(sample: list[MutationSpec], tests: Tests, store: Path) -> Iterator[str]:
    """Test the mutants that are not known to be killed or justified; yield the survivors' diffs."""
    known = set(store.read_text("utf-8").splitlines()) if store.exists() else set()
    justified = JUSTIFIED.read_text("utf-8")
    with store.open("a", encoding="utf-8") as killed:
        for number, mutation in enumerate(sample, 1):
            path = mutation.module_path
            place = (mutation.operator_name, mutation.occurrence)
            key = json.dumps([str(path), *place, hashlib.sha256(path.read_bytes()).hexdigest()])
            if key in known:
                continue
            command = tests.command(mutation)
            operator = get_operator(mutation.operator_name)(**mutation.operator_args)
            with use_mutation(path, operator, mutation.occurrence) as (before, after):
                diff = diff_of(path, before, after)
                if changed_lines(diff) in justified:
                    continue
                outcome, _ = run_tests(command, TIMEOUT_S)
            survived = outcome is TestOutcome.SURVIVED
            click.echo(
                f"{number}/{len(sample)} {path}:{mutation.start_pos[0]} "
                f"{mutation.operator_name} {'SURVIVED' if survived else 'killed'}",
                err=True,
            )
            if survived:
                yield "\n".join(diff)
            else:
                killed.write(f"{key}\n")
                killed.flush()


def diff_of(path: Path, before: str, after: str) -> list[str]:
    lines = before.splitlines(), after.splitlines()
    return list(difflib.unified_diff(*lines, str(path), str(path), lineterm=""))


def changed_lines(diff: list[str]) -> str:
    """Return the file and the changed lines of a diff, as an entry of justified.txt has them."""
    file = diff[0].removeprefix("--- ")
    lines = [f"{line[0]} {line[1:].strip()}" for line in diff[2:] if line[:1] in "+-"]
    return "\n".join([file, *lines])


if __name__ == "__main__":
    main()
