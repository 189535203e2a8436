"""Counts that were stored before (FORMATS.md, Dice counts)."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from urpi.dice import Tally, parse_tally
from urpi.errors import UrpiError


def read_counts(files: Iterable[Path], die: int | None) -> tuple[Tally, ...]:
    """The tallies in those files, by die: those of one die added up; of `die` alone if given.

    Raises:
        UrpiError: when a file cannot be read, a line is wrong, two do not go together, or
            there is nothing to judge.
    """
    sums: dict[int, Tally] = {}
    for where, tally in _each(files):
        if die in {None, tally.die}:
            sums[tally.die] = _added(sums.get(tally.die), tally, where)
    if not sums:
        message = f"There are no counts of {f'die {die}' if die else 'any die'} in what was given."
        raise UrpiError(f"{message[:-1]}; `urpi dice test --json` writes some.")
    return tuple(sums[die] for die in sorted(sums))


def _each(files: Iterable[Path]) -> Iterator[tuple[str, Tally]]:
    for file in files:
        for number, line in enumerate(_lines(file), 1):
            if line.strip():
                where = f"{file}:{number}"
                try:
                    yield where, parse_tally(line)
                except UrpiError as error:
                    message = f"{where}: {error}"
                    raise UrpiError(message) from error


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8"
        message = f"The counts {file} cannot be read: {reason}; give a file of JSON lines."
        raise UrpiError(message) from error


def _added(before: Tally | None, tally: Tally, where: str) -> Tally:
    if before is None:
        return tally
    if before.outcomes != tally.outcomes:
        message = (
            f"{where}: die {tally.die} has the outcomes {list(tally.outcomes)}, but "
            f"{list(before.outcomes)} before; judge the files one by one."
        )
        raise UrpiError(message)
    counts = (one + other for one, other in zip(before.counts, tally.counts, strict=True))
    return Tally(tally.die, tally.outcomes, tuple(counts))
