"""The verdict on the fairness of dice, in words or as JSON, and reading of stored counts."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click

from urpi.core.errors import UrpiError
from urpi.core.inputs import read_text
from urpi.journal.fairness import Judgement, Tally, judge, parse_tally, tally_values
from urpi.journal.fairness.fairness import ALPHA
from urpi.journal.fairness.tally import MAX_THROWS
from urpi.show.words import Words
from urpi.show.words import dice_sentences as sentences

SMALLEST: Final = 1e-12
"""The smallest p value that is printed; smaller ones count as this."""
LARGEST_BYTES: Final = 65_536
"""Maximum size of a file; a line for each of a few dice has a few hundred bytes."""
ADVICE: Final = "`urpi dice test --json` writes one"


def print_verdicts(tallies: Sequence[Tally], words: Words, *, as_json: bool) -> None:
    """Print a paragraph, or a JSON line, for each die."""
    for judgement in judge(tallies):
        if as_json:
            click.echo(json.dumps(verdict_values(judgement), separators=(",", ":")))
        else:
            click.echo("\n  ".join(verdict_words(judgement, len(tallies), words)))


def verdict_values(judgement: Judgement) -> dict[str, Any]:
    """The tally and the results of its tests as JSON values."""
    marks = judgement.marks
    return {
        **tally_values(judgement.tally),
        "throws": judgement.tally.throws,
        "marks": None if marks is None else {**asdict(marks), "interval": [*marks.interval]},
        "faces": asdict(judgement.faces),
        "signs": judgement.suspicious,
        "needed": judgement.needed,
        "missing": judgement.missing,
        "smallest": judgement.smallest_bias,
    }


def verdict_words(judgement: Judgement, dice: int, words: Words) -> Iterator[str]:
    """Yield the sentences about a die.

    Args:
        judgement: The results of its tests.
        dice: The number of dice that were tested together.
        words: The texts in the players' language.
    """
    tally = judgement.tally
    yield _counts(tally, words)
    if judgement.marks is not None:
        yield _marks(judgement, words) + _corrected(judgement.marks.holm, dice, words)
    yield _faces(judgement, words) + _corrected(judgement.faces.holm, dice, words)
    if judgement.suspicious:
        yield from _signs(judgement, words)
    else:
        throws = sentences.throws_words(words, tally.throws)
        yield words.text(sentences.NO_SIGN).format(throws=throws) + " " + _unseen(judgement, words)
    if judgement.missing:
        yield _need(judgement, words)


def _counts(tally: Tally, words: Words) -> str:
    names = [_name(tally, place, words) for place in range(len(tally.outcomes))]
    counts = (f"{name} {count}" for name, count in zip(names, tally.counts, strict=True))
    return words.text(sentences.COUNTS).format(
        die=tally.die, throws=sentences.throws_words(words, tally.throws), counts=", ".join(counts)
    )


def _name(tally: Tally, place: int, words: Words) -> str:
    outcome = tally.outcomes[place]
    if max(tally.weights) > 1:
        return words.face(outcome[0])
    return sentences.face_words(words, place + 1, outcome)


def _marks(judgement: Judgement, words: Words) -> str:
    marks = judgement.marks
    assert marks is not None
    share = marks.marks / marks.throws if marks.throws else 0.0
    return words.text(sentences.MARKS).format(
        marks=marks.marks,
        share=_percent(share, words),
        low=_percent(marks.interval.low, words),
        high=_percent(marks.interval.high, words),
        fair=_percent(marks.fair, words),
        p=_number(marks.p, words),
    )


def _faces(judgement: Judgement, words: Words) -> str:
    faces = judgement.faces
    return words.text(sentences.FACES).format(
        statistic=words.number(faces.statistic, 2),
        degrees=faces.degrees,
        p=_number(faces.p, words),
        how=words.text(sentences.BY_COUNTING if faces.exact else sentences.BY_DISTRIBUTION),
    )


def _corrected(p: float, dice: int, words: Words) -> str:
    if dice == 1:
        return ""
    return "; " + words.text(sentences.CORRECTED).format(dice=dice, p=_number(p, words)) + "."


def _signs(judgement: Judgement, words: Words) -> Iterator[str]:
    tests = [(sentences.SIGN_MARKS, judgement.marks), (sentences.SIGN_FACES, judgement.faces)]
    for sentence, test in tests:
        if test is not None and test.holm <= ALPHA:
            what = words.text(sentence).format(trials=_trials(test.holm, words))
            yield words.text(sentences.SIGN).format(what=what)


def _unseen(judgement: Judgement, words: Words) -> str:
    if judgement.smallest_bias is None:
        return words.text(sentences.NOTHING_SEEN)
    off = words.percent(100 * judgement.smallest_bias, 1)
    return words.text(sentences.NOT_SEEN).format(off=off)


def _need(judgement: Judgement, words: Words) -> str:
    what = sentences.FACE_OFF
    if judgement.marks is not None:
        what = sentences.MARKS_OFF if judgement.marks.fair == 0.5 else sentences.SHARE_OFF
    return words.text(sentences.NEED).format(
        what=words.text(what), missing=judgement.missing, needed=judgement.needed
    )


def _percent(share: float, words: Words) -> str:
    return words.percent(100 * share, 1)


def _number(p: float, words: Words) -> str:
    """A p value with two significant figures, or that it is below 0.0001."""
    figures = "< 0.0001" if p < 0.0001 else f"{p:.2f}" if p >= 0.1 else f"{p:.2g}"
    return figures.replace(".", words.decimal_sign)


def _trials(p: float, words: Words) -> str:
    """The number of trials in which that happens once, with two significant figures."""
    trials = f"{int(float(f'{1 / max(p, SMALLEST):.2g}')):,}"
    return trials if words.decimal_sign == "." else trials.replace(",", "\N{NO-BREAK SPACE}")


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
