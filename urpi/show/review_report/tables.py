"""The figures of a review as tables of texts: its throws, and the totals of both sides."""

from collections.abc import Iterator
from typing import Final

from urpi.engine.review import Review, ReviewedThrow, SideTotals
from urpi.rules import Side
from urpi.show.review_report.wording import ReviewWording
from urpi.show.words.sentences import N_

# Translators: The headings of a table of all throws of a game. Light's chance: of winning; Luck:
# how much the throw changed it; Given away: how much the move cost; Comments: words such as bad,
# lucky.
THROW_HEADINGS: Final = (
    N_("Turn"), N_("Side"), N_("Thrown"), N_("Move"), N_("Light's chance"), N_("Luck"),
    N_("Given away"), N_("Comments"),
)  # fmt: skip
RIGHT_ALIGNED: Final = frozenset({"Turn", "Thrown", "Light's chance", "Luck", "Given away"})
# Translators: In the comments on a move: which one would have been better.
BETTER: Final = N_("better: {move}")


def throw_rows(review: Review, wording: ReviewWording) -> Iterator[tuple[str, ...]]:
    for each in review.throws:
        yield (
            str(each.turn),
            wording.words.side(each.side),
            str(each.throw.value),
            each.played.text if each.played else "-",
            wording.percent(light_value(each)),
            wording.percent(each.luck, signed=True),
            wording.percent(each.loss) if each.unforced else "-",
            "; ".join(comments_of(each, wording)),
        )


def light_value(thrown: ReviewedThrow) -> float:
    """Return light's probability to win after the move that was played."""
    return thrown.after if thrown.side is Side.LIGHT else 1 - thrown.after


def comments_of(thrown: ReviewedThrow, wording: ReviewWording) -> list[str]:
    """Return the marks of a throw, what kind of mistake its move is, and the better move."""
    found = wording.marks(thrown.luck_mark, thrown.mistake_mark)
    if thrown.mistake is not None:
        found.append(wording.mistake(thrown.mistake))
        found.append(wording.words.text(BETTER).format(move=thrown.best.text))
    return found


def total_rows(review: Review, wording: ReviewWording) -> Iterator[tuple[str, str, str]]:
    """Yield the totals: a label, and the texts of light and dark."""
    words, totals = wording.words, review.totals

    def row(label: str, texts: list[str]) -> tuple[str, str, str]:
        light, dark = texts
        return words.text(label), light, dark

    yield row(N_("Luck"), [wording.percent(each.luck, signed=True) for each in totals])
    yield row(N_("Given away"), [wording.percent(each.loss) for each in totals])
    yield row(N_("Decisions"), [str(each.decisions) for each in totals])
    yield row(N_("Mistakes"), [_mistakes(each) for each in totals])
    yield row(
        N_("Mistakes per 100 decisions"),
        [
            "-" if each.errors_per_100 is None else words.number(each.errors_per_100, 1)
            for each in totals
        ],
    )
    adjusted = review.luck_adjusted
    if adjusted is not None:
        both = [wording.percent(value, signed=value < 0) for value in (adjusted, 1 - adjusted)]
        yield row(N_("Result if both had been equally lucky"), both)


def _mistakes(totals: SideTotals) -> str:
    """Return the number of marked moves; in brackets those doubtful, bad and very bad."""
    counts = [totals.marks.get(mark, 0) for mark in ("doubtful", "bad", "very-bad")]
    return f"{totals.errors} ({' + '.join(map(str, counts))})"


MISTAKES_NOTE: Final = N_("Mistakes: all (doubtful + bad + very bad)")


def mistake_rows(review: Review, wording: ReviewWording) -> list[tuple[str, str, str]]:
    """Return the kinds of mistakes, the most expensive one first, with both sides' losses."""
    light, dark = (totals.mistakes for totals in review.totals)
    kinds = sorted({*light, *dark}, key=lambda kind: -light.get(kind, 0) - dark.get(kind, 0))
    return [
        (
            wording.mistake(kind),
            wording.percent(light.get(kind, 0)),
            wording.percent(dark.get(kind, 0)),
        )
        for kind in kinds
    ]
