"""Change single expressions of a package, and report the changes that no test notices.

    python -m tests.mutation rules --sample 150

works on a copy of the tracked files in build/mutation. Cosmic Ray applies one random mutation at a
time there, and the package's tests (tests/PACKAGE) run until one fails. A mutant that survives
shows a missing test, or it changes nothing that a user could notice: those are listed with the
reason in justified.txt. Every other survivor is printed as a diff. The exit status is 1 when less
than 90 % of the mutants are killed or justified.

The killed mutants are stored: the same command continues an interrupted run, and tests again only
the survivors and the mutants of files that have changed.
"""

import argparse
import ast
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click
from cosmic_ray.commands.init import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_db import use_db
from cosmic_ray.work_item import MutationSpec, TestOutcome

ROOT: Final = Path(__file__).parents[2]
JUSTIFIED: Final = Path(__file__).parent / "justified.txt"
LEAST_KILLED: Final = 0.9
TIMEOUT_S: Final = 600
"""The time after which a test run counts as failed: a mutant may loop forever."""


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
    tests = args.tests or [f"tests/{args.package}"]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:randomly", *tests]
    check_tests_pass(command)
    sample = sample_of(sorted(file.relative_to(copy) for file in files), args.sample, args.seed)
    store = copy.parent / f"{args.package}-{args.seed}.jsonl"
    survivors = [diff for diff in run(sample, " ".join(command), store) if not is_justified(diff)]
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
    return copy


def check_tests_pass(command: list[str]) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        click.echo(done.stdout[-3000:])
        sys.exit("The tests fail without any mutation: make them pass first.")


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


def run(sample: list[MutationSpec], command: str, store: Path) -> Iterator[str]:
    """Test each mutant that is not known to be killed, and yield the diffs of the survivors."""
    known = set(store.read_text("utf-8").splitlines()) if store.exists() else set()
    with store.open("a", encoding="utf-8") as killed:
        for number, mutation in enumerate(sample, 1):
            text = mutation.module_path.read_bytes()
            place = (mutation.operator_name, mutation.occurrence, hashlib.sha256(text).hexdigest())
            key = json.dumps([str(mutation.module_path), *place])
            if key in known:
                continue
            result = mutate_and_test([mutation], command, TIMEOUT_S)
            survived = result.test_outcome is TestOutcome.SURVIVED
            click.echo(
                f"{number}/{len(sample)} {mutation.module_path}:{mutation.start_pos[0]} "
                f"{mutation.operator_name} {'SURVIVED' if survived else 'killed'}",
                err=True,
            )
            if survived:
                yield result.diff or ""
            else:
                killed.write(f"{key}\n")
                killed.flush()


def is_justified(diff: str) -> bool:
    """Return whether the diff's changed lines are an entry of the list of justified survivors."""
    # Cosmic Ray puts a line "--- mutation diff ---" before the diff.
    changed = [line for line in diff.splitlines()[1:] if line[:1] in "+-"]
    file = changed[0].removeprefix("--- a/").removeprefix("--- ").split("\t")[0]
    lines = [f"{line[0]} {line[1:].strip()}" for line in changed[2:]]
    return "\n".join([file, *lines]) in JUSTIFIED.read_text("utf-8")


if __name__ == "__main__":
    main()
