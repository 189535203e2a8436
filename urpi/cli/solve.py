"""`urpi solve`: build the table of exact values of a race."""

import fcntl
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import click

from urpi import __version__
from urpi.cli.options import rules_option, settings_of
from urpi.cli.output import FILE
from urpi.core.atomic_file import draft_of, own_draft
from urpi.core.errors import UrpiError
from urpi.core.extras import installation
from urpi.rules import RuleSet, Side, parse_rules

if TYPE_CHECKING:
    from urpi.engine.exact.values import ValuesHeader
    from urpi.engine.race_index import RaceIndex


@click.command()
@rules_option
@click.option(
    "--output",
    metavar="FILE",
    type=FILE,
    help="Write the table to this file instead of installing it.",
)
@click.pass_context
def solve(ctx: click.Context, rules: RuleSet, output: Path | None) -> None:
    """Compute the exact value of every position of a race, and install the table.

    The table makes `urpi evaluate` exact. Solving takes seconds with three pieces, minutes with
    five, and longer with seven. An interrupted computation continues where it stopped when the
    same command is run again. The paths of murray and skiryuk visit squares twice; they can be
    solved with three pieces only, which takes minutes.

    For example: urpi solve --rules 'finkel[pieces=3]' --output finkel3.urpi
    """
    from urpi.engine.exact.folder import tables_folder
    from urpi.engine.exact.installed import Installed
    from urpi.engine.exact.values import check_solvable
    from urpi.engine.race_index import RaceIndex, has_race_index

    rules = parse_rules(rules.played_as)
    check_solvable(rules)
    installed = Installed(tables_folder(settings_of(ctx).config.journal.file))
    target = output or installed.path_of(rules)
    _need_libraries()
    try:
        # Found now, and not when the table is written hours later.
        folder = own_draft(target).with_name(f"{target.name}.work")
        with _locked(folder, target):
            if has_race_index(rules):
                _solve_layers(RaceIndex(rules), target, folder)
            else:
                _solve_reachable(rules, target, folder)
    except OSError as error:
        message = (
            f"The table of exact values {target} cannot be written: {error.strerror}; "
            "choose another file."
        )
        raise UrpiError(message) from error
    if output is None:
        # Its checksum is compared here once, and not at the first use.
        installed.open(rules)
    click.echo(f"{'Installed' if output is None else 'Wrote'} {target}.")


def _need_libraries() -> None:
    try:
        import numba  # noqa: F401
    except ModuleNotFoundError as error:
        message = (
            f"urpi solve needs the Python module {error.name}; "
            f"install it with: {installation('solve')}."
        )
        raise UrpiError(message) from error


@contextmanager
def _locked(folder: Path, target: Path) -> Iterator[None]:
    """Keep other processes from using the folder of the checkpoint.

    Raises:
        UrpiError: If one uses it.
    """
    existed = folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    lock = folder / "lock"
    try:
        with lock.open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                message = (
                    f"The table of exact values {target} is in use: another process is building "
                    "it; wait until it has finished, or stop it."
                )
                raise UrpiError(message) from error
            yield
    finally:
        # Nothing but the lock: nothing was computed that a later call could continue.
        if not existed and folder.exists() and list(folder.iterdir()) == [lock]:
            lock.unlink()
            folder.rmdir()


def _solve_layers(index: "RaceIndex", target: Path, folder: Path) -> None:
    from urpi.engine.exact.values import ValuesHeader
    from urpi.engine.solver import solving

    rules = index.rules
    # The checkpoint and the table, with two bytes for each value, exist at the same time.
    disk = solving.disk_needed(index.size) + 2 * index.size
    _check_room(solving.memory_needed(index), disk, target.parent)
    checkpoint = solving.Checkpoint(folder, rules.text, index.size)
    click.echo(f"{rules.text}: {index.size:,} positions", err=True)
    with _progress(index.size) as report:
        solution = solving.solve(index, checkpoint, report)
    start = float(solution.values[index(rules.start(Side.LIGHT))])
    header = ValuesHeader(rules.text, index.size, start, solution.residual, __version__)
    _write(target, header, solving.stored(solution.values))
    checkpoint.remove()


def _solve_reachable(rules: RuleSet, target: Path, folder: Path) -> None:
    from urpi.engine.exact.values import ValuesHeader
    from urpi.engine.position_key import key_of
    from urpi.engine.solver import reachable, solving

    _check_room(reachable.MEMORY_NEEDED, reachable.DISK_NEEDED, target.parent)
    click.echo(f"{rules.text}: finding all positions that can be reached.", err=True)
    moves = reachable.find(rules)
    size = len(moves.keys)
    click.echo(f"{rules.text}: {size:,} positions", err=True)
    checkpoint = reachable.SweepCheckpoint(folder, rules, moves)
    with _progress(size) as report:
        solved = reachable.solve(rules, moves, checkpoint, report)
    start = solved.value(key_of(rules.start(Side.LIGHT)))
    header = ValuesHeader(rules.text, size, start, solved.residual, __version__)
    _write(target, header, chain(reachable.stored(solved.keys), solving.stored(solved.values)))
    shutil.rmtree(folder)


@contextmanager
def _progress(size: int) -> Iterator[Callable[[float], None]]:
    """Show a progress bar; the function adds to the solved positions, from any thread."""
    with click.progressbar(length=size, label="Solving", file=sys.stderr) as bar:
        lock, reported = Lock(), 0.0

        def report(positions: float) -> None:
            nonlocal reported
            with lock:
                # The bar counts whole positions, and would lose the fractions of many small steps.
                bar.update(int(reported + positions) - int(reported))
                reported += positions

        yield report


def _write(target: Path, header: "ValuesHeader", chunks: Iterable[bytes]) -> None:
    from urpi.engine.exact import values

    # The folder of the computation is locked, so no other process writes this table.
    with draft_of(target, suffix=".part") as draft, draft.open("wb") as file:
        values.write(file, header, chunks)
    click.echo(f"Value of the start position for the side to throw: {header.start:.12f}")
    click.echo(f"Residual over all positions: {header.residual:.1e}")


def _check_room(memory: int, disk: int, folder: Path) -> None:
    """Check that memory and disk suffice for so many bytes.

    Raises:
        UrpiError: If not; the message names what is needed and what is there.
    """
    needed = {
        "memory": (memory, _available_memory()),
        f"disk space in {folder}": (disk, shutil.disk_usage(folder).free),
    }
    for what, (least, found) in needed.items():
        if found < least:
            message = (
                f"Solving needs {least // 10**6 + 1:,} MB of {what}; {found // 10**6:,} MB are "
                "available. Free some, or choose fewer pieces with --option pieces=3."
            )
            raise UrpiError(message)


def _available_memory() -> int:
    """The bytes of memory that programs can still use, as Linux estimates them."""
    for line in Path("/proc/meminfo").read_text("ascii").splitlines():
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            return int(value.split()[0]) * 1024
    return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
