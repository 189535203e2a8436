"""The verdict on the fairness of dice, in words or as JSON."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

import click

from urpi.journal.fairness import Judgement, Tally, judge, tally_values
from urpi.journal.fairness.fairness import ALPHA
from urpi.show.words import Words
from urpi.show.words import dice_sentences as sentences

SMALLEST: Final = 1e-12
"""The smallest p value that is printed; smaller ones count as this."""


def print_verdicts(tallies: Sequence[Tally], words: Words, *, as_json: bool) -> None:
    """Print a paragraph, or a JSON line, for each die."""
    for judgement in judge(tallies):
        if as_json:
            click.echo(json.dumps(verdict_values(judgement), separators=(",", ":")))
        else:
            click.echo("\n  ".join(verdict_words(judgement, len(tallies), words)))


def verdict_values(judgement: Judgement) -> dict[str, Any]:
    """Return the tally and the results of its tests as JSON values."""
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
        share=_percent(share),
        low=_percent(marks.interval.low),
        high=_percent(marks.interval.high),
        fair=_percent(marks.fair),
        p=_number(marks.p),
    )


def _faces(judgement: Judgement, words: Words) -> str:
    faces = judgement.faces
    return words.text(sentences.FACES).format(
        statistic=f"{faces.statistic:.2f}",
        degrees=faces.degrees,
        p=_number(faces.p),
        how=words.text(sentences.BY_COUNTING if faces.exact else sentences.BY_DISTRIBUTION),
    )


def _corrected(p: float, dice: int, words: Words) -> str:
    if dice == 1:
        return ""
    return "; " + words.text(sentences.CORRECTED).format(dice=dice, p=_number(p)) + "."


def _signs(judgement: Judgement, words: Words) -> Iterator[str]:
    tests = [(sentences.SIGN_MARKS, judgement.marks), (sentences.SIGN_FACES, judgement.faces)]
    for sentence, test in tests:
        if test is not None and test.holm <= ALPHA:
            what = words.text(sentence).format(trials=_trials(test.holm))
            yield words.text(sentences.SIGN).format(what=what)


def _unseen(judgement: Judgement, words: Words) -> str:
    if judgement.smallest_bias is None:
        return words.text(sentences.NOTHING_SEEN)
    points = words.text(sentences.POINTS).format(points=f"{100 * judgement.smallest_bias:.1f}")
    return words.text(sentences.NOT_SEEN).format(off=points)


def _need(judgement: Judgement, words: Words) -> str:
    what = sentences.FACE_OFF
    if judgement.marks is not None:
        what = sentences.MARKS_OFF if judgement.marks.fair == 0.5 else sentences.SHARE_OFF
    return words.text(sentences.NEED).format(
        what=words.text(what), missing=judgement.missing, needed=judgement.needed
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _number(p: float) -> str:
    """Return a p value with two significant figures, or that it is below 0.0001."""
    if p < 0.0001:
        return "< 0.0001"
    return f"{p:.2f}" if p >= 0.1 else f"{p:.2g}"


def _trials(p: float) -> str:
    """Return the number of trials in which that happens once, with two significant figures."""
    return f"{int(float(f'{1 / max(p, SMALLEST):.2g}')):,}"
