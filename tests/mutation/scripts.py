"""Change single expressions of the page's scripts, and report the changes that no test notices.

    python -m tests.mutation.scripts --sample 100

All mutants of the sample are written into one copy of the scripts, in build/mutation/scripts, each
beside what it replaces; the page asks which one applies. So the tests in tests/browser, of each at
most two cases, share a browser. They run once without a mutant, while the page notes which mutants
they reach. A mutant is then tested with those that reach it, which mention its script first, then
the fastest of each file, until one fails that passes again without it, or ten have passed. What was
found is stored: the same command continues, and tries ten other tests on each survivor. Survivors
whose reason justified.txt has are not run, as in `tests.mutation`.

A service worker cannot ask, so that service_worker.js is left out.
"""

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final

import click

from tests.mutation.__main__ import JUSTIFIED, LEAST_KILLED, ROOT, copy_tracked_files, table_of

SCRIPTS: Final = Path("urpi/page/static/js")
WITHOUT: Final = {"service_worker.js"}
PYTEST: Final = [
    *(sys.executable, "-m", "pytest", "-qp", "no:randomly", "-p", "tests.mutation.in_browser"),
    "--hypothesis-profile=everyday",
]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sample", type=int, default=100, help="the number of mutants")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the sample")
    parser.add_argument("--tests", nargs="*", default=["tests/browser"], help="the tests")
    args = parser.parse_args()
    copy = copy_tracked_files("scripts")
    os.chdir(copy)
    (copy / "tests/browser/node_modules").symlink_to(ROOT / "tests/browser/node_modules")
    sample = sampled(args.sample, args.seed)
    apply(sample)
    keys = " ".join(one["key"] for one in sample)
    store = copy.with_name(f"scripts-{hashlib.sha256(keys.encode()).hexdigest()[:12]}.json")
    justified = JUSTIFIED.read_text("utf-8")
    wanted = {one["key"]: Path(one["file"]).stem for one in sample if one["entry"] not in justified}
    Path("wanted.json").write_text(json.dumps(wanted), "utf-8")
    command = [*PYTEST, "--mutants=wanted.json", f"--mutants-found={store}", *args.tests]
    subprocess.run(command, check=False)
    found = {line["mutant"]: line["by"] for line in lines_of(store) if "mutant" in line}
    counts = Counter[str]()
    for one in sample:
        if one["key"] not in wanted:
            counts["justified"] += 1
        elif one["key"] in found:
            counts["killed" if found[one["key"]] else "survived"] += 1
            click.echo(f"{found[one['key']] or 'survived'}\n{one['entry']}\n")
    click.echo(f"page's scripts, seed {args.seed}\n{table_of({'page/static/js': counts})}")
    sys.exit(counts["survived"] > (1 - LEAST_KILLED) * counts.total())


def sampled(size: int, seed: int) -> list[dict[str, Any]]:
    """Return random mutations that do not overlap."""
    files = sorted(str(file) for file in SCRIPTS.rglob("*.js") if file.name not in WITHOUT)
    listed = subprocess.run(
        ["node", "tests/mutation/scripts.mjs", *files], check=True, capture_output=True, text=True
    )
    found = json.loads(listed.stdout)
    random.Random(seed).shuffle(found)
    sample: list[dict[str, Any]] = []
    for one in found:
        overlaps = any(
            one["file"] == other["file"]
            and one["start"] < other["end"]
            and other["start"] < one["end"]
            for other in sample
        )
        if not overlaps and len(sample) < size:
            one["entry"] = entry_of(one)
            one["key"] = hashlib.sha256(f"{one['start']} {one['entry']}".encode()).hexdigest()[:12]
            sample.append(one)
    return sample


def entry_of(one: dict[str, Any]) -> str:
    """Return the mutation as justified.txt has it."""
    text = Path(one["file"]).read_text("utf-8")
    after = text[: one["start"]] + one["after"] + text[one["end"] :]
    [first, last] = text[: one["start"]].count("\n"), text[: one["end"]].count("\n")
    added = last + after.count("\n") - text.count("\n")
    return "\n".join(
        [
            one["file"],
            *(f"- {line.strip()}" for line in text.splitlines()[first : last + 1]),
            *(f"+ {line.strip()}" for line in after.splitlines()[first : added + 1]),
            "because ",
        ]
    )


def apply(sample: list[dict[str, Any]]) -> None:
    """Write every mutant beside the expression that it replaces."""
    for one in sorted(sample, key=lambda one: -int(one["start"])):
        file = Path(one["file"])
        text = file.read_text("utf-8")
        start, end = one["start"], one["end"]
        both = f"({one['after']}) : ({text[start:end]})"
        chosen = f'(globalThis.mutated?.("{one["key"]}") ? {both})'
        file.write_text(text[:start] + chosen + text[end:], "utf-8")


def lines_of(store: Path) -> list[dict[str, Any]]:
    return [*map(json.loads, store.read_text("utf-8").splitlines())] if store.exists() else []


if __name__ == "__main__":
    main()
