"""Reading of stored counts of throws (FORMATS.md, Dice counts)."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from urpi.core.errors import UrpiError
from urpi.core.inputs import read_text
from urpi.journal.fairness import Tally, parse_tally
from urpi.journal.fairness.tally import MAX_THROWS

LARGEST_BYTES: Final = 65_536
"""Maximum size of a file; a line for each of a few dice has a few hundred bytes."""
ADVICE: Final = "`urpi dice test --json` writes one"


def read_counts(files: Iterable[Path], die: int | None) -> tuple[Tally, ...]:
    """Return the tallies in files by die, those of the same die added up.

    Args:
        files: The files.
        die: The number of the only die to return, None for all.

    Raises:
        UrpiError: If a file cannot be read, a line is invalid, two tallies have different
            outcomes, or there is no tally.
    """
    sums: dict[int, Tally] = {}
    for where, tally in _each(files):
        if die in {None, tally.die}:
            sums[tally.die] = added = _added(sums.get(tally.die), tally, where)
            if added.throws > MAX_THROWS:
                message = f"{where}: die {tally.die} has more than {MAX_THROWS} throws, the limit."
                raise UrpiError(message)
    if not sums:
        counted = f"die {die}" if die else "any die"
        message = f"The files contain no counts of {counted}; `urpi dice test --json` writes some."
        raise UrpiError(message)
    return tuple(sums[die] for die in sorted(sums))


def _each(files: Iterable[Path]) -> Iterator[tuple[str, Tally]]:
    for file in files:
        lines = read_text(file, "file of counts", LARGEST_BYTES, ADVICE).split("\n")
        for number, line in enumerate(lines, 1):
            if line.strip():
                where = f"{file}:{number}"
                try:
                    yield where, parse_tally(line)
                except UrpiError as error:
                    message = f"{where}: {error}"
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
